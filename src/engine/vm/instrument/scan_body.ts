import type { WasmModule } from '../wasm/module.ts'
import { IMMEDIATE, IMMEDIATES, OP } from '../wasm/opcodes.ts'
import { afterDeadCode, afterImmediates, endsReachable, readLeb } from '../wasm/skip.ts'
import { isFloatCall } from './float_helpers.ts'

/** The calls of a body, and the lengths of its loops; without unreachable code. */
export interface BodyScan {
  /** Functions that the body calls, once for each call. */
  calls: readonly number[]
  /** Type indices of its indirect calls. */
  indirect_types: readonly number[]
  /** Bytes of each loop's body, in the order of the loops' starts. */
  loop_bytes: readonly number[]
}

const NONE: readonly number[] = []

/** The action of the scan at an instruction, in addition to skipping it. */
const PLAIN = 0
const OPENS = 1
const ENDS = 2
const CALLS = 3
const CALLS_INDIRECTLY = 4
const FLOAT = 5
const LAST_REACHABLE = 6

function roles(): Uint8Array {
  const table = Uint8Array.from({ length: 256 }, (_, op) => {
    if (isFloatCall(op)) return FLOAT
    return endsReachable(op) ? LAST_REACHABLE : PLAIN
  })
  for (const op of [OP.block, OP.loop, OP.if]) table[op] = OPENS
  table[OP.end] = ENDS
  table[OP.call] = CALLS
  table[OP.call_indirect] = CALLS_INDIRECTLY
  return table
}

const ROLES = roles()

/** `float_ops` collects the float instructions that will be calls. */
export function scanBody(m: WasmModule, index: number, float_ops: Set<number>): BodyScan {
  const { code } = m
  const { start, end } = m.bodies[index]!
  const calls: number[] = []
  const indirect_types: number[] = []
  const loop_bytes: number[] = []
  /** Of each open block the number of its loop, or -1. */
  const open: number[] = []
  const loop_starts: number[] = []
  let pos = start
  while (pos < end) {
    const at = pos
    const op = code[pos++]!
    switch (ROLES[op]) {
      case PLAIN:
        break
      case OPENS:
        if (op === OP.loop) {
          open.push(loop_starts.length)
          loop_starts.push(at)
          loop_bytes.push(0)
        } else open.push(-1)
        break
      case ENDS: {
        const loop = open.pop() ?? -1
        if (loop >= 0) loop_bytes[loop] = at - loop_starts[loop]!
        break
      }
      case CALLS:
        calls.push(readLeb(code, pos))
        break
      case CALLS_INDIRECTLY:
        indirect_types.push(readLeb(code, pos))
        break
      case FLOAT:
        float_ops.add(op)
        break
      default:
        pos = afterDeadCode(code, afterImmediates(code, op, pos))
        continue
    }
    const immediate = IMMEDIATES[op]
    if (immediate === IMMEDIATE.leb) {
      while (code[pos]! >= 0x80) pos += 1
      pos += 1
    } else if (immediate !== IMMEDIATE.none) pos = afterImmediates(code, op, pos)
  }
  return {
    calls: calls.length === 0 ? NONE : calls,
    indirect_types: indirect_types.length === 0 ? NONE : indirect_types,
    loop_bytes: loop_bytes.length === 0 ? NONE : loop_bytes,
  }
}
