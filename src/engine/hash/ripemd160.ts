/** RIPEMD-160: checksums in the text of keys and signatures, and a host function. */
import * as crypto from 'node:crypto'
import { ripemd160 as noble } from '@noble/hashes/legacy.js'
import { hasher, type HashFunction } from './hasher.ts'

/** The common interface of both kinds of streaming hashes. */
interface Stream {
  update(data: Uint8Array): this
  digest(): Uint8Array
}

/**
 * OpenSSL 3 counts RIPEMD-160 among its legacy algorithms, and some builds of Node.js are linked to one
 * without them.
 * @param isPresent whether node:crypto has the algorithm
 */
export function chooseRipemd160(isPresent: boolean): {
  hash: HashFunction
  stream: () => Stream
} {
  if (!isPresent) return { hash: (data) => noble(data), stream: () => noble.create() }
  return { hash: hasher('ripemd160', 20), stream: () => crypto.createHash('ripemd160') }
}

function isPresent(): boolean {
  try {
    crypto.createHash('ripemd160')
    return true
  } catch {
    return false
  }
}

const chosen = chooseRipemd160(isPresent())

/** The 20-byte RIPEMD-160 of some bytes: a fresh array. */
export const ripemd160: HashFunction = chosen.hash

/** The same for bytes that arrive in pieces. */
export const createRipemd160 = chosen.stream
