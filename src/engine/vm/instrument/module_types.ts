import { F32, F64, I32, I64, NO_RESULT } from '../wasm/module.ts'
import type { FuncType } from '../wasm/module.ts'
import { Emitter } from './emitter.ts'
import type { RESERVED_IMPORTS } from './layout.ts'

/** Type of `run`: receiver, code, action, call depth limit. */
export const RUN_TYPE: FuncType = { params: [I64, I64, I64, I32], result: NO_RESULT }

/** Types of the functions that the rewritten module imports for its own use. */
export const RESERVED_TYPES: Record<(typeof RESERVED_IMPORTS)[number], FuncType> = {
  tick: { params: [], result: NO_RESULT },
  overflow: { params: [], result: NO_RESULT },
  grow: { params: [I32], result: I32 },
  truncation_error: { params: [I32], result: NO_RESULT },
  violation: { params: [], result: NO_RESULT },
  size: { params: [], result: I32 },
}

/** Deduplicates function types behind the contract's own, whose indices stay. */
export class TypeTable {
  readonly types: FuncType[]
  private readonly known = new Map<string, number>()

  constructor(types: readonly FuncType[]) {
    this.types = [...types]
  }

  /** The index of a type, which is added if it is not there. The contract's own types are not reused. */
  index(type: FuncType): number {
    const key = `${type.params.join()}>${type.result}`
    let index = this.known.get(key)
    if (index === undefined) {
      index = this.types.length
      this.types.push(type)
      this.known.set(key, index)
    }
    return index
  }
}

/** The type section of a module. */
export function typeSection({ types }: TypeTable): Emitter {
  const e = new Emitter().u32(types.length)
  for (const type of types) {
    e.byte(0x60)
      .u32(type.params.length)
      .bytes(...type.params)
    if (type.result === NO_RESULT) e.byte(0)
    else e.bytes(1, type.result)
  }
  return e
}

/** Floats cross to the host as the integers of their bits. */
function asBits(type: number): number {
  return type === F32 ? I32 : type === F64 ? I64 : type
}

/** The type of a host function after floats were replaced by integers of the same bits. */
export function bitsType(type: FuncType): FuncType {
  return { params: type.params.map(asBits), result: asBits(type.result) }
}
