/** Deterministic nonces for ECDSA. RFC 6979, section 3.2, with HMAC-SHA256. */
import { sha256, sha256Into } from './hash.ts'

const BLOCK = 64
const DIGEST = 32
/** What the two hashes of an HMAC are made of: a block with the key each, then the message and the inner hash. */
const inner = new Uint8Array(BLOCK + 3 * DIGEST + 1).fill(0x36, 0, BLOCK)
const outer = new Uint8Array(BLOCK + DIGEST).fill(0x5c, 0, BLOCK)

/** HMAC-SHA256 with a key of 32 bytes. Two hashes at once take less time than createHmac. RFC 2104 */
function hmac(key: Uint8Array, ...message: Uint8Array[]): Uint8Array {
  for (let i = 0; i < DIGEST; i++) {
    inner[i] = key[i]! ^ 0x36
    outer[i] = key[i]! ^ 0x5c
  }
  let size = BLOCK
  for (const part of message) {
    inner.set(part, size)
    size += part.length
  }
  sha256Into(inner.subarray(0, size), outer, BLOCK)
  return sha256(outer)
}

/** Candidate nonces for one secret and digest, without end. */
export function* nonces(secret: Uint8Array, digest: Uint8Array): Generator<Uint8Array, never> {
  let v: Uint8Array = new Uint8Array(32).fill(1)
  let k: Uint8Array = new Uint8Array(32)
  for (const separator of [0, 1]) {
    k = hmac(k, v, Uint8Array.of(separator), secret, digest)
    v = hmac(k, v)
  }
  for (;;) {
    v = hmac(k, v)
    yield v
    k = hmac(k, v, Uint8Array.of(0))
    v = hmac(k, v)
  }
}
