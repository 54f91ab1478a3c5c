import { fail } from '../errors.ts'
import { parseInt64 } from '../protocol/integer.ts'
import { doubleToText } from './number_text.ts'

/**
 * Reads JSON values with the conversions of libfc, which accept numeric strings for numbers,
 * numbers for strings, and null for zero or nothing (spring: libraries/libfc/src/variant.cpp).
 * `bigint` represents a JSON integer that a double cannot hold.
 */

const U64 = 1n << 64n

/** The reference's name of a value's type, as its messages print it. */
export function variantType(value: unknown): string {
  if (value === null || value === undefined) return 'null_type'
  if (Array.isArray(value)) return 'array_type'
  switch (typeof value) {
    case 'boolean':
      return 'bool_type'
    case 'string':
      return 'string_type'
    case 'bigint':
      return value < 0n ? 'int64_type' : 'uint64_type'
    case 'number':
      return !Number.isInteger(value) ? 'double_type' : value < 0 ? 'int64_type' : 'uint64_type'
    default:
      return 'object_type'
  }
}

function badCast(value: unknown, target: string): never {
  return fail('bad_cast_exception', `Invalid cast from ${variantType(value)} to ${target}`)
}

/** An object that came from JSON: neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The object itself.
 * @throws ChainError bad_cast_exception
 */
export function asObject(value: unknown): Record<string, unknown> {
  if (isObject(value)) return value
  return fail('bad_cast_exception', `Invalid cast from type '${variantType(value)}' to Object`)
}

/**
 * The array itself.
 * @throws ChainError bad_cast_exception
 */
export function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : badCast(value, 'Array')
}

/**
 * The string itself; nothing is converted (libfc get_string).
 * @throws ChainError bad_cast_exception
 */
export function strictString(value: unknown): string {
  if (typeof value === 'string') return value
  return fail('bad_cast_exception', `Invalid cast from type '${variantType(value)}' to string`)
}

/**
 * A string; numbers and booleans are printed, null is empty (libfc as_string).
 * @throws ChainError bad_cast_exception for an object or an array
 */
export function asString(value: unknown): string {
  if (value === null || value === undefined) return ''
  switch (typeof value) {
    case 'string':
      return value
    case 'boolean':
    case 'bigint':
      return value.toString()
    case 'number':
      return Number.isInteger(value) ? BigInt(value).toString() : doubleToText(value)
    default:
      return badCast(value, 'string')
  }
}

/**
 * A boolean; numbers count as nonzero, strings must be "true" or "false" (libfc as_bool).
 * @throws ChainError bad_cast_exception
 */
export function asBool(value: unknown): boolean {
  if (value === null || value === undefined) return false
  switch (typeof value) {
    case 'boolean':
      return value
    case 'string':
      if (value === 'true') return true
      if (value === 'false') return false
      return fail(
        'bad_cast_exception',
        'Cannot convert string to bool (only "true" or "false" can be converted)',
      )
    case 'number':
      return value !== 0
    case 'bigint':
      return value !== 0n
    default:
      return badCast(value, 'bool')
  }
}

/**
 * Reads decimal text as an unsigned 64-bit integer. A leading minus negates modulo 2^64, as the
 * reference's lexical cast does (libfc to_uint64).
 * @throws ChainError parse_error_exception
 */
export function parseUint64(text: string): bigint {
  const value = decimalInteger(text)
  if (value === undefined || value >= U64 || value <= -U64) {
    return fail('parse_error_exception', "Couldn't parse uint64_t")
  }
  return BigInt.asUintN(64, value)
}

function decimalInteger(text: string): bigint | undefined {
  // Longer than any 64-bit integer: refused before BigInt would have to parse it.
  if (!/^[+-]?[0-9]{1,64}$/.test(text)) return undefined
  return text[0] === '+' ? BigInt(text.slice(1)) : BigInt(text)
}

/**
 * Reads text as a double (libfc to_double).
 * @throws ChainError parse_error_exception
 */
export function parseDouble(text: string): number {
  const special = /^([+-]?)(?:(inf|infinity)|nan(?:\([^)]*\))?)$/i.exec(text)
  if (special) return special[2] ? (special[1] === '-' ? -Infinity : Infinity) : NaN
  if (/^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(text)) {
    const value = Number(text)
    if (Number.isFinite(value)) return value
  }
  return fail('parse_error_exception', "Couldn't parse double")
}

/**
 * A JSON number as an integer that 64 bits hold, signed or not. Larger ones are refused, as the
 * reference's parser refuses them; so are integers that a double cannot hold for sure, as their
 * digits are lost already. Fractions are cut.
 */
function jsonInteger(value: number | bigint, target: 'int64_t' | 'uint64_t'): bigint {
  if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) {
    return BigInt(Math.trunc(value))
  }
  if (typeof value === 'bigint' && value < U64 && value >= -U64 / 2n) return value
  const hint = typeof value === 'number' ? ': integers above 2^53 must be strings' : ''
  return fail('parse_error_exception', `Couldn't parse ${target}${hint}`)
}

/**
 * A signed 64-bit integer (libfc as_int64): -2^63 … 2^63-1.
 * @throws ChainError bad_cast_exception, parse_error_exception
 */
export function asInt64(value: unknown): bigint {
  if (value === null || value === undefined) return 0n
  switch (typeof value) {
    case 'string':
      return parseInt64(value)
    case 'number':
    case 'bigint':
      return BigInt.asIntN(64, jsonInteger(value, 'int64_t'))
    case 'boolean':
      return value ? 1n : 0n
    default:
      return badCast(value, 'int64')
  }
}

/**
 * An unsigned 64-bit integer (libfc as_uint64): 0 … 2^64-1; negative numbers wrap.
 * @throws ChainError bad_cast_exception, parse_error_exception
 */
export function asUint64(value: unknown): bigint {
  if (value === null || value === undefined) return 0n
  switch (typeof value) {
    case 'string':
      return parseUint64(value)
    case 'number':
    case 'bigint':
      return BigInt.asUintN(64, jsonInteger(value, 'uint64_t'))
    case 'boolean':
      return value ? 1n : 0n
    default:
      return badCast(value, 'uint64')
  }
}

/** An unsigned 32-bit integer: the low half of {@link asUint64}. */
export function asUint32(value: unknown): number {
  return Number(asUint64(value) & 0xffffffffn)
}

/** A signed 32-bit integer: the low half of {@link asInt64}. */
export function asInt32(value: unknown): number {
  return Number(BigInt.asIntN(32, asInt64(value)))
}

/**
 * A double (libfc as_double).
 * @throws ChainError bad_cast_exception, parse_error_exception
 */
export function asDouble(value: unknown): number {
  if (value === null || value === undefined) return 0
  switch (typeof value) {
    case 'string':
      return parseDouble(value)
    case 'number':
      return value
    case 'bigint':
      return Number(value)
    case 'boolean':
      return value ? 1 : 0
    default:
      return badCast(value, 'double')
  }
}
