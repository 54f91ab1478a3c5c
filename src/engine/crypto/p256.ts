/**
 * Recovery and signing on P-256 (R1), with the arithmetic of the reference: what it does not refuse
 * is not refused here. spring: libraries/libfc/src/crypto/elliptic_r1.cpp
 */
import assert from 'node:assert'
import { p256 } from '@noble/curves/nist.js'
import { nonces } from './rfc6979.ts'

const { Point } = p256
const { Fn, Fp } = Point
const HALF_ORDER = Fn.ORDER >> 1n

const numberOf = (bytes: Uint8Array): bigint => {
  let n = 0n
  for (const byte of bytes) n = (n << 8n) | BigInt(byte)
  return n
}

/** The point with this x and this parity of y, or undefined if there is none. */
function pointAt(x: bigint, odd: boolean): InstanceType<typeof Point> | undefined {
  const y2 = Fp.add(Fp.mul(Fp.add(Fp.sqr(x), Point.CURVE().a), x), Point.CURVE().b)
  let y = Fp.pow(y2, (Fp.ORDER + 1n) / 4n)
  if (!Fp.eql(Fp.sqr(y), y2)) return undefined
  if (((y & 1n) === 1n) !== odd) y = Fp.neg(y)
  return Point.fromAffine({ x, y })
}

/** True when the 33 bytes are a compressed point of the curve. */
export function isPointP256(key: Uint8Array): boolean {
  if (key.length !== 33 || (key[0] !== 2 && key[0] !== 3)) return false
  const x = numberOf(key.subarray(1))
  return x < Fp.ORDER && pointAt(x, key[0] === 3) !== undefined
}

/** True when s is in the upper half of the order. */
export function isHighS(rs: Uint8Array): boolean {
  return numberOf(rs.subarray(32, 64)) > HALF_ORDER
}

/**
 * Recovers the compressed public key of a signature, or undefined if there is none. `recovery` is
 * 0..3.
 */
export function recoverP256(
  rs: Uint8Array,
  recovery: number,
  digest: Uint8Array,
): Uint8Array | undefined {
  const r = numberOf(rs.subarray(0, 32))
  const x = r + Fn.ORDER * BigInt(recovery >> 1)
  if (x >= Fp.ORDER) return undefined
  const R = pointAt(x, (recovery & 1) === 1)
  const scalar = Fn.create(r)
  if (R === undefined || scalar === 0n) return undefined
  const inverse = Fn.inv(scalar)
  const s = Fn.mul(Fn.create(numberOf(rs.subarray(32, 64))), inverse)
  const e = Fn.neg(Fn.mul(Fn.create(numberOf(digest)), inverse))
  const Q = R.multiplyUnsafe(s).add(Point.BASE.multiplyUnsafe(e))
  return Q.is0() ? undefined : Q.toBytes(true)
}

/** Signs with a low s. */
export function signP256(
  digest: Uint8Array,
  secret: Uint8Array,
): { rs: Uint8Array; recovery: number } {
  const d = numberOf(secret)
  for (const nonce of nonces(secret, digest)) {
    const k = numberOf(nonce)
    if (k === 0n || k >= Fn.ORDER) continue
    const R = Point.BASE.multiply(k).toAffine()
    const r = Fn.create(R.x)
    const s = Fn.mul(Fn.inv(k), Fn.create(numberOf(digest) + r * d))
    if (r === 0n || s === 0n) continue
    const recovery = (R.x >= Fn.ORDER ? 2 : 0) | Number(R.y & 1n)
    const high = s > HALF_ORDER
    const rs = new p256.Signature(r, high ? Fn.ORDER - s : s).toBytes('compact')
    return { rs, recovery: high ? recovery ^ 1 : recovery }
  }
  assert.fail('the sequence of nonces has no end')
}

/** The compressed public key (33 bytes) of a P-256 secret key. */
export function publicKeyP256(secret: Uint8Array): Uint8Array {
  return p256.getPublicKey(secret, true)
}
