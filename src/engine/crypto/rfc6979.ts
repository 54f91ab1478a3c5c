/** Deterministic nonces for ECDSA. RFC 6979, section 3.2, with HMAC-SHA256. */
import { createHmac } from 'node:crypto'

const hmac = (key: Uint8Array, ...parts: Uint8Array[]): Uint8Array => {
  const h = createHmac('sha256', key)
  for (const part of parts) h.update(part)
  return h.digest()
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
