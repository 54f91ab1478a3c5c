import { secp256k1 as curve } from '@noble/curves/secp256k1.js'
import { secp256k1 } from './secp256k1.ts'

/** First byte of a compact signature: 27 plus the recovery number, plus 4 for compressed keys. */
const FIRST = 27

/**
 * The uncompressed key (65 bytes) that made a compact K1 signature (65 bytes). High s values are
 * accepted. Undefined if there is no such key (spring: libfc k1_recover.cpp).
 */
export function recoverUncompressed(
  signature: Uint8Array,
  digest: Uint8Array,
): Uint8Array | undefined {
  if (signature.length !== 65 || digest.length !== 32) return undefined
  const first = signature[0]!
  if (first < FIRST || first >= FIRST + 8) return undefined
  let key: Uint8Array
  try {
    key = secp256k1.recover(signature.subarray(1), (first - FIRST) & 3, digest)
  } catch {
    // The curve says that no key made this signature.
    return undefined
  }
  return curve.Point.fromBytes(key).toBytes(false)
}
