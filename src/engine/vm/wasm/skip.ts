import { IMMEDIATE, IMMEDIATES, OP } from './opcodes.ts'

/** Position after the LEB128 number at `pos`; the code was checked. */
export function afterLeb(code: Uint8Array, pos: number): number {
  let at = pos
  while (code[at]! >= 0x80) at += 1
  return at + 1
}

/** Position after the immediates at `pos` of an instruction of a checked body. */
export function afterImmediates(code: Uint8Array, op: number, pos: number): number {
  switch (IMMEDIATES[op]) {
    case IMMEDIATE.none:
      return pos
    case IMMEDIATE.byte:
      return pos + 1
    case IMMEDIATE.leb:
      return afterLeb(code, pos)
    case IMMEDIATE.memory:
      return afterLeb(code, afterLeb(code, pos))
    case IMMEDIATE.indirect:
      return afterLeb(code, pos) + 1
    case IMMEDIATE.bytes4:
      return pos + 4
    case IMMEDIATE.bytes8:
      return pos + 8
    default:
      return afterTable(code, pos)
  }
}

function afterTable(code: Uint8Array, pos: number): number {
  const count = readLeb(code, pos)
  let at = afterLeb(code, pos)
  for (let i = 0; i <= count; i++) {
    while (code[at]! >= 0x80) at += 1
    at += 1
  }
  return at
}

/** The unsigned LEB128 number at `pos`, of 32 bits; the code was checked. */
export function readLeb(code: Uint8Array, pos: number): number {
  const first = code[pos]!
  if (first < 0x80) return first
  let value = first & 0x7f
  for (let shift = 7, at = pos + 1; ; shift += 7, at++) {
    const byte = code[at]!
    value |= (byte & 0x7f) << shift
    if (byte < 0x80) return value >>> 0
  }
}

/** True for instructions after which the rest of the block is never reached. */
export function endsReachable(op: number): boolean {
  return op === OP.br || op === OP.unreachable || op === OP.return || op === OP.br_table
}

/** Position of the `else` or `end` that ends the unreachable code at `pos`. */
export function afterDeadCode(code: Uint8Array, pos: number): number {
  let depth = 0
  let at = pos
  for (;;) {
    const op = code[at]!
    if (op === OP.end) {
      if (depth === 0) return at
      depth -= 1
    } else if (op === OP.else) {
      if (depth === 0) return at
    } else if (op === OP.block || op === OP.loop || op === OP.if) depth += 1
    at = afterImmediates(code, op, at + 1)
  }
}
