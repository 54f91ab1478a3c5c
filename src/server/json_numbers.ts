/**
 * JSON numbers that JSON.parse reads otherwise than the reference does
 * (spring: libraries/libfc/src/io/json.cpp number_from_stream).
 */
import { invalidRequest } from './error_response.ts'

/**
 * Characters that can precede a number. In strings other characters precede digits, or also these,
 * which costs little.
 */
const BEFORE = String.raw`(?:^|[\s:,[])`
const MAY_DIFFER = new RegExp(`${BEFORE}-?(?:[0-9]{16}|[0-9][0-9.]*[eE]|(?<=-)0(?![0-9.]))`)
/** A text, or a number. What is between them in valid JSON has neither quotes nor digits. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9][0-9.eE+-]*/g
const INTEGER = /^-?[0-9]+$/

const U64_MAX = 2n ** 64n - 1n
const I64_MIN = -(2n ** 63n)

/** Whether {@link withNumbersAsRead} may change a text. */
export function readsOtherwise(json: string): boolean {
  return MAY_DIFFER.test(json)
}

/**
 * Valid JSON in which integers beyond 2^53 and numbers with an exponent are replaced by strings.
 * Every operation accepts such strings for these numbers. Returns undefined if there is no such
 * number.
 * @throws ChainError invalid_http_request for integers beyond 64 bits and for fractions beyond a
 *   double, which the reference refuses too
 */
export function withNumbersAsRead(json: string): string | undefined {
  return readsOtherwise(json) ? json.replace(TOKEN, asRead) : undefined
}

function asRead(token: string): string {
  if (token.startsWith('"')) return token
  // The reference reads the whole token as a text: a float64 takes it, a whole number does not.
  if (/[eE]/.test(token)) return `"${token}"`
  if (!INTEGER.test(token)) {
    if (!Number.isFinite(Number(token))) throw invalidRequest('a number exceeds a double')
    return token
  }
  // An integer has no negative zero.
  if (token === '-0') return '0'
  if (Number.isSafeInteger(Number(token))) return token
  // Longer numbers would be expensive to check.
  const value = token.length > 20 ? U64_MAX + 1n : BigInt(token)
  if (value > U64_MAX || value < I64_MIN) throw invalidRequest('an integer exceeds 64 bits')
  return `"${token}"`
}
