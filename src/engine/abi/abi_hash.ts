import { sha256 } from '../crypto/hash.ts'

const hashes = new WeakMap<Uint8Array, Uint8Array>()

/** SHA-256 of a packed ABI, which is made once for each array: nothing changes the bytes of an ABI in place. */
export function abiHash(packed: Uint8Array): Uint8Array {
  let hash = hashes.get(packed)
  if (hash === undefined) hashes.set(packed, (hash = sha256(packed)))
  return hash
}
