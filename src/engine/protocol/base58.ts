/** Base58 as Bitcoin writes it. spring: libraries/libfc/src/crypto/base58.cpp */
import { fail } from '../errors.ts'
import { fromHex, toHex } from './hex.ts'
import { trim } from './white_space.ts'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const VALUE = new Int8Array(128).fill(-1)
for (let i = 0; i < ALPHABET.length; i++) VALUE[ALPHABET.charCodeAt(i)] = i

/** Longer texts are refused; a WebAuthn signature needs less than this. */
const MAX_TEXT = 64 * 1024

/** Beyond these, halves are converted by themselves: digit by digit takes quadratic time. */
const LONG_TEXT = 400
const LONG_BYTES = 400

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
  const digits = bytes.length > LONG_BYTES ? longDigits(bytes) : shortDigits(bytes)
  let start = 0
  while (digits[start] === '1') start++
  return '1'.repeat(zeros) + digits.slice(start)
}

/** Digits of a number in bytes, some zeros before them. */
function shortDigits(bytes: Uint8Array): string {
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
  return text
}

/** The same for long ones: the number is halved until five digits are left. */
function longDigits(bytes: Uint8Array): string {
  const value = BigInt(`0x${toHex(bytes)}`)
  const halvings = Math.ceil(Math.log2((bytes.length * 8) / Math.log2(BASE)))
  const powers = [BigInt(BASE)]
  while (powers.length < halvings) powers.push((powers.at(-1) as bigint) ** 2n)
  const digits = (part: bigint, level: number): string => {
    if (level < 0) return fiveDigits(Number(part))
    const high = part / (powers[level] as bigint)
    return digits(high, level - 1) + digits(part - high * (powers[level] as bigint), level - 1)
  }
  return digits(value, powers.length - 1)
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
  const significant = text.length > LONG_TEXT ? longBytes(text, from) : shortBytes(text, from)
  let zeros = 0
  while (zeros < text.length && text[zeros] === '1') zeros++
  const bytes = new Uint8Array(zeros + significant.length)
  bytes.set(significant, zeros)
  return bytes
}

function valueAt(text: string, at: number, from: string): number {
  const value = VALUE[text.charCodeAt(at)] ?? -1
  return value < 0 ? fail('parse_error_exception', `Unable to decode base58 string ${from}`) : value
}

/** Bytes of a number in digits, without leading zeros. */
function shortBytes(text: string, from: string): Uint8Array {
  // Digits of base 2^24, least significant first.
  const digits: number[] = []
  for (let c = 0; c < text.length; c++) {
    let carry = valueAt(text, c, from)
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
  return Uint8Array.from(reversed.reverse())
}

/** The same for long ones: halves are joined with ever longer powers. */
function longBytes(text: string, from: string): Uint8Array {
  const size = 9
  let parts: bigint[] = []
  // Least significant first.
  for (let end = text.length; end > 0; end -= size) {
    let part = 0
    for (let i = Math.max(0, end - size); i < end; i++) {
      part = part * 58 + valueAt(text, i, from)
    }
    parts.push(BigInt(part))
  }
  for (let power = 58n ** BigInt(size); parts.length > 1; power *= power) {
    const joined: bigint[] = []
    for (let i = 0; i < parts.length; i += 2) {
      joined.push((parts[i] as bigint) + (parts[i + 1] ?? 0n) * power)
    }
    parts = joined
  }
  const hex = (parts[0] as bigint).toString(16)
  if (hex === '0') return new Uint8Array(0)
  return fromHex(hex.padStart(hex.length + (hex.length & 1), '0'))
}
