import { createHash } from 'node:crypto'

/** By the number that the probe's opcodes have for them. */
export const HASHES = ['sha1', 'sha256', 'sha512', 'ripemd160'] as const

export function hashOf(name: (typeof HASHES)[number], data: Uint8Array): Buffer {
  return createHash(name).update(data).digest()
}
