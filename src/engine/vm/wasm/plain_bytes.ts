/**
 * The same bytes as a plain `Uint8Array`: a view without a copy. V8 has another hidden class for `Buffer`, and
 * code that it optimized for one of them is slow again for the other.
 */
export function plainBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}
