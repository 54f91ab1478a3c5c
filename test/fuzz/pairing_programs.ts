import {
  ALT_BN128,
  BLS12_381,
  P256,
  SECP256K1,
  multiplyPoint,
  pointAt,
  sign,
} from './naive/curves.ts'
import { toBigEndian } from './naive/crypto_operations.ts'
import { ALT_BN128_POINTS, BLS_POINTS } from './naive/known_points.ts'
import type { KnownPoints } from './naive/known_points.ts'
import type { Program } from './program.ts'
import type { Random } from './random.ts'

const little = (value: bigint, bytes: number): Uint8Array => toBigEndian(value, bytes).reverse()

/** Few different ones: making a point takes the naive side a while. */
const multiple = (r: Random, { curve: { order } }: KnownPoints): bigint =>
  r.once(8) ? 0n : r.pick([1n, 2n, 3n, 77n, 65_537n, order - 1n, order - 2n, (1n << 200n) + 5n])

/** A pairing check, mostly of pairs whose product is one. */
export function pairingCheck(p: Program, r: Random): void {
  const { order } = ALT_BN128
  const pairs: Uint8Array[] = []
  let sum = 0n
  const count = r.below(3)
  const add = (a: bigint, b: bigint): void => {
    pairs.push(ALT_BN128_POINTS.point(1, a), ALT_BN128_POINTS.point(2, b))
    sum = (sum + a * b) % order
  }
  for (let i = 0; i < count; i++) {
    add(multiple(r, ALT_BN128_POINTS), multiple(r, ALT_BN128_POINTS))
  }
  if (!r.once(3)) add((order - sum) % order, 1n)
  const bytes = Buffer.concat(pairs)
  if (r.once(10)) p.u8(65).bytes(bytes.subarray(0, r.below(bytes.length + 1)))
  else if (bytes.length > 0 && r.once(8)) p.u8(65).bytes(changed(r, bytes))
  else p.u8(65).bytes(bytes)
}

function changed(r: Random, bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes)
  copy[r.below(copy.length)]! ^= 1 << r.below(8)
  return copy
}

/** Room for a result: that of the result, or not. */
const room = (r: Random, size: number): number => (r.once(15) ? r.below(size + 10) : size)

/** A point of the first group of BLS12-381; for sums also one of the curve outside of the group. */
function first(r: Random, known: boolean): Uint8Array {
  if (known || r.once(2)) return BLS_POINTS.point(1, multiple(r, BLS_POINTS))
  for (let x = r.bits(64); ; x++) {
    const point = pointAt(BLS12_381, x, r.once(2))
    if (point) return Buffer.concat([little(point.x, 48), little(point.y, 48)])
  }
}

const scalar = (r: Random): bigint =>
  r.pick([0n, 1n, 2n, r.bits(8), r.bits(16), r.once(4) ? r.bits(256) : BLS12_381.order])

/** Sums, pairings and numbers of the field of BLS12-381. */
export function blsProgram(p: Program, r: Random): void {
  const f = r.pick([0, 0, 1, 2, 2, 3, 4, 7, 8, 9])
  p.u8(70).u8(f)
  const spoil = (bytes: Uint8Array): Uint8Array =>
    r.once(25) ? changed(r, bytes) : r.once(30) ? bytes.subarray(1) : bytes
  const second = (): Uint8Array => BLS_POINTS.point(2, multiple(r, BLS_POINTS))
  const many = (count: number, make: () => Uint8Array): Uint8Array =>
    spoil(Buffer.concat(Array.from({ length: count }, make)))
  if (f < 2) {
    const make = f === 0 ? (): Uint8Array => first(r, false) : second
    p.bytes(spoil(make()))
      .bytes(spoil(make()))
      .u32(room(r, f === 0 ? 96 : 192))
  } else if (f < 4) {
    const count = r.below(3)
    p.bytes(many(count, f === 2 ? () => first(r, false) : second))
    p.bytes(many(count, () => little(scalar(r), 32)))
    p.u32(r.once(20) ? count + 1 : count).u32(room(r, f === 2 ? 96 : 192))
  } else if (f === 4) {
    const count = r.below(3)
    p.bytes(many(count, () => first(r, true))).bytes(many(count, second))
    p.u32(count).u32(room(r, 576))
  } else fieldProgram(p, r, f)
}

function fieldProgram(p: Program, r: Random, f: number): void {
  const { p: prime } = BLS12_381
  const element = (): Uint8Array =>
    little(r.pick([0n, 1n, prime - 1n, prime, prime + 1n, r.bits(380), r.bits(384)]), 48)
  if (f === 7) p.bytes(little(r.pick([prime, r.bits(512), r.bits(381)]), r.once(20) ? 65 : 64))
  else p.bytes(element()).bytes(f === 8 ? element() : little(r.bits(r.pick([8, 381, 512])), 64))
  p.u32(room(r, 48))
}

/** Recovery of packed keys of both types: canonical signatures, others, and none. */
export function keyRecovery(p: Program, r: Random): void {
  const type = r.below(2)
  const curve = type === 0 ? SECP256K1 : P256
  const { order } = curve
  const digest = r.bytes(32)
  const value = BigInt(`0x${Buffer.from(digest).toString('hex')}`)
  const secret = 1n + r.bits(250)
  const made = sign(curve, secret, 1n + r.bits(250), value)
  // Of R1 only the lower half is taken.
  const flip = type === 0 ? r.once(2) : made.s > order / 2n && !r.once(8)
  const s = flip ? order - made.s : made.s
  const recovery = flip ? made.recovery ^ 1 : made.recovery
  const first = r.once(10)
    ? r.pick([0, 26, 35, 255])
    : 27 + (recovery | (r.once(2) ? 4 : 0) | (r.once(12) ? 2 : 0))
  const x =
    type === 0 && r.once(8) ? r.pick([0n, order, order - 1n, r.bits(200), r.bits(120)]) : made.r
  const signature = Buffer.concat([
    Buffer.of(type, first),
    toBigEndian(x, 32),
    toBigEndian(type === 0 && r.once(12) ? r.pick([0n, order, 1n]) : s, 32),
  ])
  if (r.once(2)) {
    p.u8(61)
      .bytes(digest)
      .bytes(signature)
      .u32(34 + r.below(3))
    return
  }
  const key = multiplyPoint(curve, curve.generator, secret)!
  const packed = [type, 2 + Number(key.y % 2n), ...toBigEndian(key.x, 32)]
  if (r.once(8)) packed[1]! ^= 1
  p.u8(62).bytes(digest).bytes(signature).bytes(packed)
}
