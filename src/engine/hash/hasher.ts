/**
 * Hash functions of node:crypto, optimized for inputs of a few hundred bytes, which are the most
 * frequent.
 *
 * The one-shot `hash` of node:crypto returns fastest as a latin1 string (a third of the time of a
 * Buffer), whose characters are then the bytes. Versions of Node.js without it use the streaming
 * object. Measured: bench/wire.ts.
 */
import * as crypto from 'node:crypto'

/** Digest of bytes: a fresh array, which the caller may change. */
export type HashFunction = (data: Uint8Array) => Uint8Array

type OneShot = (algorithm: string, data: Uint8Array, encoding: 'latin1') => string

// Present since Node 20.12 and 21.7, but not in the types.
const oneShot = (crypto as unknown as { hash?: OneShot }).hash

/** Uses the one-shot function; undefined if this version of Node.js does not have it. */
export function oneShotHasher(algorithm: string, size: number): HashFunction | undefined {
  if (oneShot === undefined) return undefined
  return (data) => {
    const text = oneShot(algorithm, data, 'latin1')
    const out = new Uint8Array(size)
    for (let i = 0; i < size; i++) out[i] = text.charCodeAt(i)
    return out
  }
}

/** Writes a digest to `out` from `at` on. */
export type HashWriter = (data: Uint8Array, out: Uint8Array, at: number) => void

/** The faster of both, without an array for the digest. @param size the bytes of a digest */
export function hashWriter(algorithm: string, size: number): HashWriter {
  if (oneShot === undefined) {
    const hash = streamHasher(algorithm)
    return (data, out, at) => out.set(hash(data), at)
  }
  return (data, out, at) => {
    const text = oneShot(algorithm, data, 'latin1')
    for (let i = 0; i < size; i++) out[at + i] = text.charCodeAt(i)
  }
}

/** By the streaming object, which every version has. */
export function streamHasher(algorithm: string): HashFunction {
  return (data) => {
    const { buffer, byteOffset, length } = crypto.createHash(algorithm).update(data).digest()
    return new Uint8Array(buffer, byteOffset, length)
  }
}

/** The faster of both. @param size the bytes of a digest */
export function hasher(algorithm: string, size: number): HashFunction {
  return oneShotHasher(algorithm, size) ?? streamHasher(algorithm)
}
