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
  words: readonly number[]
  shifts: readonly number[]
  add: readonly number[]
  flip: boolean
}
const LEFT: Line = { words: WORDS_LEFT, shifts: SHIFTS_LEFT, add: ADD_LEFT, flip: false }
const RIGHT: Line = { words: WORDS_RIGHT, shifts: SHIFTS_RIGHT, add: ADD_RIGHT, flip: true }

/** Runs one of the two lines of 80 steps over a block, from state `h`. */
function runLine(
  line: Line,
  h: Int32Array,
  x: Int32Array,
): [number, number, number, number, number] {
  let [a, b, c, d, e] = h as unknown as [number, number, number, number, number]
  for (let j = 0; j < 80; j++) {
    const round = j >> 4
    const f = mix(line.flip ? 4 - round : round, b, c, d)
    const word = x[line.words[j] as number] as number
    const sum = (a + f + word + (line.add[round] as number)) | 0
    const shift = line.shifts[j] as number
    const t = (((sum << shift) | (sum >>> (32 - shift))) + e) | 0
    a = e
    e = d
    d = (c << 10) | (c >>> 22)
    c = b
    b = t
  }
  return [a, b, c, d, e]
}

/** The 20-byte RIPEMD-160 of some bytes. */
export function ripemd160(bytes: Uint8Array): Uint8Array {
  const blocks = (bytes.length + 9 + 63) >> 6
  const padded = new Uint8Array(blocks * 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, bytes.length * 8, true)
  view.setUint32(padded.length - 4, Math.floor(bytes.length / 0x20000000), true)
  let h = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0)
  const x = new Int32Array(16)
  for (let block = 0; block < blocks; block++) {
    for (let i = 0; i < 16; i++) x[i] = view.getInt32(block * 64 + i * 4, true)
    const [a, b, c, d, e] = runLine(LEFT, h, x)
    const [a2, b2, c2, d2, e2] = runLine(RIGHT, h, x)
    const [h0, h1, h2, h3, h4] = h as unknown as [number, number, number, number, number]
    h = Int32Array.of(h1 + c + d2, h2 + d + e2, h3 + e + a2, h4 + a + b2, h0 + b + c2)
  }
  const out = new Uint8Array(20)
  const outView = new DataView(out.buffer)
  h.forEach((word, i) => outView.setInt32(i * 4, word, true))
  return out
}
