/** BLAKE2b's compression function (RFC 7693 section 3.2) with a free number of rounds (EIP-152). */
const IV = [
  0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n,
] // oxfmt-ignore

const SIGMA = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
]

/** Columns, then diagonals: the four words that each step mixes. */
const STEPS = [
  [0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15],
  [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14],
] // oxfmt-ignore

/** Rounds between two calls of checktime. */
const ROUNDS_PER_CHECK = 100

/**
 * `state` 64 bytes, `message` 128, the two counter words 8 each; undefined for other lengths
 * (spring: libfc blake2.cpp).
 */
export function blake2F(
  rounds: number,
  state: Uint8Array,
  message: Uint8Array,
  counters: readonly [Uint8Array, Uint8Array],
  final: boolean,
  checktime: () => void,
): Uint8Array | undefined {
  const [t0, t1] = counters
  const sized = state.length === 64 && message.length === 128
  if (!sized || t0.length !== 8 || t1.length !== 8) return undefined
  const h = words(state)
  const v = new BigUint64Array([...h, ...IV])
  v[12]! ^= words(t0)[0]!
  v[13]! ^= words(t1)[0]!
  if (final) v[14]! ^= 0xffffffffffffffffn
  const m = words(message)
  for (let round = 0; round < rounds; round++) {
    mixRound(v, m, SIGMA[round % 10]!)
    if (round % ROUNDS_PER_CHECK === 0) checktime()
  }
  const out = new DataView(new ArrayBuffer(64))
  for (let i = 0; i < 8; i++) out.setBigUint64(8 * i, h[i]! ^ v[i]! ^ v[i + 8]!, true)
  return new Uint8Array(out.buffer)
}

function words(bytes: Uint8Array): BigUint64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return BigUint64Array.from({ length: bytes.length / 8 }, (_, i) => view.getBigUint64(8 * i, true))
}

function rotateRight(value: bigint, by: bigint): bigint {
  return BigInt.asUintN(64, (value >> by) | (value << (64n - by)))
}

function mixRound(v: BigUint64Array, m: BigUint64Array, sigma: readonly number[]): void {
  STEPS.forEach(([a, b, c, d], i) => {
    // Stores into the array wrap to 64 bits.
    v[a!] = v[a!]! + v[b!]! + m[sigma[2 * i]!]!
    v[d!] = rotateRight(v[d!]! ^ v[a!]!, 32n)
    v[c!] = v[c!]! + v[d!]!
    v[b!] = rotateRight(v[b!]! ^ v[c!]!, 24n)
    v[a!] = v[a!]! + v[b!]! + m[sigma[2 * i + 1]!]!
    v[d!] = rotateRight(v[d!]! ^ v[a!]!, 16n)
    v[c!] = v[c!]! + v[d!]!
    v[b!] = rotateRight(v[b!]! ^ v[c!]!, 63n)
  })
}
