import type { WasmModule } from '../wasm/module.ts'
import { F32, F64, NO_RESULT, functionType } from '../wasm/module.ts'
import { OP } from '../wasm/opcodes.ts'
import { Emitter } from './emitter.ts'
import { floatHelper } from './float_helpers.ts'
import type { Helper } from './helper.ts'
import { memoryHelpers } from './memory_helpers.ts'
import { gapHelper, tableElements } from './table_elements.ts'
import type { TableElements } from './table_elements.ts'

/** Units of work between two checks of the clock; a unit is about fifty nanoseconds. */
export const FUEL_PER_TICK = 2000

/** Units for a section of code: one for each 128 bytes or part of them. */
export function fuelWeight(bytes: number): number {
  return 1 + (bytes >> 7)
}

/**
 * The functions that the rewritten module imports for its own use, after the contract's imports.
 */
export const RESERVED_MODULE = 'pronghorn'

/** Names of the functions that the rewritten module imports for its own use. */
export const RESERVED_IMPORTS = [
  'tick',
  'overflow',
  'grow',
  'truncation_error',
  'violation',
  'size',
] as const

/** Options of the rewriting of a module. */
export interface Form {
  /** Count the call depth: the code could exceed the limit. */
  count_depth: boolean
  /** Check every access against a movable end of memory: the code grows its memory. */
  movable_memory: boolean
}

/** The indices of functions and globals in the rewritten module. */
export interface Layout {
  /** Asks the host whether there is time left, and fills the countdown again. */
  refuel_function: number
  overflow_function: number
  grow_function: number
  size_function: number
  fuel_global: number
  /** Defined where the call depth is counted. */
  depth_global: number | undefined
  limit_global: number | undefined
  /** Defined where memory has a movable end. */
  bytes_global: number | undefined
  /** Imports that take or give floats: wrappers pass the bits as integers. */
  import_wrappers: Map<number, number>
  /** Functions that replace instructions, by opcode. */
  op_functions: Map<number, number>
  helpers: Helper[]
  run_function: number
  elements: TableElements
  /** Checks the index of an indirect call; defined if the table has gaps. */
  gap_function: number | undefined
  /**
   * Index in the rewritten module of a function of the contract. They are in reverse order: V8 compiles the last one first,
   * so in memory they follow one another as in the contract, and processors read ahead upwards only.
   */
  functionIndex(index: number): number
}

/** `float_ops`: opcodes of the float instructions in the module's code that will be calls. */
export function planLayout(m: WasmModule, float_ops: ReadonlySet<number>, form: Form): Layout {
  const imported = m.imports.length
  const shift = RESERVED_IMPORTS.length
  let next = imported + shift + m.functions.length
  const last_own = next - 1
  const import_wrappers = new Map<number, number>()
  for (let i = 0; i < imported; i++) if (hasFloats(m, i)) import_wrappers.set(i, next++)
  const bytes_global = m.globals.length + 3
  const helpers = collectHelpers(
    imported,
    float_ops,
    form.movable_memory ? bytes_global : undefined,
  )
  const op_functions = new Map<number, number>()
  for (const op of helpers.keys()) op_functions.set(op, next++)
  const elements = tableElements(m.table)
  const added = [...helpers.values()]
  if (elements.gaps.length > 0) added.push(gapHelper(elements.gaps))
  const gap_function = elements.gaps.length > 0 ? next++ : undefined
  const fuel_global = m.globals.length
  added.push(refuelHelper(imported, fuel_global))
  return {
    refuel_function: next++,
    overflow_function: imported + 1,
    grow_function: imported + 2,
    size_function: imported + 5,
    fuel_global,
    depth_global: form.count_depth ? m.globals.length + 1 : undefined,
    limit_global: form.count_depth ? m.globals.length + 2 : undefined,
    bytes_global: form.movable_memory ? bytes_global : undefined,
    import_wrappers,
    op_functions,
    helpers: added,
    run_function: next,
    elements,
    gap_function,
    functionIndex: (index) =>
      index < imported ? (import_wrappers.get(index) ?? index) : last_own - (index - imported),
  }
}

function collectHelpers(
  imported: number,
  float_ops: ReadonlySet<number>,
  bytes_global: number | undefined,
): Map<number, Helper> {
  const helpers = new Map<number, Helper>()
  for (const op of [...float_ops].sort((a, b) => a - b)) {
    const helper = floatHelper(op, imported + 3)
    if (helper !== undefined) helpers.set(op, helper)
  }
  if (bytes_global === undefined) return helpers
  const [violation_function, grow_function] = [imported + 4, imported + 2]
  const memory = memoryHelpers({ bytes_global, violation_function, grow_function })
  return new Map([...helpers, ...memory])
}

/** Asks the host whether there is time left, and fills the countdown. */
export function refuelHelper(tick_function: number, fuel_global: number): Helper {
  const e = new Emitter(16).byte(0)
  e.byte(OP.call).u32(tick_function)
  e.byte(OP.i32_const).i32(FUEL_PER_TICK).byte(OP.global_set).u32(fuel_global)
  return { params: [], result: NO_RESULT, body: e.byte(OP.end).view() }
}

function hasFloats(m: WasmModule, index: number): boolean {
  const type = functionType(m, index)!
  return [...type.params, type.result].some((t) => t === F32 || t === F64)
}
