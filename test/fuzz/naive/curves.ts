/** Curves y² = x³ + ax + b over a prime field, by the formulas of school. Nothing of the engine is used. */

export interface Curve {
  p: bigint
  a: bigint
  b: bigint
  order: bigint
  generator: Point
}

/** Undefined is the point at infinity. */
export type Point = { x: bigint; y: bigint } | undefined

export const ALT_BN128: Curve = {
  p: 21888242871839275222246405745257275088696311157297823662689037894645226208583n,
  a: 0n,
  b: 3n,
  order: 21888242871839275222246405745257275088548364400416034343698204186575808495617n,
  generator: { x: 1n, y: 2n },
}

export const SECP256K1: Curve = {
  p: (1n << 256n) - (1n << 32n) - 977n,
  a: 0n,
  b: 7n,
  order: 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n,
  generator: {
    x: 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
    y: 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
  },
}

export const P256: Curve = {
  p: 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn,
  a: -3n,
  b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
  order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  generator: {
    x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
    y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
  },
}

export const BLS12_381: Curve = {
  p: 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn,
  a: 0n,
  b: 4n,
  order: 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n,
  generator: {
    x: 0x17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bbn,
    y: 0x08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1n,
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
export function inverse(value: bigint, p: bigint): bigint {
  let [r, next_r] = [p, modulo(value, p)]
  let [t, next_t] = [0n, 1n]
  while (next_r !== 0n) {
    const quotient = r / next_r
    ;[r, next_r] = [next_r, r - quotient * next_r]
    ;[t, next_t] = [next_t, t - quotient * next_t]
  }
  return modulo(t, p)
}

export function isOnCurve({ p, a, b }: Curve, { x, y }: { x: bigint; y: bigint }): boolean {
  return x < p && y < p && modulo(y * y - x * x * x - a * x - b, p) === 0n
}

export function addPoints(curve: Curve, a: Point, b: Point): Point {
  const { p } = curve
  if (!a) return b
  if (!b) return a
  const same = a.x === b.x
  if (same && modulo(a.y + b.y, p) === 0n) return undefined
  const slope = same
    ? modulo((3n * a.x * a.x + curve.a) * inverse(2n * a.y, p), p)
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

/** A point with this coordinate, whose other one is odd or not. */
export function pointAt({ p, a, b }: Curve, x: bigint, odd: boolean): Point {
  const square = modulo(x * x * x + a * x + b, p)
  const root = power(square, (p + 1n) / 4n, p)
  if (x >= p || (root * root) % p !== square) return undefined
  return { x, y: (root % 2n === 1n) === odd ? root : p - root }
}

/**
 * The key that made an ECDSA signature. `recovery`: bit 0 tells which of two points, bit 1 that its
 * coordinate was not below the order.
 */
export function recoverKey(
  curve: Curve,
  { r, s, recovery }: { r: bigint; s: bigint; recovery: number },
  digest: bigint,
): Point {
  const { order, generator } = curve
  if (r === 0n || s === 0n || r >= order || s >= order) return undefined
  const point = pointAt(curve, recovery & 2 ? r + order : r, (recovery & 1) === 1)
  if (!point) return undefined
  const inverse_r = inverse(r, order)
  const first = multiplyPoint(curve, point, modulo(s * inverse_r, order))
  const second = multiplyPoint(curve, generator, modulo(-digest * inverse_r, order))
  return addPoints(curve, first, second)
}

/** A signature by a secret number with a chosen nonce; r and s are whatever they come to be. */
export function sign(
  curve: Curve,
  secret: bigint,
  nonce: bigint,
  digest: bigint,
): { r: bigint; s: bigint; recovery: number } {
  const { order, generator } = curve
  const { x, y } = multiplyPoint(curve, generator, nonce)!
  const r = x % order
  const s = modulo((digest + r * secret) * inverse(nonce, order), order)
  return { r, s, recovery: Number(y % 2n) | (x >= order ? 2 : 0) }
}
