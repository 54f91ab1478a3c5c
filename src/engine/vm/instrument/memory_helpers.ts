import { I32, I64, NO_RESULT } from '../wasm/module.ts'
import { MEMORY_OPS, OP } from '../wasm/opcodes.ts'
import { Emitter } from './emitter.ts'
import type { Helper } from './helper.ts'

/**
 * Memory whose end moves in both directions. V8 can neither shrink a memory nor reset a grown one.
 * So codes that grow their memory get this form from then on: the memory keeps its maximum size,
 * `bytes_global` has the size that the contract sees, and every access calls a function that checks
 * it.
 */
export interface MemoryParts {
  /** i64. */
  bytes_global: number
  violation_function: number
  grow_function: number
}

/** Bytes of each access, by opcode. */
export const WIDTHS: readonly number[] = [
  4, 8, 4, 8, 1, 1, 2, 2, 1, 1, 2, 2, 4, 4,
  4, 8, 4, 8, 1, 2, 1, 2, 4,
] // oxfmt-ignore

/** A load or store whose constant offset is the last parameter. */
export function accessHelper(op: number, parts: MemoryParts): Helper {
  const { type } = MEMORY_OPS[op - OP.first_load]!
  const store = op >= OP.first_store
  const offset = store ? 2 : 1
  const place = offset + 1
  const e = new Emitter().bytes(1, 1, I64)
  // place = address + offset, in 64 bits
  e.bytes(OP.local_get, 0, OP.i64_extend_i32_u)
  e.bytes(OP.local_get, offset, OP.i64_extend_i32_u, OP.i64_add, OP.local_tee, place)
  e.byte(OP.i64_const)
    .i64(BigInt(WIDTHS[op - OP.first_load]!))
    .byte(OP.i64_add)
  e.byte(OP.global_get).u32(parts.bytes_global).byte(OP.i64_gt_u)
  e.bytes(OP.if, NO_RESULT).byte(OP.call).u32(parts.violation_function).byte(OP.end)
  e.bytes(OP.local_get, place, OP.i32_wrap_i64)
  if (store) e.bytes(OP.local_get, 1)
  e.bytes(op, 0, 0, OP.end)
  return {
    params: store ? [I32, type, I32] : [I32, I32],
    result: store ? NO_RESULT : type,
    body: e.view(),
  }
}

/** memory.grow: what the host answers, and the new end where that is not -1. */
export function growHelper(parts: MemoryParts): Helper {
  const e = new Emitter().bytes(1, 1, I32)
  e.bytes(OP.local_get, 0).byte(OP.call).u32(parts.grow_function).bytes(OP.local_tee, 1)
  e.byte(OP.i32_const).i32(-1).byte(OP.i32_ne)
  e.bytes(OP.if, NO_RESULT, OP.local_get, 1, OP.local_get, 0, OP.i32_add, OP.i64_extend_i32_u)
  e.byte(OP.i64_const)
    .i64(16n)
    .bytes(OP.i64_shl, OP.global_set)
    .u32(parts.bytes_global)
    .byte(OP.end)
  e.bytes(OP.local_get, 1, OP.end)
  return { params: [I32], result: I32, body: e.view() }
}

/** memory.size. */
export function sizeHelper(parts: MemoryParts): Helper {
  const e = new Emitter().byte(0)
  e.byte(OP.global_get).u32(parts.bytes_global)
  e.byte(OP.i64_const).i64(16n).bytes(OP.i64_shr_u, OP.i32_wrap_i64, OP.end)
  return { params: [], result: I32, body: e.view() }
}

/** All helpers by the opcode that they replace. */
export function memoryHelpers(parts: MemoryParts): Map<number, Helper> {
  const helpers = new Map<number, Helper>()
  for (let op: number = OP.first_load; op <= OP.last_store; op++) {
    helpers.set(op, accessHelper(op, parts))
  }
  helpers.set(OP.memory_size, sizeHelper(parts))
  return helpers.set(OP.memory_grow, growHelper(parts))
}
