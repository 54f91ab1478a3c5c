import type { CallContext, LinkableFunction, WasmInstance } from '../instance.ts'
import { F32, F64, I32, I64, NO_RESULT } from '../wasm/module.ts'
import type { FuncType } from '../wasm/module.ts'

/** A function that contracts import from `env`. */
export interface HostFunction extends LinkableFunction {
  type: FuncType
  /**
   * The function for one instance. i32 come as signed numbers, i64 as signed bigints, floats as the
   * integers of their bits, and results go the same way.
   */
  link(vm: WasmInstance): Implementation
}

/** Host functions by name. */
export type HostFunctions = Readonly<Record<string, HostFunction>>

// The compiler cannot relate an implementation to its signature text; tests check each one.
type Implementation = (...args: never[]) => number | bigint | void

const LETTERS: Record<string, number> = { i: I32, l: I64, f: F32, d: F64 }

/** `signature`: parameters by letter (i32, long i64, float, double), and after `>` the result. */
export function hostFunction(
  signature: string,
  context: CallContext,
  link: (vm: WasmInstance) => Implementation,
): HostFunction {
  const [params, result] = signature.split('>')
  return {
    type: {
      params: [...params!].map((letter) => LETTERS[letter]!),
      result: result === undefined ? NO_RESULT : LETTERS[result]!,
    },
    context,
    link,
  }
}

/** An i64 parameter as an unsigned number. */
export function u64(value: bigint): bigint {
  return value < 0n ? BigInt.asUintN(64, value) : value
}
