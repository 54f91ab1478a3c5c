/** Curves y² = x³ + b over a prime field, by the formulas of school. Nothing of the engine is used. */

export interface Curve {
  p: bigint
  b: bigint
  order: bigint
  generator: Point
}

/** Undefined is the point at infinity. */
export type Point = { x: bigint; y: bigint } | undefined

export const ALT_BN128: Curve = {
  p: 21888242871839275222246405745257275088696311157297823662689037894645226208583n,
  b: 3n,
  order: 21888242871839275222246405745257275088548364400416034343698204186575808495617n,
  generator: { x: 1n, y: 2n },
}

export const SECP256K1: Curve = {
  p: (1n << 256n) - (1n << 32n) - 977n,
  b: 7n,
  order: 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n,
  generator: {
    x: 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
    y: 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
  },
}

export const modulo = (value: bigint, p: bigint): bigint => ((value % p) + p) % p

export function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  if (exponent === 0n) return 1n % modulus
  const half = power(base, exponent / 2n, modulus)
  const square = (half * half) % modulus
  return exponent % 2n === 0n ? square : (square * base) % modulus
}

/** By Euclid. */
function inverse(value: bigint, p: bigint): bigint {
  let [r, next_r] = [p, modulo(value, p)]
  let [t, next_t] = [0n, 1n]
  while (next_r !== 0n) {
    const quotient = r / next_r
    ;[r, next_r] = [next_r, r - quotient * next_r]
    ;[t, next_t] = [next_t, t - quotient * next_t]
  }
  return modulo(t, p)
}

export function isOnCurve({ p, b }: Curve, { x, y }: { x: bigint; y: bigint }): boolean {
  return x < p && y < p && modulo(y * y - x * x * x - b, p) === 0n
}

export function addPoints({ p }: Curve, a: Point, b: Point): Point {
  if (!a) return b
  if (!b) return a
  const same = a.x === b.x
  if (same && modulo(a.y + b.y, p) === 0n) return undefined
  const slope = same
    ? modulo(3n * a.x * a.x * inverse(2n * a.y, p), p)
    : modulo((b.y - a.y) * inverse(b.x - a.x, p), p)
  const x = modulo(slope * slope - a.x - b.x, p)
  return { x, y: modulo(slope * (a.x - x) - a.y, p) }
}

export function multiplyPoint(curve: Curve, point: Point, scalar: bigint): Point {
  let result: Point
  for (const bit of scalar.toString(2)) {
    result = addPoints(curve, result, result)
    if (bit === '1') result = addPoints(curve, result, point)
  }
  return result
}

/**
 * The key that made an ECDSA signature. `recovery`: bit 0 tells which of two points, bit 1 that its
 * coordinate was not below the order.
 */
export function recoverKey(r: bigint, s: bigint, recovery: number, digest: bigint): Point {
  const { p, b, order, generator } = SECP256K1
  if (r === 0n || s === 0n || r >= order || s >= order) return undefined
  const x = recovery & 2 ? r + order : r
  if (x >= p) return undefined
  const square = modulo(x * x * x + b, p)
  const root = power(square, (p + 1n) / 4n, p)
  if ((root * root) % p !== square) return undefined
  const y = root % 2n === BigInt(recovery & 1) ? root : p - root
  const inverse_r = inverse(r, order)
  const first = multiplyPoint(SECP256K1, { x, y }, modulo(s * inverse_r, order))
  const second = multiplyPoint(SECP256K1, generator, modulo(-digest * inverse_r, order))
  return addPoints(SECP256K1, first, second)
}

/** A signature by a secret number with a chosen nonce; r and s are whatever they come to be. */
export function sign(
  secret: bigint,
  nonce: bigint,
  digest: bigint,
): { r: bigint; s: bigint; recovery: number } {
  const { order, generator } = SECP256K1
  const { x, y } = multiplyPoint(SECP256K1, generator, nonce)!
  const r = x % order
  const s = modulo((digest + r * secret) * inverse(nonce, order), order)
  return { r, s, recovery: Number(y % 2n) | (x >= order ? 2 : 0) }
}
