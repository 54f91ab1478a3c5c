import type { WasmModule } from '../wasm/module.ts'
import { F32, F64, functionType } from '../wasm/module.ts'
import { floatHelper } from './float_helpers.ts'
import type { FloatHelper } from './float_helpers.ts'

/** Units of work between two looks at the clock; a unit is about fifty nanoseconds. */
export const FUEL_PER_TICK = 2000

/** Units for a stretch of code: one for each 128 bytes begun. */
export function fuelWeight(bytes: number): number {
  return 1 + (bytes >> 7)
}

/** The functions that the rewritten module imports for itself, after the contract's own imports. */
export const RESERVED_MODULE = 'pronghorn'
export const RESERVED_IMPORTS = ['tick', 'overflow', 'grow', 'truncation_error'] as const

/** Where things are in the rewritten module. */
export interface Layout {
  tick_function: number
  overflow_function: number
  grow_function: number
  fuel_global: number
  /** Defined where the call depth is counted. */
  depth_global: number | undefined
  limit_global: number | undefined
  /** Imports that take or give floats: wrappers pass the bits as integers. */
  import_wrappers: Map<number, number>
  /** By opcode; only instructions that the module may use. */
  float_helpers: Map<number, number>
  helpers: FloatHelper[]
  run_function: number
  /** Index in the rewritten module of a function of the contract. */
  functionIndex(index: number): number
}

/** Opcodes of the float instructions that are calls, found in a module's code. */
export type FloatOps = Set<number>

export function planLayout(m: WasmModule, float_ops: FloatOps, count_depth: boolean): Layout {
  const imported = m.imports.length
  const shift = RESERVED_IMPORTS.length
  let next = imported + shift + m.functions.length
  const import_wrappers = new Map<number, number>()
  for (let i = 0; i < imported; i++) if (hasFloats(m, i)) import_wrappers.set(i, next++)
  const float_helpers = new Map<number, number>()
  const helpers: FloatHelper[] = []
  for (const op of [...float_ops].sort((a, b) => a - b)) {
    const helper = floatHelper(op, imported + 3)
    if (helper === undefined) continue
    float_helpers.set(op, next++)
    helpers.push(helper)
  }
  const globals = m.globals.length
  return {
    tick_function: imported,
    overflow_function: imported + 1,
    grow_function: imported + 2,
    fuel_global: globals,
    depth_global: count_depth ? globals + 1 : undefined,
    limit_global: count_depth ? globals + 2 : undefined,
    import_wrappers,
    float_helpers,
    helpers,
    run_function: next,
    functionIndex: (index) =>
      index < imported ? (import_wrappers.get(index) ?? index) : index + shift,
  }
}

function hasFloats(m: WasmModule, index: number): boolean {
  const type = functionType(m, index)!
  return [...type.params, type.result].some((t) => t === F32 || t === F64)
}
