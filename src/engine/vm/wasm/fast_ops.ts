import { I32, I64 } from './module.ts'
import { MEMORY_OPS, NUMERIC_OPS, OP, sizeOfType } from './opcodes.ts'

/** Instructions that a checker can process without a function call for each. */
export const FAST = {
  /** All others. */
  none: 0,
  unary: 1,
  binary: 2,
  local_get: 3,
  local_set: 4,
  local_tee: 5,
  /** A constant in LEB128. */
  constant: 6,
  load: 7,
  store: 8,
  nop: 9,
  call: 10,
} as const

/**
 * The operand and result types of instructions, by opcode, with the value type numbers of one
 * parser.
 */
export interface FastOps {
  kind: Uint8Array
  /** Type of each operand; of a load or store the type in memory. */
  operand: Uint8Array
  result: Uint8Array
  /** Bytes by which the operand stack grows. */
  growth: Int8Array
}

/** Makes the tables of instructions for one parser; `numberOf` is its number of a value type. */
export function fastOps(numberOf: (type: number) => number): FastOps {
  const ops: FastOps = {
    kind: new Uint8Array(256),
    operand: new Uint8Array(256),
    result: new Uint8Array(256),
    growth: new Int8Array(256),
  }
  const put = (op: number, kind: number, operand: number, result: number, growth: number): void => {
    ops.kind[op] = kind
    ops.operand[op] = operand === 0 ? 0 : numberOf(operand)
    ops.result[op] = result === 0 ? 0 : numberOf(result)
    ops.growth[op] = growth
  }
  NUMERIC_OPS.forEach((numeric, op) => {
    if (numeric === undefined) return
    const { operand, arity, result } = numeric
    const growth = sizeOfType(result) - arity * sizeOfType(operand)
    put(op, arity === 1 ? FAST.unary : FAST.binary, operand, result, growth)
  })
  MEMORY_OPS.forEach(({ type }, i) => {
    const op = OP.first_load + i
    const size = sizeOfType(type)
    if (op <= OP.last_load) put(op, FAST.load, I32, type, size - sizeOfType(I32))
    else put(op, FAST.store, type, 0, -size - sizeOfType(I32))
  })
  put(OP.i32_const, FAST.constant, 0, I32, 4)
  put(OP.i64_const, FAST.constant, 0, I64, 8)
  put(OP.local_get, FAST.local_get, 0, 0, 0)
  put(OP.local_set, FAST.local_set, 0, 0, 0)
  put(OP.local_tee, FAST.local_tee, 0, 0, 0)
  put(OP.nop, FAST.nop, 0, 0, 0)
  put(OP.call, FAST.call, 0, 0, 0)
  return ops
}

/** Bytes of the longest LEB128 constant without unused bits, by opcode. */
export const FULL_BYTES = new Uint8Array(256)
FULL_BYTES[OP.i32_const] = 4
FULL_BYTES[OP.i64_const] = 9

/** Greatest alignment of a load or store, by opcode. */
export const MAX_ALIGN = new Uint8Array(256)
MEMORY_OPS.forEach(({ max_align }, i) => (MAX_ALIGN[OP.first_load + i] = max_align))
