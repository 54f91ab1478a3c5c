import type { BodyChecker } from './body_checker.ts'
import { FAST, FULL_BYTES, MAX_ALIGN, fastOps } from './fast_ops.ts'
import { I32, NO_RESULT, functionType } from './module.ts'
import { sizeOfType } from './opcodes.ts'

/** Bytes of the longest instruction that {@link checkPlain} knows: a constant. */
const LONGEST_PLAIN = 11

const { kind: KIND, operand: OPERAND, result: RESULT, growth: GROWTH } = fastOps((type) => type)

const SIZES = Uint8Array.from({ length: 256 }, (_, type) => sizeOfType(type))

/**
 * Checks the most frequent instructions while they are valid and all of their operands are present.
 * It stops before any other instruction. `checkInstruction` of check_body.ts gives the same result for each of
 * them, more slowly, and has the error messages.
 */
export function checkPlain(b: BodyChecker): void {
  const { c, operands, low_types } = b
  const { bytes: code, end } = c
  const { limit } = operands
  const counted = operands.unreachable_depth === 0
  const max_offset = b.m.memory === undefined ? -1 : b.o.max_memory_offset
  const { state } = operands
  let { depth, bytes } = operands
  let { pos } = c
  // No instruction here is longer, so nothing is read beyond the body.
  const last = end - LONGEST_PLAIN
  while (pos < last) {
    const op = code[pos]!
    const growth = counted ? GROWTH[op]! : 0
    let next = pos + 1
    switch (KIND[op]) {
      case FAST.binary:
        if (state[depth - 1] !== OPERAND[op] || state[depth - 2] !== OPERAND[op]) break
        depth -= 1
        state[depth - 1] = RESULT[op]!
        bytes += growth
        pos = next
        continue
      case FAST.unary:
        if (state[depth - 1] !== OPERAND[op] || bytes + growth > limit) break
        state[depth - 1] = RESULT[op]!
        bytes += growth
        pos = next
        continue
      case FAST.local_get: {
        const type = low_types[code[next]! & 0x7f]!
        const size = counted ? SIZES[type]! : 0
        if (type === 0 || code[next]! >= 0x80 || depth === state.length || bytes + size > limit)
          break
        state[depth++] = type
        bytes += size
        pos = next + 1
        continue
      }
      case FAST.local_set: {
        const type = low_types[code[next]! & 0x7f]!
        if (code[next]! >= 0x80 || type === 0 || state[depth - 1] !== type) break
        depth -= 1
        if (counted) bytes -= SIZES[type]!
        pos = next + 1
        continue
      }
      case FAST.local_tee: {
        const type = low_types[code[next]! & 0x7f]!
        if (code[next]! >= 0x80 || type === 0 || state[depth - 1] !== type) break
        pos = next + 1
        continue
      }
      case FAST.constant: {
        const longest = next + FULL_BYTES[op]!
        while (code[next]! >= 0x80 && next < longest) next += 1
        if (next >= longest || depth === state.length || bytes + growth > limit) break
        state[depth++] = RESULT[op]!
        bytes += growth
        pos = next + 1
        continue
      }
      case FAST.load:
      case FAST.store: {
        const alignment = code[next]!
        let offset = code[next + 1]!
        next += 2
        if (offset >= 0x80) {
          offset = (offset & 0x7f) | ((code[next]! & 0x7f) << 7)
          if (code[next++]! >= 0x80) break
        }
        if (alignment > MAX_ALIGN[op]! || offset > max_offset || bytes + growth > limit) break
        if (KIND[op] === FAST.load) {
          if (state[depth - 1] !== I32) break
          state[depth - 1] = RESULT[op]!
        } else {
          if (state[depth - 1] !== OPERAND[op] || state[depth - 2] !== I32) break
          depth -= 2
        }
        bytes += growth
        pos = next
        continue
      }
      case FAST.nop:
        pos = next
        continue
      case FAST.call: {
        let index = code[next++]!
        if (index >= 0x80) {
          index = (index & 0x7f) | ((code[next]! & 0x7f) << 7)
          if (code[next++]! >= 0x80) break
        }
        const type = functionType(b.m, index)
        if (type === undefined) break
        const { params, result } = type
        const below = depth - params.length
        let after = bytes
        let right = 0
        // Marks are not types, so nothing is taken from an outer block.
        while (right < params.length && state[below + right] === params[right]) {
          if (counted) after -= SIZES[params[right]!]!
          right += 1
        }
        if (right < params.length) break
        if (result !== NO_RESULT) {
          if (counted) after += SIZES[result]!
          if (below === state.length || after > limit) break
          state[below] = result
        }
        depth = result === NO_RESULT ? below : below + 1
        bytes = after
        pos = next
        continue
      }
    }
    break
  }
  operands.depth = depth
  operands.bytes = bytes
  c.pos = pos
}
