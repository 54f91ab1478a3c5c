import { check } from '../errors.ts'
import { fromHex } from '../protocol/hex.ts'
import { MAX_BYTES } from '../protocol/constants.ts'
import { strictString } from './lenient_json.ts'

/**
 * The hex text of bytes in JSON, after the reference's checks of its length.
 * @throws ChainError assert_exception it is too long, or its length is odd
 */
export function hexString(value: unknown): string {
  const text = strictString(value)
  check(
    text.length <= 2 * MAX_BYTES,
    'assert_exception',
    'str.size() <= 2*MAX_SIZE_OF_BYTE_ARRAYS: ',
  )
  check(
    text.length % 2 === 0,
    'assert_exception',
    'str.size() % 2 == 0: the length of hex string should be even number',
  )
  return text
}

/**
 * Bytes from JSON: hex of an even number of digits (spring: libfc from_variant of vector<char>).
 * @throws ChainError bad_cast_exception, or assert_exception for text that is not hexadecimal
 */
export function bytesFromJson(value: unknown): Uint8Array {
  return fromHex(hexString(value))
}

/**
 * A hash from JSON: hex that may be shorter (zeros follow) or longer (the rest is ignored) than the
 * hash (spring: libraries/libfc/src/crypto/sha256.cpp from_variant).
 * @throws ChainError as {@link bytesFromJson}
 */
export function hashFromJson(value: unknown, size: number): Uint8Array {
  const bytes = bytesFromJson(value)
  if (bytes.length === size) return bytes
  const hash = new Uint8Array(size)
  hash.set(bytes.subarray(0, size))
  return hash
}
