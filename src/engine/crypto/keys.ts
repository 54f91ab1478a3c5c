/**
 * Signing, and recovery of public keys from signatures. Keys and signatures are packed: a type
 * byte, then the data of the type.
 * spring: libraries/libfc/src/crypto/elliptic_{common,secp256k1,impl_priv,r1}.cpp
 */
import { check, fail } from '../errors.ts'
import { compareBytes, fromHex } from '../protocol/hex.ts'
import { K1, R1, WA } from '../protocol/key.ts'
import { isHighS, publicKeyP256, recoverP256, signP256 } from './p256.ts'
import type { PrivateKey } from './private_key.ts'
import { nonces } from './rfc6979.ts'
import type { Secp256k1 } from './secp256k1.ts'
import { secp256k1 } from './secp256k1.ts'
import { recoverWebauthn } from './webauthn.ts'

export type { PrivateKey } from './private_key.ts'
export { privateKeyFromString, privateKeyToString } from './private_key.ts'

const SIGNATURE_SIZE = 66

/** The first byte of a compact signature is 27 + recovery, plus 4 for compressed keys. */
const COMPACT_BASE = 27
const COMPACT_COMPRESSED = 4

function pack(type: number, data: Uint8Array): Uint8Array {
  const out = new Uint8Array(1 + data.length)
  out[0] = type
  out.set(data, 1)
  return out
}

/** True when neither r nor s has a set top bit or a needless leading zero byte. */
function isCanonical(signature: Uint8Array): boolean {
  const fits = (at: number): boolean => {
    const first = signature[at] as number
    return first < 0x80 && !(first === 0 && (signature[at + 1] as number) < 0x80)
  }
  return fits(2) && fits(34)
}

function compactByte(signature: Uint8Array): number {
  check(signature.length === SIGNATURE_SIZE, 'assert_exception', 'wrong size of a signature')
  const byte = signature[1] as number
  if (byte < COMPACT_BASE || byte >= COMPACT_BASE + 8) {
    fail('exception', 'unable to reconstruct public key from signature')
  }
  return byte
}

const NOT_PARSED =
  'secp256k1_ecdsa_recoverable_signature_parse_compact( detail::_get_context(), &secp_sig, ' +
  '(unsigned char*)c.begin() + 1, (*c.begin() - 27) & 3): '
const NOT_RECOVERED =
  'secp256k1_ecdsa_recover( detail::_get_context(), &secp_pub, &secp_sig, ' +
  '(unsigned char*) digest.data() ): '

/** Big-endian. */
const K1_ORDER = fromHex('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141')

/**
 * Recovers a K1 key by a given implementation. Contracts may recover from what is not canonical.
 * @throws ChainError assert_exception
 */
export function recoverK1(
  implementation: Secp256k1,
  signature: Uint8Array,
  digest: Uint8Array,
  check_canonical = true,
): Uint8Array {
  const recovery = (compactByte(signature) - COMPACT_BASE) & 3
  if (check_canonical) {
    const canonical = isCanonical(signature)
    check(canonical, 'assert_exception', 'is_canonical( c ): signature is not canonical')
  }
  for (const at of [2, 34]) {
    const below = compareBytes(signature.subarray(at, at + 32), K1_ORDER) < 0
    check(below, 'assert_exception', NOT_PARSED)
  }
  try {
    return pack(K1, implementation.recover(signature.subarray(2), recovery, digest))
  } catch {
    // The curve says that no key made this signature.
    fail('assert_exception', NOT_RECOVERED)
  }
}

function recoverR1(signature: Uint8Array, digest: Uint8Array): Uint8Array {
  const byte = compactByte(signature)
  const rs = signature.subarray(2)
  if (isHighS(rs)) fail('exception', 'invalid high s-value encountered in r1 signature')
  const recovery = byte - COMPACT_BASE
  const key = recoverP256(rs, recovery >= 4 ? recovery - 4 : recovery, digest)
  if (key === undefined) fail('exception', 'unable to reconstruct public key from signature')
  return pack(R1, key)
}

/**
 * The public key that made a signature over a 32-byte digest. Without `check_canonical` a K1
 * signature need not be canonical.
 * @throws ChainError `assert_exception`, `exception`, as the reference's
 */
export function recoverKey(
  signature: Uint8Array,
  digest: Uint8Array,
  check_canonical = true,
): Uint8Array {
  const type = signature[0]
  if (type === K1) return recoverK1(secp256k1, signature, digest, check_canonical)
  if (type === R1) return recoverR1(signature, digest)
  check(type === WA, 'assert_exception', 'Provided index out of range for variant.')
  return recoverWebauthn(signature, digest)
}

function signK1(implementation: Secp256k1, key: PrivateKey, digest: Uint8Array): Uint8Array {
  // The reference passes over the first nonce: its attempts count from one.
  const candidates = nonces(key.data, digest)
  candidates.next()
  for (const nonce of candidates) {
    let made
    try {
      made = implementation.sign(digest, key.data, nonce)
    } catch {
      // A nonce outside of the order, about once in 2^127: the reference takes the next one too.
      continue
    }
    const out = new Uint8Array(SIGNATURE_SIZE)
    out[0] = K1
    out[1] = COMPACT_BASE + COMPACT_COMPRESSED + made.recovery
    out.set(made.rs, 2)
    if (isCanonical(out)) return out
  }
  return fail('exception', 'Unable to sign')
}

/**
 * Signs a 32-byte digest. The same key and digest always give the same signature.
 * @throws ChainError assert_exception if the digest or the key is invalid
 */
export function signDigest(
  key: PrivateKey,
  digest: Uint8Array,
  implementation = secp256k1,
): Uint8Array {
  check(digest.length === 32, 'assert_exception', 'wrong size of a digest')
  checkSecret(key)
  if (key.type === K1) return signK1(implementation, key, digest)
  const { rs, recovery } = signP256(digest, key.data)
  const out = new Uint8Array(SIGNATURE_SIZE)
  out[0] = R1
  out[1] = COMPACT_BASE + COMPACT_COMPRESSED + recovery
  out.set(rs, 2)
  return out
}

/** Refuses secrets that are not in 1..order-1, and types that cannot sign. */
function checkSecret(key: PrivateKey): void {
  check(key.type !== WA, 'unsupported_key_type_exception', 'WebAuthn keys cannot sign here')
  if (key.type === K1 && isK1Secret(key.data)) return
  try {
    publicData(key)
  } catch {
    fail('assert_exception', 'the private key is not valid')
  }
}

/** Whether it is a number in 1..order-1: this spares computing a public key for each signature. */
function isK1Secret(secret: Uint8Array): boolean {
  return (
    secret.length === 32 && compareBytes(secret, K1_ORDER) < 0 && secret.some((byte) => byte !== 0)
  )
}

function publicData(key: PrivateKey): Uint8Array {
  return key.type === K1 ? secp256k1.publicKey(key.data) : publicKeyP256(key.data)
}

/** The public key of a private key, packed. */
export function publicKeyOf(key: PrivateKey): Uint8Array {
  checkSecret(key)
  return pack(key.type, publicData(key))
}
