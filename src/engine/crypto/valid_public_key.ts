import { fail } from '../errors.ts'
import { K1, R1 } from '../protocol/key.ts'
import { isPointP256 } from './p256.ts'

/** Type byte, compressed point and user verification come before the site's name. */
const WEBAUTHN_SITE_LENGTH = 1 + 33 + 1

/**
 * Whether a packed public key counts as valid (spring: fc::crypto::public_key::valid): for K1 it is
 * not all zero, for WebAuthn it names a site, for R1 it is set.
 * @throws ChainError exception for an R1 key that is set but not a point of the curve, as in the
 *   reference
 */
export function isValidPublicKey(key: Uint8Array): boolean {
  if (key[0] === K1) return key.some((byte, i) => i > 0 && byte !== 0)
  if (key[0] !== R1) return key[WEBAUTHN_SITE_LENGTH] !== 0
  if (key[1] === 0) return false
  if (!isPointP256(key.subarray(1))) fail('exception', 'error decoding public key')
  return true
}
