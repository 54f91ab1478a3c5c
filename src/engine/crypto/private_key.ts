/**
 * Private keys and their text: the wallet import format for K1, `PVT_…` for both types.
 * spring: libraries/libfc/src/crypto/private_key.cpp
 */
import { check } from '../errors.ts'
import { fromBase58, toBase58 } from '../protocol/base58.ts'
import { bytesEqual, concatBytes } from '../protocol/hex.ts'
import type { KeyType } from '../protocol/key.ts'
import { checkTypedChecksum, K1, parseTyped, typedText, WA } from '../protocol/key.ts'
import { sha256 } from './hash.ts'

/** `data` is the secret number, 32 bytes big endian. */
export interface PrivateKey {
  type: KeyType
  data: Uint8Array
}

/** First byte of the wallet import format. */
const WIF_VERSION = 0x80

function fromWif(text: string): Uint8Array {
  const bytes = fromBase58(text)
  check(bytes.length >= 5, 'assert_exception', 'wif_bytes.size() >= 5: ')
  const body = bytes.subarray(0, bytes.length - 4)
  const checksum = bytes.subarray(bytes.length - 4)
  const once = sha256(body)
  check(
    bytesEqual(checksum, sha256(once).subarray(0, 4)) || bytesEqual(checksum, once.subarray(0, 4)),
    'assert_exception',
    'wrong checksum in a private key',
  )
  const data = body.slice(1)
  check(data.length === 32, 'assert_exception', 'wrong size of a private key')
  return data
}

/**
 * Reads a private key.
 * @throws ChainError assert_exception, parse_error_exception; messages never contain the key
 */
export function privateKeyFromString(text: string): PrivateKey {
  if (!text.includes('_')) return { type: K1, data: fromWif(text) }
  check(text.startsWith('PVT_'), 'assert_exception', 'Private Key has invalid prefix')
  const parsed = parseTyped(text, 'PVT', 'Private Key')
  check(
    parsed.type !== WA && parsed.data.length === 32,
    'assert_exception',
    'decoded base58 length too long',
  )
  checkTypedChecksum(parsed)
  return { type: parsed.type, data: parsed.data.slice() }
}

/** The text of a private key; K1 as wallet import format unless `form` is modern. */
export function privateKeyToString(key: PrivateKey, form: 'legacy' | 'modern' = 'legacy'): string {
  if (key.type !== K1 || form === 'modern') return `PVT_${typedText(key.type, key.data)}`
  const body = concatBytes(Uint8Array.of(WIF_VERSION), key.data)
  return toBase58(concatBytes(body, sha256(sha256(body)).subarray(0, 4)))
}
