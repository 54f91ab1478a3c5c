/** Keccak and the compression of BLAKE2b, from their definitions. Nothing of the engine is used. */

const u64 = (value: bigint): bigint => BigInt.asUintN(64, value)
const rotateLeft = (value: bigint, by: number): bigint =>
  u64((value << BigInt(by)) | (value >> BigInt(64 - by)))
const rotateRight = (value: bigint, by: number): bigint => rotateLeft(value, 64 - by)

export function readLanes(bytes: Uint8Array): bigint[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return Array.from({ length: bytes.length / 8 }, (_, i) => view.getBigUint64(8 * i, true))
}

export function writeLanes(lanes: readonly bigint[]): Uint8Array {
  const bytes = new Uint8Array(8 * lanes.length)
  const view = new DataView(bytes.buffer)
  lanes.forEach((lane, i) => view.setBigUint64(8 * i, lane, true))
  return bytes
}

/** One bit of the sequence that makes round constants. */
function* roundBits(): Generator<boolean, never> {
  let register = 1
  for (;;) {
    yield (register & 1) === 1
    register = (register << 1) ^ (register & 0x80 ? 0x171 : 0)
  }
}

function keccakRounds(state: bigint[]): void {
  const bits = roundBits()
  for (let round = 0; round < 24; round++) {
    const column = [0, 1, 2, 3, 4].map((x) =>
      [0, 5, 10, 15, 20].reduce((sum, y) => sum ^ state[x + y]!, 0n),
    )
    state.forEach((lane, i) => {
      state[i] = lane ^ column[(i + 4) % 5]! ^ rotateLeft(column[(i + 1) % 5]!, 1)
    })
    moveLanes(state)
    for (let y = 0; y < 25; y += 5) {
      const row = state.slice(y, y + 5)
      row.forEach((lane, x) => {
        state[y + x] = lane ^ (u64(~row[(x + 1) % 5]!) & row[(x + 2) % 5]!)
      })
    }
    for (let j = 0; j < 7; j++) {
      if (bits.next().value) state[0]! ^= 1n << BigInt(2 ** j - 1)
    }
  }
}

/** Rotates every lane but the first, and moves it to where the next one was. */
function moveLanes(state: bigint[]): void {
  let [x, y] = [1, 0]
  let lane = state[1]!
  for (let t = 0; t < 24; t++) {
    ;[x, y] = [y, (2 * x + 3 * y) % 5]
    const next = state[x + 5 * y]!
    state[x + 5 * y] = rotateLeft(lane, (((t + 1) * (t + 2)) / 2) % 64)
    lane = next
  }
}

const RATE = 136

/** 256 bits; `suffix` is 1 for Keccak as it was proposed, 6 for SHA-3. */
export function keccak256(data: Uint8Array, suffix: 1 | 6): Uint8Array {
  const padded = new Uint8Array(RATE * (Math.floor(data.length / RATE) + 1))
  padded.set(data)
  padded[data.length]! ^= suffix
  padded[padded.length - 1]! ^= 0x80
  const state = new Array<bigint>(25).fill(0n)
  for (let at = 0; at < padded.length; at += RATE) {
    readLanes(padded.subarray(at, at + RATE)).forEach((lane, i) => (state[i]! ^= lane))
    keccakRounds(state)
  }
  return writeLanes(state.slice(0, 4))
}

const IV = [
  0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n,
] // oxfmt-ignore

const SIGMA = [
  '0123456789abcdef', 'ea489fd61c02b753', 'b8c052fdae367194', '7931dcbe265a40f8', '905724afe1bc683d',
  '2c6a0b834d75fe19', 'c51fed4a0763928b', 'db7ec13950f4862a', '6fe9b308c2d714a5', 'a2847615fb9e3cd0',
].map((row) => [...row].map((digit) => parseInt(digit, 16))) // oxfmt-ignore

/** RFC 7693, section 3.2, for any number of rounds. */
export function blake2bCompress(
  rounds: number,
  h: readonly bigint[],
  message: readonly bigint[],
  t: readonly [bigint, bigint],
  final: boolean,
): bigint[] {
  const v = [...h, ...IV]
  v[12]! ^= t[0]
  v[13]! ^= t[1]
  if (final) v[14] = u64(~v[14]!)
  const mix = (a: number, b: number, c: number, d: number, x: bigint, y: bigint): void => {
    for (const [m, first, second] of [
      [x, 32, 24],
      [y, 16, 63],
    ] as const) {
      v[a] = u64(v[a]! + v[b]! + m)
      v[d] = rotateRight(v[d]! ^ v[a], first)
      v[c] = u64(v[c]! + v[d])
      v[b] = rotateRight(v[b]! ^ v[c], second)
    }
  }
  for (let round = 0; round < rounds; round++) {
    const m = SIGMA[round % 10]!.map((i) => message[i]!)
    for (let i = 0; i < 4; i++) mix(i, 4 + i, 8 + i, 12 + i, m[2 * i]!, m[2 * i + 1]!)
    for (let i = 0; i < 4; i++) {
      const [b, c, d] = [4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4)]
      mix(i, b, c, d, m[8 + 2 * i]!, m[9 + 2 * i]!)
    }
  }
  return h.map((lane, i) => lane ^ v[i]! ^ v[i + 8]!)
}
