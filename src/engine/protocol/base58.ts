/** Base58 as Bitcoin writes it. spring: libraries/libfc/src/crypto/base58.cpp */
import { fail } from '../errors.ts'
import { fromHex, toHex } from './hex.ts'
import { trim } from './text.ts'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const VALUE = new Int8Array(128).fill(-1)
for (let i = 0; i < ALPHABET.length; i++) VALUE[ALPHABET.charCodeAt(i)] = i

/** Longer texts are refused; a WebAuthn signature needs less than this. */
const MAX_TEXT = 64 * 1024

/**
 * Up to these lengths, which include all keys and K1 and R1 signatures, the quadratic method is
 * faster than the method for longer texts, which divides them into halves.
 */
const SHORT_TEXT = 280
const SHORT_BYTES = 200

/** Five digits at a time. */
const BASE = 58 ** 5
/** Two digits, the lower one last. */
const PAIRS = Array.from(
  { length: 58 * 58 },
  (_, i) => (ALPHABET[Math.floor(i / 58)] as string) + (ALPHABET[i % 58] as string),
)

/** Bytes -> text; leading zero bytes are leading `1`s. */
export function toBase58(bytes: Uint8Array): string {
  let zeros = 0
  while (bytes[zeros] === 0) zeros++
  const digits = bytes.length <= SHORT_BYTES ? shortDigits(bytes) : longDigits(bytes)
  let start = 0
  while (digits[start] === '1') start++
  return '1'.repeat(zeros) + digits.slice(start)
}

/** 58 to the power of the index. */
const POWERS = [1, 58, 58 ** 2, 58 ** 3, 58 ** 4] as const
const FOUR_DIGITS = POWERS[4]
const LIMB = 0x100_0000
/** A short number in limbs of 24 bits: a remainder and a limb are 48 bits together. 280 digits are 69 limbs. */
const limbs = new Float64Array(72)

/** Digits of a number in bytes, some zeros before them: it is divided until nothing is left. The highest limb is first. */
function shortDigits(bytes: Uint8Array): string {
  const count = Math.ceil(bytes.length / 3)
  // Missing bytes of the first limb are zeros.
  for (let i = 0, at = bytes.length - 3 * count; i < count; i++, at += 3) {
    const high = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8)
    limbs[i] = high | (bytes[at + 2] as number)
  }
  let digits = ''
  for (let first = 0; first < count;) {
    let rest = 0
    for (let i = first; i < count; i++) {
      const value = rest * LIMB + (limbs[i] as number)
      const quotient = Math.floor(value / FOUR_DIGITS)
      limbs[i] = quotient
      rest = value - quotient * FOUR_DIGITS
    }
    while (first < count && limbs[first] === 0) first++
    const high = Math.floor(rest / 3364)
    digits = (PAIRS[high] as string) + (PAIRS[rest - high * 3364] as string) + digits
  }
  return digits
}

/** Digits of a number in bytes, some zeros before them: it is halved until five digits are left. */
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

/**
 * Text -> bytes. Space around the text is ignored.
 * @throws `parse_error_exception` for other characters, and for a text that is too long
 */
export function fromBase58(from: string): Uint8Array {
  const text = trim(from)
  if (text.length > MAX_TEXT) fail('parse_error_exception', 'Base58 text is too long')
  for (let i = 0; i < text.length; i++) {
    if (!(valueAt(text, i) >= 0)) {
      fail('parse_error_exception', `Unable to decode base58 string ${from}`)
    }
  }
  let zeros = 0
  while (zeros < text.length && text[zeros] === '1') zeros++
  if (text.length <= SHORT_TEXT) return shortBytes(text, zeros)
  const significant = longBytes(text)
  const bytes = new Uint8Array(zeros + significant.length)
  bytes.set(significant, zeros)
  return bytes
}

/** The value of a digit; negative or NaN for other characters. */
function valueAt(text: string, at: number): number {
  return VALUE[text.charCodeAt(at)] ?? NaN
}

/** Bytes of a number in digits after some zeros, with as many zeros. The lowest limb is first. */
function shortBytes(text: string, zeros: number): Uint8Array {
  let count = 0
  for (let at = zeros; at < text.length;) {
    // The first group makes the rest a multiple of four.
    const end = at + ((text.length - at - 1) & 3) + 1
    const factor = POWERS[end - at] as number
    let carry = 0
    for (; at < end; at++) carry = carry * 58 + valueAt(text, at)
    for (let i = 0; i < count; i++) {
      const value = (limbs[i] as number) * factor + carry
      carry = Math.floor(value / LIMB)
      limbs[i] = value - carry * LIMB
    }
    if (carry > 0) limbs[count++] = carry
  }
  const highest = count === 0 ? 0 : (limbs[count - 1] as number)
  const size = 3 * count - (highest < 0x100 ? 2 : highest < 0x1_0000 ? 1 : 0)
  const bytes = new Uint8Array(zeros + Math.max(0, size))
  for (let i = 0, at = bytes.length - 1; i < count; i++) {
    const limb = limbs[i] as number
    bytes[at--] = limb
    if (at >= zeros) bytes[at--] = limb >> 8
    if (at >= zeros) bytes[at--] = limb >> 16
  }
  return bytes
}

/** Bytes of a number in digits, without leading zeros: halves are joined with ever longer powers. */
function longBytes(text: string): Uint8Array {
  const size = 9
  let parts: bigint[] = []
  // Least significant first.
  for (let end = text.length; end > 0; end -= size) {
    let part = 0
    for (let i = Math.max(0, end - size); i < end; i++) {
      part = part * 58 + valueAt(text, i)
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
