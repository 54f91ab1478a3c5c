/** Base58 as Bitcoin writes it. spring: libraries/libfc/src/crypto/base58.cpp */
import { fail } from '../errors.ts'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const VALUE = new Int8Array(128).fill(-1)
for (let i = 0; i < ALPHABET.length; i++) VALUE[ALPHABET.charCodeAt(i)] = i

/** Work grows with the square of the length; a WebAuthn signature needs less than this. */
const MAX_TEXT = 64 * 1024

/** Bytes -> text; leading zero bytes are leading `1`s. */
export function toBase58(bytes: Uint8Array): string {
  // Digits of base 58^5, least significant first: fewer and still exact steps.
  const BASE = 58 ** 5
  const digits: number[] = []
  for (const byte of bytes) {
    let carry = byte
    for (let i = 0; i < digits.length; i++) {
      carry += (digits[i] as number) * 256
      digits[i] = carry % BASE
      carry = Math.floor(carry / BASE)
    }
    if (carry > 0) digits.push(carry)
  }
  let reversed = ''
  for (const digit of digits) {
    let rest = digit
    for (let k = 0; k < 5; k++) {
      reversed += ALPHABET[rest % 58] as string
      rest = Math.floor(rest / 58)
    }
  }
  let end = reversed.length
  while (end > 0 && reversed[end - 1] === '1') end--
  let text = ''
  for (let i = 0; i < bytes.length && bytes[i] === 0; i++) text += '1'
  for (let i = end - 1; i >= 0; i--) text += reversed[i] as string
  return text
}

/** Text -> bytes. Other characters: `parse_error_exception`. Space around the text is ignored. */
export function fromBase58(from: string): Uint8Array {
  const text = from.trim()
  if (text.length > MAX_TEXT) fail('parse_error_exception', 'Base58 text is too long')
  // Digits of base 2^24, least significant first.
  const digits: number[] = []
  for (let c = 0; c < text.length; c++) {
    let carry = VALUE[text.charCodeAt(c)] ?? -1
    if (carry < 0) fail('parse_error_exception', `Unable to decode base58 string ${from}`)
    for (let i = 0; i < digits.length; i++) {
      carry += (digits[i] as number) * 58
      digits[i] = carry & 0xffffff
      carry = Math.floor(carry / 0x1000000)
    }
    if (carry > 0) digits.push(carry)
  }
  const reversed: number[] = []
  for (const digit of digits) reversed.push(digit & 255, (digit >>> 8) & 255, digit >>> 16)
  while (reversed.length > 0 && reversed[reversed.length - 1] === 0) reversed.pop()
  let zeros = 0
  while (zeros < text.length && text[zeros] === '1') zeros++
  const bytes = new Uint8Array(zeros + reversed.length)
  for (let i = 0; i < reversed.length; i++) bytes[bytes.length - 1 - i] = reversed[i] as number
  return bytes
}
