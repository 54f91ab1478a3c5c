/** Bytes to text and back, and comparisons of byte strings. */
import { isUtf8 } from 'node:buffer'
import { check, fail } from '../errors.ts'

/** A byte string without bytes. */
export const NO_BYTES = new Uint8Array(0)

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/**
 * Up to this length V8 keeps the bytes of an array in its own heap. To ask for the buffer of such an array allocates
 * one, which costs more than to write the digits.
 */
export const IN_HEAP_BYTES = 64

const DIGITS = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0))
const digits = Buffer.alloc(2 * IN_HEAP_BYTES)

/** Lowercase hexadecimal. */
export function toHex(bytes: Uint8Array): string {
  const { length } = bytes
  if (length > IN_HEAP_BYTES) return asBuffer(bytes).toString('hex')
  for (let i = 0; i < length; i++) {
    const byte = bytes[i] as number
    digits[2 * i] = DIGITS[byte >> 4] as number
    digits[2 * i + 1] = DIGITS[byte & 15] as number
  }
  return digits.toString('latin1', 0, 2 * length)
}

const HEX_VALUES = new Int8Array(128).fill(-1)
for (let i = 0; i < 16; i++) {
  HEX_VALUES[i.toString(16).charCodeAt(0)] = i
  HEX_VALUES[i.toString(16).toUpperCase().charCodeAt(0)] = i
}

function hexValue(text: string, at: number): number {
  const value = HEX_VALUES[text.charCodeAt(at)] ?? -1
  if (value < 0) fail('exception', `Invalid hex character '${text[at] ?? ''}'`)
  return value
}

/**
 * Reads hexadecimal of either case. An odd last digit is the high half of a last byte, as in the
 * reference (libfc: src/crypto/hex.cpp). Other characters: `exception`.
 */
export function fromHex(text: string): Uint8Array {
  // Does not use Buffer: small ones share memory, which would be kept as long as any of them.
  const out = new Uint8Array((text.length + 1) >> 1)
  const pairs = text.length >> 1
  for (let i = 0; i < pairs; i++) out[i] = (hexValue(text, 2 * i) << 4) | hexValue(text, 2 * i + 1)
  if (pairs < out.length) out[pairs] = hexValue(text, 2 * pairs) << 4
  return out
}

/** RFC 4648 base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('base64')
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

function base64Table(last: string): Int8Array {
  const table = new Int8Array(256).fill(-1)
  Array.from(BASE64 + last).forEach((c, i) => (table[c.charCodeAt(0)] = i))
  return table
}

const STANDARD_TABLE = base64Table('+/')
const URL_TABLE = base64Table('-_')

function base64Value(text: string, at: number, table: Int8Array): number {
  check(at < text.length, 'std_exception', 'base64 text ends within a byte')
  const value = table[text.charCodeAt(at)] ?? -1
  check(value >= 0, 'assert_exception', 'false: encountered non-base64 character')
  return value
}

/**
 * Reads base64, padded or not; `url` is the alphabet with `-` and `_`. Like the reference it stops
 * at padding at the start of a group of four, and drops bits that do not fill a byte.
 * @throws ChainError assert_exception for other characters. libfc: include/fc/crypto/base64.hpp
 */
export function fromBase64(text: string, url = false): Uint8Array {
  const table = url ? URL_TABLE : STANDARD_TABLE
  const out = new Uint8Array(Math.ceil(text.length / 4) * 3)
  let size = 0
  for (let pos = 0; pos < text.length && text[pos] !== '='; pos += 4) {
    const second = base64Value(text, pos + 1, table)
    out[size++] = (base64Value(text, pos, table) << 2) | (second >> 4)
    if (pos + 2 >= text.length || text[pos + 2] === '=') continue
    const third = base64Value(text, pos + 2, table)
    out[size++] = ((second & 15) << 4) | (third >> 2)
    if (pos + 3 >= text.length || text[pos + 3] === '=') continue
    out[size++] = ((third & 3) << 6) | base64Value(text, pos + 3, table)
  }
  return out.slice(0, size)
}

/** UTF-8 text of bytes; bytes that are not UTF-8 become U+FFFD. */
export function utf8FromBytes(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('utf8')
}

const encoder = new TextEncoder()

/** UTF-8 bytes of text. */
export function utf8ToBytes(text: string): Uint8Array {
  return encoder.encode(text)
}

/** Text with one character for each byte, which it keeps whatever they are. */
export function latin1FromBytes(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('latin1')
}

/** The bytes of a text whose characters are all below 256. */
export function latin1ToBytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'))
}

/** UTF-8 as answers show it: invalid bytes are omitted. spring: libfc/src/utf8.cpp */
export function printableUtf8(bytes: Uint8Array): string {
  const text = utf8FromBytes(bytes)
  const whole = !text.includes('\ufffd') || isUtf8(bytes)
  return whole ? text : text.replaceAll('\ufffd', '')
}

/** True when both have the same length and bytes. */
export function bytesEqual(a: Uint8Array, b: Uint8Array): boolean {
  const length = a.length
  if (length !== b.length) return false
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return false
  return true
}

/** Lexicographic order of unsigned bytes, shorter first: negative, 0 or positive. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = a.length < b.length ? a.length : b.length
  for (let i = 0; i < length; i++) {
    const d = (a[i] as number) - (b[i] as number)
    if (d !== 0) return d
  }
  return a.length - b.length
}

/** One array from several. */
export function concatBytes(...parts: Uint8Array[]): Uint8Array {
  let length = 0
  for (const part of parts) length += part.length
  const out = new Uint8Array(length)
  let pos = 0
  for (const part of parts) {
    out.set(part, pos)
    pos += part.length
  }
  return out
}
