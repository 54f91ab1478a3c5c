/**
 * RIPEMD-160 for the checksums in the text of keys and signatures, which are part of the wire form.
 * Contracts and digests use `crypto/hash.ts`. Source: H. Dobbertin, A. Bosselaers, B. Preneel,
 * "RIPEMD-160: A Strengthened Version of RIPEMD" (1996), appendix A.
 */

// prettier-ignore
const WORDS_LEFT = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
  7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8,
  3, 10, 14, 4, 9, 15, 8, 1, 2, 7, 0, 6, 13, 11, 5, 12,
  1, 9, 11, 10, 0, 8, 12, 4, 13, 3, 7, 15, 14, 5, 6, 2,
  4, 0, 5, 9, 7, 12, 2, 10, 14, 1, 3, 8, 11, 6, 15, 13,
]
// prettier-ignore
const WORDS_RIGHT = [
  5, 14, 7, 0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12,
  6, 11, 3, 7, 0, 13, 5, 10, 14, 15, 8, 12, 4, 9, 1, 2,
  15, 5, 1, 3, 7, 14, 6, 9, 11, 8, 12, 2, 10, 0, 4, 13,
  8, 6, 4, 1, 3, 11, 15, 0, 5, 12, 2, 13, 9, 7, 10, 14,
  12, 15, 10, 4, 1, 5, 8, 7, 6, 2, 13, 14, 0, 3, 9, 11,
]
// prettier-ignore
const SHIFTS_LEFT = [
  11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8,
  7, 6, 8, 13, 11, 9, 7, 15, 7, 12, 15, 9, 11, 7, 13, 12,
  11, 13, 6, 7, 14, 9, 13, 15, 14, 8, 13, 6, 5, 12, 7, 5,
  11, 12, 14, 15, 14, 15, 9, 8, 9, 14, 5, 6, 8, 6, 5, 12,
  9, 15, 5, 11, 6, 8, 13, 12, 5, 12, 13, 14, 11, 8, 5, 6,
]
// prettier-ignore
const SHIFTS_RIGHT = [
  8, 9, 9, 11, 13, 15, 15, 5, 7, 7, 8, 11, 14, 14, 12, 6,
  9, 13, 15, 7, 12, 8, 9, 11, 7, 7, 12, 7, 6, 15, 13, 11,
  9, 7, 15, 11, 8, 6, 6, 14, 12, 13, 5, 14, 13, 13, 7, 5,
  15, 5, 8, 11, 14, 14, 6, 14, 6, 9, 12, 9, 12, 5, 15, 8,
  8, 5, 12, 9, 12, 5, 14, 6, 8, 13, 6, 5, 15, 13, 11, 11,
]
const ADD_LEFT = [0, 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xa953fd4e]
const ADD_RIGHT = [0x50a28be6, 0x5c4dd124, 0x6d703ef3, 0x7a6d76e9, 0]

function mix(round: number, x: number, y: number, z: number): number {
  if (round === 0) return x ^ y ^ z
  if (round === 1) return (x & y) | (~x & z)
  if (round === 2) return (x | ~y) ^ z
  if (round === 3) return (x & z) | (y & ~z)
  return x ^ (y | ~z)
}

interface Line {
  words: Uint8Array
  shifts: Uint8Array
  add: Int32Array
  flip: boolean
}
const LEFT: Line = {
  words: Uint8Array.from(WORDS_LEFT),
  shifts: Uint8Array.from(SHIFTS_LEFT),
  add: Int32Array.from(ADD_LEFT),
  flip: false,
}
const RIGHT: Line = {
  words: Uint8Array.from(WORDS_RIGHT),
  shifts: Uint8Array.from(SHIFTS_RIGHT),
  add: Int32Array.from(ADD_RIGHT),
  flip: true,
}

/** Runs one of the two lines of 80 steps over the block `x`, from state `h`, into `out`. */
function runLine(
  { words, shifts, add, flip }: Line,
  h: Int32Array,
  x: Int32Array,
  out: Int32Array,
) {
  let a = h[0] as number
  let b = h[1] as number
  let c = h[2] as number
  let d = h[3] as number
  let e = h[4] as number
  for (let round = 0, j = 0; round < 5; round++) {
    const kind = flip ? 4 - round : round
    const constant = add[round] as number
    for (const end = j + 16; j < end; j++) {
      const word = x[words[j] as number] as number
      const sum = (a + mix(kind, b, c, d) + word + constant) | 0
      const shift = shifts[j] as number
      const t = (((sum << shift) | (sum >>> (32 - shift))) + e) | 0
      a = e
      e = d
      d = (c << 10) | (c >>> 22)
      c = b
      b = t
    }
  }
  out[0] = a
  out[1] = b
  out[2] = c
  out[3] = d
  out[4] = e
}

const START = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0)
const state = new Int32Array(5)
const block = new Int32Array(16)
const left = new Int32Array(5)
const right = new Int32Array(5)

/** The 20-byte RIPEMD-160 of some bytes. */
export function ripemd160(bytes: Uint8Array): Uint8Array {
  const size = ((bytes.length + 9 + 63) >> 6) * 64
  const padded = new Uint8Array(size)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(size - 8, bytes.length * 8, true)
  view.setUint32(size - 4, Math.floor(bytes.length / 0x20000000), true)
  state.set(START)
  for (let at = 0; at < size; at += 64) {
    for (let i = 0; i < 16; i++) block[i] = view.getInt32(at + i * 4, true)
    runLine(LEFT, state, block, left)
    runLine(RIGHT, state, block, right)
    addLines()
  }
  const out = new Uint8Array(20)
  const out_view = new DataView(out.buffer)
  for (let i = 0; i < 5; i++) out_view.setInt32(i * 4, state[i] as number, true)
  return out
}

/** Adds both lines to the state, each word to the one before the next. */
function addLines(): void {
  const first = state[0] as number
  for (let i = 0; i < 5; i++) {
    const next = i === 4 ? first : (state[i + 1] as number)
    state[i] = next + (left[(i + 2) % 5] as number) + (right[(i + 3) % 5] as number)
  }
}
