import { ByteCursor } from './byte_cursor.ts'
import type { WasmModule } from './module.ts'
import { OperandStack } from './operand_stack.ts'
import type { ParseOptions } from './parse_options.ts'

/** An open block of a body. */
export interface Label {
  expected_result: number
  label_result: number
  is_if: boolean
}

/** Locals with an index below this are found in a table. */
export const LOW_LOCALS = 128

/** Type-checks the bodies of one module (eos-vm: parser.hpp parse_function_body_code). */
export interface BodyChecker {
  m: WasmModule
  o: ParseOptions
  c: ByteCursor
  operands: OperandStack
  /** The first `nesting` of them are open; the objects are used again. */
  labels: Label[]
  nesting: number
  /** Type of each parameter and local by runs: `ends[i]` is one past the last local of run i. */
  ends: number[]
  types: number[]
  /** Types of the first locals, 0 beyond the last. */
  low_types: Uint8Array
}

/** A checker for the bodies of a module of which everything before the code was parsed. */
export function bodyChecker(m: WasmModule, options: ParseOptions): BodyChecker {
  return {
    m,
    o: options,
    c: new ByteCursor(m.code),
    operands: new OperandStack(options.max_func_local_bytes),
    labels: [],
    nesting: 0,
    ends: [],
    types: [],
    low_types: new Uint8Array(LOW_LOCALS),
  }
}
