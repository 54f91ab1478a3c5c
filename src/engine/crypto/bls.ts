/**
 * BLS signatures of finalizers: keys are points of G1 (96 bytes), signatures of G2 (192 bytes),
 * both affine and little endian; the basic scheme, without proofs of possession in messages.
 * AntelopeIO/bls12-381: src/signatures.cpp; spring: libraries/libfc/src/crypto/bls_*.cpp
 */
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { check } from '../errors.ts'
import { readG1, readG2, writeG1, writeG2 } from './bls12_381.ts'
import { bigintFromBytesLE, bigintToBytesLE } from './group.ts'

const G1 = bls12_381.G1.Point
const G2 = bls12_381.G2.Point
type PointG1 = typeof G1.ZERO
type PointG2 = typeof G2.ZERO
const { Fp12, Fr } = bls12_381.fields

const SIGNATURE_DST = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_'
const POSSESSION_DST = 'BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'

/** Keys whose holders signed the same message. */
export interface BlsSigners {
  keys: readonly Uint8Array[]
  message: Uint8Array
}

/**
 * The operations that take long. All implementations give the same results for all inputs.
 * Signatures and keys have the bytes of bls.ts; `DST` is the domain separation tag of the hash to the curve.
 */
export interface BlsGroup {
  /** Signs with a secret number of the group. */
  sign(secret: Uint8Array, message: Uint8Array, DST: string): Uint8Array
  verify(groups: readonly BlsSigners[], signature: Uint8Array, DST: string): boolean
}

/** Keys are used repeatedly, so their decoded points are kept as long as their bytes. */
const points = new WeakMap<Uint8Array, PointG1>()

function keyPoint(key: Uint8Array): PointG1 | undefined {
  let point = points.get(key)
  if (point === undefined && (point = readG1(key)) !== undefined) points.set(key, point)
  return point
}

function hashToG2(message: Uint8Array, DST: string): PointG2 {
  return bls12_381.G2.hashToCurve(message, { DST })
}

/** The operations in JavaScript. */
export const NOBLE_GROUP: BlsGroup = {
  sign: (secret, message, DST) =>
    writeG2(hashToG2(message, DST).multiply(bigintFromBytesLE(secret))),
  verify,
}

let group = NOBLE_GROUP

/** From now on, this thread signs and verifies with other code (bls_wasm.ts). */
export function useBlsGroup(other: BlsGroup): void {
  group = other
}

/** The number of a secret key, which must be one of the group's. */
function secretScalar(secret: Uint8Array): bigint {
  const scalar = bigintFromBytesLE(secret)
  check(scalar > 0n && scalar < Fr.ORDER, 'assert_exception', 'BLS Private Key is out of range')
  return scalar
}

/** Whether 96 bytes are a point of the curve (the reference does not ask for more). */
export function isBlsPublicKey(key: Uint8Array): boolean {
  return keyPoint(key) !== undefined
}

/** Whether 192 bytes are a point of the curve (the reference does not ask for more). */
export function isBlsSignature(signature: Uint8Array): boolean {
  return readG2(signature) !== undefined
}

/** The public key of a secret number (32 bytes, little endian). */
export function blsPublicKeyOf(secret: Uint8Array): Uint8Array {
  return writeG1(G1.BASE.multiply(secretScalar(secret)))
}

/**
 * A secret number made of random bytes, of which there must be 48 or more.
 * @throws ChainError assert_exception if there are fewer
 */
export function blsSecretOf(random: Uint8Array): Uint8Array {
  check(random.length >= 48, 'assert_exception', 'too few random bytes for a BLS Private Key')
  return bigintToBytesLE(1n + (bigintFromBytesLE(random) % (Fr.ORDER - 1n)), 32)
}

/**
 * The signature (192 bytes) of a message by a secret number of 32 bytes. It takes milliseconds,
 * like every operation here that hashes to the curve.
 * @throws ChainError assert_exception if the secret is not a key
 */
export function blsSign(secret: Uint8Array, message: Uint8Array): Uint8Array {
  secretScalar(secret)
  return group.sign(secret, message, SIGNATURE_DST)
}

/**
 * The proof of possession: a signature which shows that the publisher of a key knows its secret.
 */
export function blsProofOfPossession(secret: Uint8Array): Uint8Array {
  return group.sign(secret, blsPublicKeyOf(secret), POSSESSION_DST)
}

/** Whether `proof` proves the possession of the secret key of the BLS public key `key`. */
export function blsVerifyPossession(key: Uint8Array, proof: Uint8Array): boolean {
  return group.verify([{ keys: [key], message: key }], proof, POSSESSION_DST)
}

/** Whether `signature` is the BLS signature of `message` by `key`. */
export function blsVerify(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  return blsAggregateVerify([{ keys: [key], message }], signature)
}

/** Whether one signature holds the signatures of all these messages by all their signers. */
export function blsAggregateVerify(groups: readonly BlsSigners[], signature: Uint8Array): boolean {
  return group.verify(groups, signature, SIGNATURE_DST)
}

function verify(groups: readonly BlsSigners[], signature: Uint8Array, DST: string): boolean {
  const signed = readG2(signature)
  if (signed === undefined || !signed.isTorsionFree()) return false
  const pairs: [PointG1, PointG2][] = [[G1.BASE.negate(), signed]]
  for (const { keys, message } of groups) {
    let sum = G1.ZERO
    for (const key of keys) {
      const point = keyPoint(key)
      if (point === undefined) return false
      sum = sum.add(point)
    }
    if (!sum.isTorsionFree()) return false
    pairs.push([sum, hashToG2(message, DST)])
  }
  const factors = pairs.filter(([p, q]) => !p.is0() && !q.is0())
  if (factors.length === 0) return true
  const product = bls12_381.pairingBatch(factors.map(([g1, g2]) => ({ g1, g2 })))
  return Fp12.eql(product, Fp12.ONE)
}

/**
 * The sum of signatures, each of which must be a point.
 * @throws ChainError assert_exception
 */
export function blsAggregateSignatures(signatures: readonly Uint8Array[]): Uint8Array {
  let sum = G2.ZERO
  for (const signature of signatures) {
    const point = readG2(signature)
    check(point, 'assert_exception', 'Invalid bls_signature')
    sum = sum.add(point)
  }
  return writeG2(sum)
}
