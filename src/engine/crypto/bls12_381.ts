import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bigintFromBytesLE, bigintToBytesLE, multiplyPoint } from './group.ts'

/**
 * BLS12-381 for contracts: numbers little-endian, points affine, zeros for the point at infinity,
 * the real part of field pairs first. Points are checked to be on the curve, not to be in the
 * subgroup. Undefined where an input is not a point or a number of the field
 * (AntelopeIO/bls12-381: g.cpp, fp.cpp, pairing.cpp).
 */
const { Fp, Fp2 } = bls12_381.fields
const G1 = bls12_381.G1.Point
const G2 = bls12_381.G2.Point
type PointG1 = typeof G1.ZERO
type PointG2 = typeof G2.ZERO
type Fp2Value = typeof Fp2.ONE
type Fp12Value = typeof bls12_381.fields.Fp12.ONE

/** Bytes of an element of the base field. */
export const FP_BYTES = 48
/** Bytes of an affine point of G1. */
export const G1_BYTES = 96
/** Bytes of an affine point of G2. */
export const G2_BYTES = 192
/** Bytes of a scalar. */
export const SCALAR_BYTES = 32

function readFp(bytes: Uint8Array, index = 0): bigint | undefined {
  const at = index * FP_BYTES
  const value = bigintFromBytesLE(bytes.subarray(at, at + FP_BYTES))
  return value < Fp.ORDER ? value : undefined
}

function readFp2(bytes: Uint8Array, index = 0): Fp2Value | undefined {
  const c0 = readFp(bytes, 2 * index)
  const c1 = readFp(bytes, 2 * index + 1)
  return c0 === undefined || c1 === undefined ? undefined : Fp2.fromBigTuple([c0, c1])
}

function joinFp(...values: bigint[]): Uint8Array {
  const bytes = new Uint8Array(values.length * FP_BYTES)
  values.forEach((value, i) => bytes.set(bigintToBytesLE(value, FP_BYTES), i * FP_BYTES))
  return bytes
}

/** Reads an affine G1 point. Returns undefined if the bytes are not a valid point of the curve. */
export function readG1(bytes: Uint8Array): PointG1 | undefined {
  const x = readFp(bytes, 0)
  const y = readFp(bytes, 1)
  if (x === undefined || y === undefined) return undefined
  if (x === 0n && y === 0n) return G1.ZERO
  const on_curve = Fp.eql(Fp.sqr(y), Fp.add(Fp.mul(Fp.sqr(x), x), 4n))
  return on_curve ? G1.fromAffine({ x, y }) : undefined
}

/** The affine bytes of a G1 point. */
export function writeG1(point: PointG1): Uint8Array {
  if (point.is0()) return new Uint8Array(G1_BYTES)
  const { x, y } = point.toAffine()
  return joinFp(x, y)
}

const TWIST_B = Fp2.fromBigTuple([4n, 4n])

/** Reads an affine G2 point. Returns undefined if the bytes are not a valid point of the curve. */
export function readG2(bytes: Uint8Array): PointG2 | undefined {
  const x = readFp2(bytes, 0)
  const y = readFp2(bytes, 1)
  if (x === undefined || y === undefined) return undefined
  if (Fp2.is0(x) && Fp2.is0(y)) return G2.ZERO
  const on_curve = Fp2.eql(Fp2.sqr(y), Fp2.add(Fp2.mul(Fp2.sqr(x), x), TWIST_B))
  return on_curve ? G2.fromAffine({ x, y }) : undefined
}

/** The affine bytes of a G2 point. */
export function writeG2(point: PointG2): Uint8Array {
  if (point.is0()) return new Uint8Array(G2_BYTES)
  const { x, y } = point.toAffine()
  return joinFp(x.c0, x.c1, y.c0, y.c1)
}

/** The values of a list, by their place in it. */
export type List = (index: number) => Uint8Array

/** Adds two G1 points. Returns undefined if an input is not a valid point. */
export function blsG1Add(a: Uint8Array, b: Uint8Array): Uint8Array | undefined {
  const p = readG1(a)
  const q = readG1(b)
  return p === undefined || q === undefined ? undefined : writeG1(p.add(q))
}

/** Adds two G2 points. Returns undefined if an input is not a valid point. */
export function blsG2Add(a: Uint8Array, b: Uint8Array): Uint8Array | undefined {
  const p = readG2(a)
  const q = readG2(b)
  return p === undefined || q === undefined ? undefined : writeG2(p.add(q))
}

/** The sum of points, each times a scalar of 32 bytes; checktime is called between points. */
export function blsG1WeightedSum(
  points: List,
  scalars: List,
  n: number,
  checktime: () => void,
): Uint8Array | undefined {
  let sum = G1.ZERO
  for (let i = 0; i < n; i++) {
    const p = readG1(points(i))
    if (p === undefined) return undefined
    const scalar = bigintFromBytesLE(scalars(i))
    sum = sum.add(multiplyPoint(p, scalar, G1.ZERO))
    checktime()
  }
  return writeG1(sum)
}

/**
 * The sum of G2 points, each multiplied by its scalar. Returns undefined if a point is not valid.
 */
export function blsG2WeightedSum(
  points: List,
  scalars: List,
  n: number,
  checktime: () => void,
): Uint8Array | undefined {
  let sum = G2.ZERO
  for (let i = 0; i < n; i++) {
    const p = readG2(points(i))
    if (p === undefined) return undefined
    const scalar = bigintFromBytesLE(scalars(i))
    sum = sum.add(multiplyPoint(p, scalar, G2.ZERO))
    checktime()
  }
  return writeG2(sum)
}

type Pair = Parameters<typeof bls12_381.millerLoopBatch>[0][number]

/**
 * Number of pairs whose Miller loops run together: more are faster, but the clock is checked less
 * often.
 */
const PAIRS_AT_ONCE = 8

/** The product of the pairings of n points each, 576 bytes; checktime is called on the way. */
export function blsPairing(
  g1_points: List,
  g2_points: List,
  n: number,
  checktime: () => void,
): Uint8Array | undefined {
  const pairs: Pair[] = []
  for (let i = 0; i < n; i++) {
    const p = readG1(g1_points(i))
    const q = readG2(g2_points(i))
    if (p === undefined || q === undefined) return undefined
    checktime()
    if (p.is0() || q.is0()) continue
    const { x, y } = p.toAffine()
    pairs.push([bls12_381.utils.calcPairingPrecomputes(q), x, y])
  }
  const { Fp12 } = bls12_381.fields
  let product = Fp12.ONE
  for (let i = 0; i < pairs.length; i += PAIRS_AT_ONCE) {
    const loops = bls12_381.millerLoopBatch(pairs.slice(i, i + PAIRS_AT_ONCE))
    product = Fp12.mul(product, loops)
    checktime()
  }
  // Zero for points of the smallest orders, which the curve has in addition to its subgroup; it
  // remains zero.
  if (pairs.length > 0 && !Fp12.is0(product)) product = Fp12.finalExponentiate(product)
  checktime()
  return writeFp12(product)
}

function writeFp12(value: Fp12Value): Uint8Array {
  const sixth = [value.c0, value.c1].flatMap(({ c0, c1, c2 }) => [c0, c1, c2])
  return joinFp(...sixth.flatMap(({ c0, c1 }) => [c0, c1]))
}

/** Maps a field element to a G1 point. Returns undefined if the element is not valid. */
export function blsG1Map(element: Uint8Array): Uint8Array | undefined {
  const u = readFp(element)
  return u === undefined ? undefined : writeG1(mapToG1(u))
}

/**
 * Maps an element of the quadratic extension field to a G2 point. Returns undefined if the element
 * is not valid.
 */
export function blsG2Map(element: Uint8Array): Uint8Array | undefined {
  const c0 = readFp(element, 0)
  const c1 = readFp(element, 1)
  if (c0 === undefined || c1 === undefined) return undefined
  return writeG2(mapToG2([c0, c1]))
}

// The library declares these with affine points and arrays; what they take and give is this.
const mapToG1 = bls12_381.G1.mapToCurve as unknown as (u: bigint) => PointG1
const mapToG2 = bls12_381.G2.mapToCurve as unknown as (u: [bigint, bigint]) => PointG2

/** A number of 64 bytes modulo the field's prime. */
export function blsFpMod(scalar: Uint8Array): Uint8Array {
  return bigintToBytesLE(bigintFromBytesLE(scalar) % Fp.ORDER, FP_BYTES)
}

/** Multiplies two field elements. Returns undefined if an input is not a valid element. */
export function blsFpMul(a: Uint8Array, b: Uint8Array): Uint8Array | undefined {
  const x = readFp(a)
  const y = readFp(b)
  if (x === undefined || y === undefined) return undefined
  return bigintToBytesLE(Fp.mul(x, y), FP_BYTES)
}

/** `exponent`: 64 bytes. */
export function blsFpExp(base: Uint8Array, exponent: Uint8Array): Uint8Array | undefined {
  const x = readFp(base)
  if (x === undefined) return undefined
  const k = bigintFromBytesLE(exponent)
  return bigintToBytesLE(powerOf(x, k), FP_BYTES)
}

function powerOf(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (const bit of exponent.toString(2)) {
    result = Fp.sqr(result)
    if (bit === '1') result = Fp.mul(result, base)
  }
  return result
}
