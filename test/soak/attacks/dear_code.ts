import { CODE_SHAPES, bytes, leb } from '../../support/code_shapes.ts'
import type { Random } from '../../fuzz/random.ts'

/** The accounts that set code which costs much before it runs. */
export const SETTERS = ['setter1', 'setter2'] as const

const NAMES = Object.keys(CODE_SHAPES)
/** What a transaction has room for. */
const MAX_BYTES = 400_000

/** Code of a shape that is dear to prepare, and new each time: a section of its own has a number. */
export function dearCode(random: Random): Uint8Array {
  for (;;) {
    const code = CODE_SHAPES[random.pick(NAMES)]!()
    if (code.length > MAX_BYTES) continue
    const section = bytes(1, 0x6e, leb(random.u32()))
    return bytes(code, 0, leb(section.length), section)
  }
}
