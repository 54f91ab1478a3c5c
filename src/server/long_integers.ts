/**
 * JSON numbers that a double cannot hold: 64-bit ids and keys, which clients in other languages send
 * as numbers. They are read as decimal texts, which every operation takes where it takes numbers.
 */
import { invalidRequest } from './error_response.ts'

/** Sixteen digits after what can stand before a number; in texts they stand after other digits. */
const MAY_BE_LONG = /(?:^|[\s:,[])-?[0-9]{16}/
/** A text, or a number. What is between them in valid JSON has neither quotes nor digits. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9][0-9.eE+-]*/g
const INTEGER = /^-?[0-9]{16,}$/

const U64_MAX = 2n ** 64n - 1n
const I64_MIN = -(2n ** 63n)

/**
 * Valid JSON with integers beyond 2^53 as texts; undefined when it has none.
 * @throws ChainError invalid_http_request for integers that 64 bits do not hold, which the reference
 *   refuses too (spring: libraries/libfc/src/io/json.cpp number_from_stream)
 */
export function withLongIntegersAsTexts(json: string): string | undefined {
  if (!MAY_BE_LONG.test(json)) return undefined
  return json.replace(TOKEN, (token) => {
    if (!INTEGER.test(token) || Number.isSafeInteger(Number(token))) return token
    // Longer ones would cost much to look at.
    const value = token.length > 20 ? U64_MAX + 1n : BigInt(token)
    if (value > U64_MAX || value < I64_MIN) throw invalidRequest('an integer exceeds 64 bits')
    return `"${token}"`
  })
}
