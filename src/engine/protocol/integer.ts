/** Decimal text to integers with the strictness of the reference. */
import { check } from '../errors.ts'

/** The smallest signed number of 64 bits. */
export const INT64_MIN = -(2n ** 63n)
/** The largest signed number of 64 bits. */
export const INT64_MAX = 2n ** 63n - 1n
/** The largest unsigned number of 64 bits. */
export const UINT64_MAX = 2n ** 64n - 1n

/**
 * A signed 64-bit number: optional sign, then digits only. spring: libraries/libfc/src/string.cpp
 * (to_int64)
 * @throws ChainError parse_error_exception
 */
export function parseInt64(text: string): bigint {
  check(/^[+-]?[0-9]{1,400}$/.test(text), 'parse_error_exception', "Couldn't parse int64_t")
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text)
  check(INT64_MIN <= value && value <= INT64_MAX, 'parse_error_exception', "Couldn't parse int64_t")
  return value
}

/**
 * Refuses results outside of signed 64 bits. spring: libraries/libfc/include/fc/safe.hpp
 * @throws ChainError overflow_exception, underflow_exception
 */
export function checkInt64(value: bigint): bigint {
  check(value <= INT64_MAX, 'overflow_exception', 'Integer Overflow')
  check(value >= INT64_MIN, 'underflow_exception', 'Integer Underflow')
  return value
}
