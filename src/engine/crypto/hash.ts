/**
 * Hash functions, tuned for the few hundred bytes that a node hashes most.
 *
 * node:crypto's one-shot `hash` answers fastest as a latin1 string (a third of the time that its
 * Buffer takes), whose characters are then the bytes. Versions of Node without it take the
 * streaming object. Measured: bench/wire.ts.
 */
import * as crypto from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** Digest of bytes: a fresh array, which the caller may change. */
export type HashFunction = (data: Uint8Array) => Uint8Array

type OneShot = (algorithm: string, data: Uint8Array, encoding: 'latin1') => string

// Present since Node 20.12 and 21.7, but not in the types.
const oneShot = (crypto as unknown as { hash?: OneShot }).hash

/** By the one-shot function. */
export function oneShotHasher(algorithm: string, size: number): HashFunction | undefined {
  if (oneShot === undefined) return undefined
  return (data) => {
    const text = oneShot(algorithm, data, 'latin1')
    const out = new Uint8Array(size)
    for (let i = 0; i < size; i++) out[i] = text.charCodeAt(i)
    return out
  }
}

/** By the streaming object, which every version has. */
export function streamHasher(algorithm: string): HashFunction {
  return (data) => {
    const { buffer, byteOffset, length } = crypto.createHash(algorithm).update(data).digest()
    return new Uint8Array(buffer, byteOffset, length)
  }
}

function hasher(algorithm: string, size: number): HashFunction {
  return oneShotHasher(algorithm, size) ?? streamHasher(algorithm)
}

export const sha1 = hasher('sha1', 20)
export const sha256 = hasher('sha256', 32)
export const sha512 = hasher('sha512', 64)
export const ripemd160 = hasher('ripemd160', 20)
export const sha3_256 = hasher('sha3-256', 32)

/** Keccak as it was before its padding changed to become SHA-3. */
export function keccak256(data: Uint8Array): Uint8Array {
  return keccak_256(data)
}

/** What is hashed between two looks at the clock (spring: config.hpp hashing_checktime_block_size). */
export const HASHING_PIECE = 10 * 1024

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
  const hash = name === 'keccak256' ? keccak_256.create() : crypto.createHash(name)
  let at = 0
  for (; data.length - at > HASHING_PIECE; at += HASHING_PIECE) {
    hash.update(data.subarray(at, at + HASHING_PIECE))
    between()
  }
  return new Uint8Array(hash.update(data.subarray(at)).digest())
}

/** SHA-256 of bytes that come in pieces. */
export class Sha256 {
  private readonly hash = crypto.createHash('sha256')

  update(data: Uint8Array): void {
    this.hash.update(data)
  }

  /** Ends it. */
  digest(): Uint8Array {
    return new Uint8Array(this.hash.digest())
  }
}
