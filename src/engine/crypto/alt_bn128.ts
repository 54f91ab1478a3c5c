import { bn254 } from '@noble/curves/bn254.js'
import { bigintFromBytesBE, bigintToBytesBE, multiplyPoint } from './group.ts'

/**
 * The curve alt_bn128 with points as EIP-196 and EIP-197 have them: coordinates big-endian, of
 * field pairs the imaginary part first, zeros for the point at infinity. Undefined where an input
 * is not a point (AntelopeIO/bn256: bn256.cpp).
 */
const { Fp, Fp2 } = bn254.fields
const G1 = bn254.G1.Point
const G2 = bn254.G2.Point
type PointG1 = typeof G1.ZERO
type PointG2 = typeof G2.ZERO

const COORDINATE = 32
/** Bytes of a point of G1. */
export const G1_BYTES = 64
/** Bytes of a point of G2. */
export const G2_BYTES = 128

function coordinate(bytes: Uint8Array, index: number): bigint | undefined {
  const at = index * COORDINATE
  const value = bigintFromBytesBE(bytes.subarray(at, at + COORDINATE))
  return value < Fp.ORDER ? value : undefined
}

function readG1(bytes: Uint8Array): PointG1 | undefined {
  const x = coordinate(bytes, 0)
  const y = coordinate(bytes, 1)
  if (x === undefined || y === undefined) return undefined
  if (x === 0n && y === 0n) return G1.ZERO
  const on_curve = Fp.eql(Fp.sqr(y), Fp.add(Fp.mul(Fp.sqr(x), x), 3n))
  return on_curve ? G1.fromAffine({ x, y }) : undefined
}

function writeG1(point: PointG1): Uint8Array {
  const bytes = new Uint8Array(G1_BYTES)
  if (point.is0()) return bytes
  const { x, y } = point.toAffine()
  bytes.set(bigintToBytesBE(x, COORDINATE))
  bytes.set(bigintToBytesBE(y, COORDINATE), COORDINATE)
  return bytes
}

/** 3 / (9 + i). */
const TWIST_B = Fp2.div(Fp2.fromBigTuple([3n, 0n]), Fp2.fromBigTuple([9n, 1n]))

/** Points of the twist must be in the subgroup too. */
function readG2(bytes: Uint8Array): PointG2 | undefined {
  const parts = [0, 1, 2, 3].map((i) => coordinate(bytes, i))
  if (parts.some((part) => part === undefined)) return undefined
  const [x1, x0, y1, y0] = parts as [bigint, bigint, bigint, bigint]
  if (parts.every((part) => part === 0n)) return G2.ZERO
  const x = Fp2.fromBigTuple([x0, x1])
  const y = Fp2.fromBigTuple([y0, y1])
  if (!Fp2.eql(Fp2.sqr(y), Fp2.add(Fp2.mul(Fp2.sqr(x), x), TWIST_B))) return undefined
  const point = G2.fromAffine({ x, y })
  return multiplyPoint(point, bn254.fields.Fr.ORDER, G2.ZERO).is0() ? point : undefined
}

/**
 * Adds two points of alt_bn128 G1, each 64 bytes. Returns undefined if an input is not a valid
 * point.
 */
export function altBn128Add(a: Uint8Array, b: Uint8Array): Uint8Array | undefined {
  const p = readG1(a)
  const q = readG1(b)
  return p === undefined || q === undefined ? undefined : writeG1(p.add(q))
}

/** `scalar`: 32 bytes, big-endian, any value. */
export function altBn128Multiply(point: Uint8Array, scalar: Uint8Array): Uint8Array | undefined {
  const p = readG1(point)
  if (p === undefined) return undefined
  return writeG1(multiplyPoint(p, bigintFromBytesBE(scalar), G1.ZERO))
}

/**
 * Number of pairs whose Miller loops run together: more are faster, but the clock is checked less
 * often.
 */
const PAIRS_AT_ONCE = 8

/**
 * True where the product of the pairings is one; `pairs`: a G1 and a G2 point each, 192 bytes.
 * checktime is called on the way.
 */
export function altBn128PairingCheck(
  pairs: Uint8Array,
  checktime: () => void,
): boolean | undefined {
  const size = G1_BYTES + G2_BYTES
  if (pairs.length % size !== 0) return undefined
  const terms: { g1: PointG1; g2: PointG2 }[] = []
  for (let at = 0; at < pairs.length; at += size) {
    const g1 = readG1(pairs.subarray(at, at + G1_BYTES))
    const g2 = g1 === undefined ? undefined : readG2(pairs.subarray(at + G1_BYTES, at + size))
    if (g1 === undefined || g2 === undefined) return undefined
    if (!g1.is0() && !g2.is0()) terms.push({ g1, g2 })
    checktime()
  }
  const { Fp12 } = bn254.fields
  let product = Fp12.ONE
  for (let i = 0; i < terms.length; i += PAIRS_AT_ONCE) {
    const loops = bn254.pairingBatch(terms.slice(i, i + PAIRS_AT_ONCE), false)
    product = Fp12.mul(product, loops)
    checktime()
  }
  if (terms.length > 0) product = Fp12.finalExponentiate(product)
  checktime()
  return Fp12.eql(product, Fp12.ONE)
}
