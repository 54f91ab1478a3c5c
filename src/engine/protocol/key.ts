/**
 * Public keys and signatures: wire form (a type byte, then the type's data) and text form.
 * spring: libraries/libfc/src/crypto/{public_key,signature}.cpp, include/fc/crypto/common.hpp
 */
import { check } from '../errors.ts'
import { ripemd160 } from '../hash/ripemd160.ts'
import { fromBase58, toBase58 } from './base58.ts'
import { bytesEqual, compareBytes, concatBytes, utf8ToBytes } from './hex.ts'
import { Reader } from './reader.ts'
import type { Writer } from './writer.ts'

/** First byte of packed keys and signatures. */
export const K1 = 0
/** First byte of packed keys and signatures of the curve secp256r1. */
export const R1 = 1
/** First byte of packed keys and signatures of WebAuthn. */
export const WA = 2

/** The type of a key: K1, R1 or WebAuthn. */
export type KeyType = 0 | 1 | 2

/** Leads the old text form of K1 public keys. */
export const LEGACY_PREFIX = 'EOS'

/** The names of the types in the text form, by first byte. */
export const TYPE_NAMES = ['K1', 'R1', 'WA'] as const
const TYPE_BYTES = TYPE_NAMES.map(utf8ToBytes)
const PUBLIC_KEY_SIZE = 33
const SIGNATURE_SIZE = 65

/** The first four bytes of ripemd160(data + suffix). */
export function keyChecksum(data: Uint8Array, suffix: Uint8Array | undefined): Uint8Array {
  return ripemd160(suffix === undefined ? data : concatBytes(data, suffix)).subarray(0, 4)
}

/** Reads the type, which the wire has as a varuint32, and checks it. */
function readType(r: Reader): KeyType {
  const type = r.varuint32()
  check(type <= WA, 'assert_exception', 'Provided index out of range for variant.')
  return type as KeyType
}

/** The type, then what was read since `start`, as one packed array. */
function packed(type: KeyType, source: Uint8Array, sourceHasType: boolean): Uint8Array {
  if (sourceHasType) return source
  return concatBytes(Uint8Array.of(type), source)
}

/** Moves over the data of a WebAuthn public key: point, user presence, relying party id. */
function skipWebauthnKey(r: Reader): void {
  r.bytes(PUBLIC_KEY_SIZE)
  r.u8()
  check(
    r.blob().length > 0,
    'assert_exception',
    'rpid.length(): webauthn pubkey must have non empty rpid',
  )
}

/** Moves over the data of a WebAuthn signature: signature, authenticator data, client JSON. */
function skipWebauthnSignature(r: Reader): void {
  r.bytes(SIGNATURE_SIZE)
  r.byteList()
  r.blob()
}

function readPacked(r: Reader, size: number, skipWebauthn: (r: Reader) => void): Uint8Array {
  const start = r.pos
  const type = readType(r)
  const dataStart = r.pos
  if (type === WA) skipWebauthn(r)
  else r.bytes(size)
  const hasType = dataStart === start + 1
  return packed(type, r.slice(hasType ? start : dataStart, r.pos), hasType)
}

/** Reads a packed public key (a view). The point itself is not checked, as in the reference. */
export function readPublicKey(r: Reader): Uint8Array {
  return readPacked(r, PUBLIC_KEY_SIZE, skipWebauthnKey)
}

/** Reads a packed signature (a view). */
export function readSignature(r: Reader): Uint8Array {
  return readPacked(r, SIGNATURE_SIZE, skipWebauthnSignature)
}

/** Writes a packed public key as it is. */
export function writePublicKey(w: Writer, key: Uint8Array): void {
  w.raw(key)
}

/** Writes a packed signature as it is. */
export function writeSignature(w: Writer, signature: Uint8Array): void {
  w.raw(signature)
}

/** The order that authorities sort by: type, then data. */
export function comparePublicKeys(a: Uint8Array, b: Uint8Array): number {
  if (a[0] !== WA || b[0] !== WA) return compareBytes(a, b)
  const fixed = 1 + PUBLIC_KEY_SIZE + 1
  const order = compareBytes(a.subarray(0, fixed), b.subarray(0, fixed))
  if (order !== 0) return order
  // Relying party ids compare as text, without their length.
  return compareBytes(new Reader(a, fixed).blob(), new Reader(b, fixed).blob())
}

/** The parts of `PUB_K1_data`; the checksum is not checked yet. */
export interface TypedText {
  type: KeyType
  data: Uint8Array
  checksum: Uint8Array
}

/**
 * Splits `PUB_K1_data` into type and checked data.
 * @throws ChainError `assert_exception`, `parse_error_exception`
 */
export function parseTyped(text: string, prefix: string, what: string): TypedText {
  const first = text.indexOf('_')
  check(
    first >= 0,
    'assert_exception',
    () => `pivot != std::string::npos: No delimiter in string, cannot determine type: ${text}`,
  )
  check(
    text.slice(0, first) === prefix,
    'assert_exception',
    () => `prefix == prefix_str: ${what} has invalid prefix: ${text}`,
  )
  const rest = text.slice(first + 1)
  check(rest !== '', 'assert_exception', () => `!data_str.empty(): ${what} has no data: ${text}`)
  const second = rest.indexOf('_')
  check(
    second >= 0,
    'assert_exception',
    () => `pivot != std::string::npos: No delimiter in data, cannot determine suite type: ${rest}`,
  )
  const typeName = rest.slice(0, second)
  const body = rest.slice(second + 1)
  check(
    body !== '',
    'assert_exception',
    () => `!data_str.empty(): Data only has suite type prefix: ${rest}`,
  )
  const type = TYPE_NAMES.findIndex((name) => name === typeName)
  check(
    type >= 0,
    'assert_exception',
    () => `false: No matching suite type for ${typeName}_${body}`,
  )
  const bytes = fromBase58(body)
  const at = Math.max(0, bytes.length - 4)
  return { type: type as KeyType, data: bytes.subarray(0, at), checksum: bytes.subarray(at) }
}

/**
 * Refuses a checksum that is not the data's.
 * @throws ChainError assert_exception
 */
export function checkTypedChecksum({ type, data, checksum }: TypedText): void {
  check(
    bytesEqual(checksum, keyChecksum(data, TYPE_BYTES[type])),
    'assert_exception',
    'checksum == wrapped.check: ',
  )
}

/** Checks size and checksum of data from text, and gives it packed. */
function packedFromText(
  parsed: TypedText,
  size: number,
  skipWebauthn: (r: Reader) => void,
): Uint8Array {
  const { type, data, checksum } = parsed
  const r = new Reader(data)
  if (type === WA) skipWebauthn(r)
  else r.bytes(size)
  check(
    r.remaining() === 0 && checksum.length === 4,
    'assert_exception',
    '!unpacker.remaining(): decoded base58 length too long',
  )
  checkTypedChecksum(parsed)
  return packed(type, data, false)
}

/**
 * Reads `EOS…` and `PUB_…` text.
 * @throws ChainError `assert_exception`, `parse_error_exception`
 */
export function publicKeyFromString(text: string): Uint8Array {
  if (
    !text.startsWith(LEGACY_PREFIX) ||
    text.length <= LEGACY_PREFIX.length ||
    text.includes('_')
  ) {
    return packedFromText(parseTyped(text, 'PUB', 'Public Key'), PUBLIC_KEY_SIZE, skipWebauthnKey)
  }
  const bytes = fromBase58(text.slice(LEGACY_PREFIX.length))
  check(
    bytes.length === PUBLIC_KEY_SIZE + 4,
    'assert_exception',
    'bin.size() == sizeof(data_type) + sizeof(uint32_t): ',
  )
  const data = bytes.subarray(0, PUBLIC_KEY_SIZE)
  check(
    bytesEqual(bytes.subarray(PUBLIC_KEY_SIZE), keyChecksum(data, undefined)),
    'assert_exception',
    'wrapper::calculate_checksum(wrapped.data) == wrapped.check: ',
  )
  return packed(K1, data, false)
}

/** Text of typed data: `K1_…`. */
export function typedText(type: KeyType, data: Uint8Array): string {
  return `${TYPE_NAMES[type]}_${toBase58(concatBytes(data, keyChecksum(data, TYPE_BYTES[type])))}`
}

/** K1 keys print as `EOS…` unless `form` is modern; other types always as `PUB_…`. */
export function publicKeyToString(key: Uint8Array, form: 'legacy' | 'modern' = 'legacy'): string {
  const type = key[0] as KeyType
  const data = key.subarray(1)
  if (type === K1 && form === 'legacy') {
    return LEGACY_PREFIX + toBase58(concatBytes(data, keyChecksum(data, undefined)))
  }
  return `PUB_${typedText(type, data)}`
}

/**
 * Reads `SIG_…` text.
 * @throws ChainError `assert_exception`, `parse_error_exception`
 */
export function signatureFromString(text: string): Uint8Array {
  const parsed = parseTyped(text, 'SIG', 'Signature Key')
  return packedFromText(parsed, SIGNATURE_SIZE, skipWebauthnSignature)
}

/** `SIG_K1_…`. */
export function signatureToString(signature: Uint8Array): string {
  return `SIG_${typedText(signature[0] as KeyType, signature.subarray(1))}`
}
