/** The hash functions of the chain and its contracts. */
import * as crypto from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { hasher, hashWriter, type HashFunction } from '../hash/hasher.ts'
import { createRipemd160, ripemd160 } from '../hash/ripemd160.ts'

/** SHA-1. */
export const sha1 = hasher('sha1', 20)
/** SHA-256. */
export const sha256 = hasher('sha256', 32)
/** Writes the digest to an array instead of making one. */
export const sha256Into = hashWriter('sha256', 32)
/** SHA-512. */
export const sha512 = hasher('sha512', 64)
/** SHA3-256, with the padding of the standard. */
export const sha3_256 = hasher('sha3-256', 32)
export { ripemd160 }

/** Keccak as it was before its padding changed to become SHA-3. */
export function keccak256(data: Uint8Array): Uint8Array {
  return keccak_256(data)
}

/**
 * The bytes that are hashed between two checks of the clock (spring: config.hpp
 * hashing_checktime_block_size).
 */
export const HASHING_PIECE = 10 * 1024

/** The names of the supported hash functions. */
export type HashName = 'sha1' | 'sha256' | 'sha512' | 'ripemd160' | 'sha3-256' | 'keccak256'

const AT_ONCE: Readonly<Record<HashName, HashFunction>> = {
  sha1,
  sha256,
  sha512,
  ripemd160,
  'sha3-256': sha3_256,
  keccak256,
}

/** The digest of data of any length: `between` is called after each piece that others follow. */
export function hashInPieces(name: HashName, data: Uint8Array, between: () => void): Uint8Array {
  if (data.length <= HASHING_PIECE) return AT_ONCE[name](data)
  const hash = streamOf(name)
  let at = 0
  for (; data.length - at > HASHING_PIECE; at += HASHING_PIECE) {
    hash.update(data.subarray(at, at + HASHING_PIECE))
    between()
  }
  return new Uint8Array(hash.update(data.subarray(at)).digest())
}

function streamOf(name: HashName) {
  if (name === 'keccak256') return keccak_256.create()
  return name === 'ripemd160' ? createRipemd160() : crypto.createHash(name)
}

/** SHA-256 of bytes that come in pieces. */
export class Sha256 {
  private readonly hash = crypto.createHash('sha256')

  /** Adds the next piece. */
  update(data: Uint8Array): void {
    this.hash.update(data)
  }

  /** Ends it. */
  digest(): Uint8Array {
    return new Uint8Array(this.hash.digest())
  }
}
