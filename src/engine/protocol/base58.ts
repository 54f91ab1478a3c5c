/** Base58 as Bitcoin writes it. spring: libraries/libfc/src/crypto/base58.cpp */
import { fail } from '../errors.ts'
import { trim } from './white_space.ts'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const VALUE = new Int8Array(128).fill(-1)
for (let i = 0; i < ALPHABET.length; i++) VALUE[ALPHABET.charCodeAt(i)] = i

/** Work grows with the square of the length; a WebAuthn signature needs less than this. */
const MAX_TEXT = 64 * 1024

/** Five digits at a time: with 16 bits more they are exact in a double, and so is their quotient. */
const BASE = 58 ** 5
const STEP = 2 ** 16
/** Two digits, the lower one last. */
const PAIRS = Array.from(
  { length: 58 * 58 },
  (_, i) => (ALPHABET[Math.floor(i / 58)] as string) + (ALPHABET[i % 58] as string),
)

/** Bytes -> text; leading zero bytes are leading `1`s. */
export function toBase58(bytes: Uint8Array): string {
  let zeros = 0
  while (bytes[zeros] === 0) zeros++
  // Least significant first.
  const digits: number[] = []
  const odd = bytes.length & 1
  for (let at = -odd; at < bytes.length; at += 2) {
    let carry =
      at < 0 ? (bytes[0] as number) : ((bytes[at] as number) << 8) | (bytes[at + 1] as number)
    for (let i = 0; i < digits.length; i++) {
      const value = (digits[i] as number) * STEP + carry
      carry = Math.floor(value / BASE)
      digits[i] = value - carry * BASE
    }
    if (carry > 0) digits.push(carry)
  }
  let text = ''
  for (let i = digits.length - 1; i >= 0; i--) text += fiveDigits(digits[i] as number)
  let start = 0
  while (text[start] === '1') start++
  return '1'.repeat(zeros) + text.slice(start)
}

function fiveDigits(value: number): string {
  const high = Math.floor(value / 3364)
  const low = value - high * 3364
  const first = Math.floor(high / 3364)
  return (ALPHABET[first] as string) + PAIRS[high - first * 3364] + PAIRS[low]
}

/** Text -> bytes. Other characters: `parse_error_exception`. Space around the text is ignored. */
export function fromBase58(from: string): Uint8Array {
  const text = trim(from)
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
