/**
 * BLS signatures with mcl-wasm: several times faster than @noble/curves, without native code.
 * https://github.com/herumi/mcl; AntelopeIO/bls12-381: src/signatures.cpp
 */
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { hash_to_field } from '@noble/curves/abstract/hash-to-curve.js'
import { sha256 } from '@noble/hashes/sha2.js'
import * as mcl from 'mcl-wasm'
import type { Fp, Fp2, Fr, G1, G2, GT } from 'mcl-wasm'
import type { BlsGroup, BlsSigners } from './bls.ts'
import { FP_BYTES, G2_BYTES, writeG1 as writeNobleG1 } from './bls12_381.ts'
import { bigintToBytesLE } from './group.ts'

const PRIME = bls12_381.fields.Fp.ORDER
const PRIME_BYTES = bigintToBytesLE(PRIME, FP_BYTES)

/** The field of hash-to-curve for G2 (RFC 9380, BLS12381G2_XMD:SHA-256_SSWU_RO_). */
const TO_FIELD = { p: PRIME, m: 2, k: 128, expand: 'xmd', hash: sha256 } as const

/**
 * Prepares the library for this thread.
 * @returns the operations of bls.ts that take long
 */
export async function loadBlsWasm(): Promise<BlsGroup> {
  await mcl.init(mcl.BLS12_381)
  mcl.setMapToMode(mcl.IRTF)
  // `isValid` then means that a point is on the curve. Its order is checked where the reference does so.
  mcl.verifyOrderG1(false)
  mcl.verifyOrderG2(false)
  return new WasmGroup()
}

class WasmGroup implements BlsGroup {
  /** Keys are used repeatedly, so their decoded points are kept as long as their bytes. */
  private readonly points = new WeakMap<Uint8Array, G1>()
  private readonly negative_base = mcl.neg(readG1(writeNobleG1(bls12_381.G1.Point.BASE))!)

  sign(secret: Uint8Array, message: Uint8Array, DST: string): Uint8Array {
    const scalar: Fr = new mcl.Fr()
    scalar.setLittleEndian(secret)
    return writeG2(mcl.mul(hashToG2(message, DST), scalar))
  }

  verify(groups: readonly BlsSigners[], signature: Uint8Array, DST: string): boolean {
    const signed = readG2(signature)
    if (signed === undefined || !signed.isValidOrder()) return false
    const loops: GT[] = []
    if (!signed.isZero()) loops.push(mcl.millerLoop(this.negative_base, signed))
    for (const { keys, message } of groups) {
      let sum: G1 = new mcl.G1()
      for (const key of keys) {
        const point = this.keyPoint(key)
        if (point === undefined) return false
        sum = mcl.add(sum, point)
      }
      if (!sum.isValidOrder()) return false
      if (!sum.isZero()) loops.push(mcl.millerLoop(sum, hashToG2(message, DST)))
    }
    if (loops.length === 0) return true
    return mcl.finalExp(loops.reduce((product, loop) => mcl.mul(product, loop))).isOne()
  }

  private keyPoint(key: Uint8Array): G1 | undefined {
    let point = this.points.get(key)
    if (point === undefined && (point = readG1(key)) !== undefined) this.points.set(key, point)
    return point
  }
}

function hashToG2(message: Uint8Array, DST: string): G2 {
  const [a, b] = hash_to_field(message, 2, { ...TO_FIELD, DST }) as [bigint[], bigint[]]
  return mcl.add(mapToG2(a), mapToG2(b))
}

function mapToG2([c0, c1]: bigint[]): G2 {
  const element = joinFp2(fieldOf(c0!), fieldOf(c1!))
  return element.mapToG2()
}

/** Reads an affine G1 point. Returns undefined if the bytes are not a valid point of the curve. */
function readG1(bytes: Uint8Array): G1 | undefined {
  const x = readFp(bytes, 0)
  const y = readFp(bytes, 1)
  if (x === undefined || y === undefined) return undefined
  const point: G1 = new mcl.G1()
  if (x.isZero() && y.isZero()) return point
  point.setX(x)
  point.setY(y)
  point.setZ(fieldOf(1n))
  return point.isValid() ? point : undefined
}

/** Reads an affine G2 point. Returns undefined if the bytes are not a valid point of the curve. */
function readG2(bytes: Uint8Array): G2 | undefined {
  const x = readFp2(bytes, 0)
  const y = readFp2(bytes, 1)
  if (x === undefined || y === undefined) return undefined
  const point: G2 = new mcl.G2()
  if (x.isZero() && y.isZero()) return point
  point.setX(x)
  point.setY(y)
  point.setZ(joinFp2(fieldOf(1n), fieldOf(0n)))
  return point.isValid() ? point : undefined
}

/** The affine bytes of a G2 point. */
function writeG2(point: G2): Uint8Array {
  const bytes = new Uint8Array(G2_BYTES)
  if (point.isZero()) return bytes
  const affine = mcl.normalize(point)
  const parts = [affine.getX(), affine.getY()].flatMap((c) => [c.get_a(), c.get_b()])
  parts.forEach((part, i) => bytes.set(part.serialize(), i * FP_BYTES))
  return bytes
}

function readFp2(bytes: Uint8Array, index: number): Fp2 | undefined {
  const c0 = readFp(bytes, 2 * index)
  const c1 = readFp(bytes, 2 * index + 1)
  return c0 === undefined || c1 === undefined ? undefined : joinFp2(c0, c1)
}

function joinFp2(c0: Fp, c1: Fp): Fp2 {
  const element: Fp2 = new mcl.Fp2()
  element.set_a(c0)
  element.set_b(c1)
  return element
}

/** Reads a little-endian number of the field. Returns undefined if it is not below the prime. */
function readFp(bytes: Uint8Array, index: number): Fp | undefined {
  const part = bytes.subarray(index * FP_BYTES, (index + 1) * FP_BYTES)
  return isBelowPrime(part) ? fieldOfBytes(part) : undefined
}

function isBelowPrime(bytes: Uint8Array): boolean {
  for (let i = FP_BYTES - 1; i >= 0; i--) {
    if (bytes[i] !== PRIME_BYTES[i]) return bytes[i]! < PRIME_BYTES[i]!
  }
  return false
}

function fieldOf(value: bigint): Fp {
  return fieldOfBytes(bigintToBytesLE(value, FP_BYTES))
}

function fieldOfBytes(bytes: Uint8Array): Fp {
  const element: Fp = new mcl.Fp()
  element.setLittleEndian(bytes)
  return element
}
