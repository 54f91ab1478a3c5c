import { F32, F64, I32, I64, NO_RESULT } from './module.ts'

/** Opcodes by name. WebAssembly Core Specification 1.0, section 5.4. */
export const OP = {
  unreachable: 0x00,
  nop: 0x01,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  end: 0x0b,
  br: 0x0c,
  br_if: 0x0d,
  br_table: 0x0e,
  return: 0x0f,
  call: 0x10,
  call_indirect: 0x11,
  drop: 0x1a,
  select: 0x1b,
  local_get: 0x20,
  local_set: 0x21,
  local_tee: 0x22,
  global_get: 0x23,
  global_set: 0x24,
  first_load: 0x28,
  last_load: 0x35,
  first_store: 0x36,
  last_store: 0x3e,
  memory_size: 0x3f,
  memory_grow: 0x40,
  i32_const: 0x41,
  i64_const: 0x42,
  f32_const: 0x43,
  f64_const: 0x44,
  i32_eqz: 0x45,
  i32_ne: 0x47,
  i32_lt_s: 0x48,
  i32_lt_u: 0x49,
  i32_gt_u: 0x4b,
  i32_ge_u: 0x4f,
  i64_gt_u: 0x56,
  f32_ne: 0x5c,
  f64_ne: 0x62,
  i32_add: 0x6a,
  i32_sub: 0x6b,
  i32_and: 0x71,
  i32_or: 0x72,
  i32_shl: 0x74,
  i32_shr_u: 0x76,
  i64_add: 0x7c,
  i64_and: 0x83,
  i64_or: 0x84,
  i64_shl: 0x86,
  i64_shr_u: 0x88,
  f32_ceil: 0x8d,
  f64_ceil: 0x9b,
  i32_wrap_i64: 0xa7,
  i64_extend_i32_u: 0xad,
  f32_demote_f64: 0xb6,
  f64_promote_f32: 0xbb,
  i32_reinterpret_f32: 0xbc,
  i64_reinterpret_f64: 0xbd,
  f32_reinterpret_i32: 0xbe,
  f64_reinterpret_i64: 0xbf,
} as const

/** Whether there is such an instruction. */
export function isInstruction(op: number): boolean {
  if (op <= OP.else || (op >= OP.end && op <= OP.call_indirect)) return true
  if (op === OP.drop || op === OP.select) return true
  return (op >= OP.local_get && op <= OP.global_set) || (op >= OP.first_load && op <= 0xbf)
}

/** The encoding of an instruction's immediates. */
export const IMMEDIATE = {
  none: 0,
  /** A byte: a block's type, or the memory's index. */
  byte: 1,
  /** One LEB128 number. */
  leb: 2,
  /** Two LEB128 numbers: alignment and offset. */
  memory: 3,
  /** A count, then one more LEB128 number than that. */
  table: 4,
  /** A type's LEB128 index and a byte. */
  indirect: 5,
  bytes4: 6,
  bytes8: 7,
} as const

function immediateTable(): Uint8Array {
  const table = new Uint8Array(256)
  for (const op of [OP.block, OP.loop, OP.if, OP.memory_size, OP.memory_grow]) {
    table[op] = IMMEDIATE.byte
  }
  for (const op of [OP.br, OP.br_if, OP.call, OP.i32_const, OP.i64_const]) {
    table[op] = IMMEDIATE.leb
  }
  table.fill(IMMEDIATE.leb, OP.local_get, OP.global_set + 1)
  table.fill(IMMEDIATE.memory, OP.first_load, OP.last_store + 1)
  table[OP.br_table] = IMMEDIATE.table
  table[OP.call_indirect] = IMMEDIATE.indirect
  table[OP.f32_const] = IMMEDIATE.bytes4
  table[OP.f64_const] = IMMEDIATE.bytes8
  return table
}

/** The kind of immediates by opcode. */
export const IMMEDIATES: Uint8Array = immediateTable()

/** The operands and the result of a numeric instruction without immediates. */
export interface NumericOp {
  operand: number
  /** One operand or two of the same type. */
  arity: 1 | 2
  result: number
}

/** Type and log2 of the width in bytes of each load (0x28..) and store (0x36..). */
export const MEMORY_OPS: readonly { type: number; max_align: number }[] = [
  [I32, 2], [I64, 3], [F32, 2], [F64, 3], [I32, 0], [I32, 0], [I32, 1], [I32, 1],
  [I64, 0], [I64, 0], [I64, 1], [I64, 1], [I64, 2], [I64, 2],
  [I32, 2], [I64, 3], [F32, 2], [F64, 3], [I32, 0], [I32, 1], [I64, 0], [I64, 1], [I64, 2],
].map(([type, max_align]) => ({ type: type!, max_align: max_align! })) // oxfmt-ignore

function numericTable(): (NumericOp | undefined)[] {
  const table: (NumericOp | undefined)[] = new Array<NumericOp | undefined>(256).fill(undefined)
  const put = (from: number, to: number, operand: number, arity: 1 | 2, result: number): void => {
    for (let op = from; op <= to; op++) table[op] = { operand, arity, result }
  }
  put(0x45, 0x45, I32, 1, I32)
  put(0x46, 0x4f, I32, 2, I32)
  put(0x50, 0x50, I64, 1, I32)
  put(0x51, 0x5a, I64, 2, I32)
  put(0x5b, 0x60, F32, 2, I32)
  put(0x61, 0x66, F64, 2, I32)
  put(0x67, 0x69, I32, 1, I32)
  put(0x6a, 0x78, I32, 2, I32)
  put(0x79, 0x7b, I64, 1, I64)
  put(0x7c, 0x8a, I64, 2, I64)
  put(0x8b, 0x91, F32, 1, F32)
  put(0x92, 0x98, F32, 2, F32)
  put(0x99, 0x9f, F64, 1, F64)
  put(0xa0, 0xa6, F64, 2, F64)
  const casts: [number, number][] = [
    [I64, I32], [F32, I32], [F32, I32], [F64, I32], [F64, I32],
    [I32, I64], [I32, I64], [F32, I64], [F32, I64], [F64, I64], [F64, I64],
    [I32, F32], [I32, F32], [I64, F32], [I64, F32], [F64, F32],
    [I32, F64], [I32, F64], [I64, F64], [I64, F64], [F32, F64],
    [F32, I32], [F64, I64], [I32, F32], [I64, F64],
  ] // oxfmt-ignore
  casts.forEach(([operand, result], i) => put(0xa7 + i, 0xa7 + i, operand, 1, result))
  return table
}

/** Numeric instructions by opcode. */
export const NUMERIC_OPS: readonly (NumericOp | undefined)[] = numericTable()

/** Whether a byte is one of the four value types. */
export function isValueType(type: number): boolean {
  return type === I32 || type === I64 || type === F32 || type === F64
}

/** The size of a value type in bytes. */
export function sizeOfType(type: number): number {
  return type === I32 || type === F32 ? 4 : type === I64 || type === F64 ? 8 : 0
}

export { F32, F64, I32, I64, NO_RESULT }
