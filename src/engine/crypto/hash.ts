/**
 * Hash functions. node:crypto's one-shot `hash` is the fastest for the sizes a node hashes (see
 * bench/); older Node versions take the streaming object.
 */
import * as crypto from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'

type OneShot = (algorithm: string, data: Uint8Array, encoding: 'buffer') => Buffer

// Present since Node 20.12; the types of older versions do not have it.
const oneShot = (crypto as { hash?: unknown }).hash as OneShot | undefined

function hasher(algorithm: string): (data: Uint8Array) => Uint8Array {
  if (oneShot !== undefined) return (data) => oneShot(algorithm, data, 'buffer')
  return (data) => crypto.createHash(algorithm).update(data).digest()
}

export const sha1 = hasher('sha1')
export const sha256 = hasher('sha256')
export const sha512 = hasher('sha512')
export const ripemd160 = hasher('ripemd160')
export const sha3_256 = hasher('sha3-256')

/** Keccak before its padding changed to become SHA-3. */
export function keccak256(data: Uint8Array): Uint8Array {
  return keccak_256(data)
}
