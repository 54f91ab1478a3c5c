/**
 * Text of BLS keys and signatures: a prefix, then the bytes with a checksum in base64url.
 * spring: libraries/libfc/include/fc/crypto/bls_common.hpp, libraries/libfc/src/crypto/bls_*.cpp
 */
import { check } from '../errors.ts'
import { ripemd160 } from '../hash/ripemd160.ts'
import { BLS_PUBLIC_KEY_SIZE, BLS_SIGNATURE_SIZE } from './finality.ts'
import { bytesEqual } from './hex.ts'

/** Begins the text form of BLS public keys. */
export const BLS_PUBLIC_PREFIX = 'PUB_BLS_'
/** Begins the text form of BLS private keys. */
export const BLS_PRIVATE_PREFIX = 'PVT_BLS_'
/** Begins the text form of BLS signatures. */
export const BLS_SIGNATURE_PREFIX = 'SIG_BLS_'

/** Bytes of a private key: its secret number, little endian. */
export const BLS_PRIVATE_KEY_SIZE = 32

const CHECKSUM_SIZE = 4

function checksum(bytes: Uint8Array): Uint8Array {
  return ripemd160(bytes).subarray(0, CHECKSUM_SIZE)
}

function toText(prefix: string, bytes: Uint8Array): string {
  return prefix + Buffer.concat([bytes, checksum(bytes)]).toString('base64url')
}

/** Messages do not repeat the text: it may be a secret. */
function fromText(kind: string, prefix: string, text: string, size: number): Uint8Array {
  check(text.startsWith(prefix), 'assert_exception', `BLS ${kind} has invalid format`)
  const body = text.slice(prefix.length).replace(/=+$/, '')
  check(/^[A-Za-z0-9_-]*$/.test(body), 'assert_exception', `BLS ${kind} is not in base64url`)
  const bytes = new Uint8Array(Buffer.from(body, 'base64url'))
  check(bytes.length >= size + CHECKSUM_SIZE, 'eof_exception', `BLS ${kind} is too short`)
  check(
    bytes.length === size + CHECKSUM_SIZE,
    'assert_exception',
    'decoded base64url length too long',
  )
  const data = bytes.slice(0, size)
  check(
    bytesEqual(checksum(data), bytes.subarray(size)),
    'assert_exception',
    'checksum == wrapped.check: ',
  )
  return data
}

/** `PUB_BLS_…`, from 96 bytes. */
export const blsPublicKeyToString = (key: Uint8Array): string => toText(BLS_PUBLIC_PREFIX, key)

/**
 * The bytes of `PUB_BLS_…`; that they are a point is not checked.
 * @throws ChainError `assert_exception`
 */
export const blsPublicKeyFromString = (text: string): Uint8Array =>
  fromText('Public Key', BLS_PUBLIC_PREFIX, text, BLS_PUBLIC_KEY_SIZE)

/** `SIG_BLS_…`, from 192 bytes. */
export const blsSignatureToString = (signature: Uint8Array): string =>
  toText(BLS_SIGNATURE_PREFIX, signature)

/**
 * The bytes of `SIG_BLS_…`; that they are a point is not checked.
 * @throws ChainError `assert_exception`
 */
export const blsSignatureFromString = (text: string): Uint8Array =>
  fromText('Signature', BLS_SIGNATURE_PREFIX, text, BLS_SIGNATURE_SIZE)

/** `PVT_BLS_…`, from the secret number. */
export const blsPrivateKeyToString = (secret: Uint8Array): string =>
  toText(BLS_PRIVATE_PREFIX, secret)

/**
 * The secret number of `PVT_BLS_…`.
 * @throws ChainError `assert_exception`
 */
export const blsPrivateKeyFromString = (text: string): Uint8Array =>
  fromText('Private Key', BLS_PRIVATE_PREFIX, text, BLS_PRIVATE_KEY_SIZE)
