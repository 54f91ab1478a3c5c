import { parseDouble, parseUint64 } from '../abi/lenient_json.ts'
import { ChainError, check, fail } from '../errors.ts'
import { nameFromString } from '../protocol/name.ts'
import { symbolCodeFromString, symbolFromString } from '../protocol/symbol.ts'
import { trim } from '../protocol/text.ts'

/** The result of `parse`; undefined if it refuses the text. */
function attempt(parse: () => bigint): bigint | undefined {
  try {
    return parse()
  } catch (error) {
    if (error instanceof ChainError) return undefined
    throw error
  }
}

const INTEGER = /^[+-]?[0-9]+$/

/**
 * A 64-bit key or scope from text: a number, a name, a symbol like `4,SYS`, or a symbol code like
 * `SYS`, in that order. spring: chain_plugin.cpp convert_to_type<uint64_t>
 */
export function uint64FromText(text: string, what: string): bigint {
  // Asked first, for most scopes are names, and a refusal costs more than the rest of a look-up.
  const value =
    (INTEGER.test(text) ? attempt(() => parseUint64(text)) : undefined) ??
    attempt(() => nameFromString(trim(text))) ??
    (text.includes(',') ? attempt(() => symbolFromString(text)) : undefined) ??
    attempt(() => symbolCodeFromString(text))
  if (value !== undefined) return value
  return fail(
    'chain_type_exception',
    `Could not convert ${what} string '${text}' to any of the following: uint64_t, valid name, or valid symbol (with or without the precision)`,
  )
}

/**
 * Parses a key of type name. Answers print such keys as numbers, so a number that is not a name is
 * accepted too. Digits that form a name are a name, as in the reference.
 */
export function nameKeyFromText(text: string): bigint {
  const name = attempt(() => nameFromString(text))
  return name ?? attempt(() => parseUint64(text)) ?? nameFromString(text)
}

/** An unsigned integer of `bits` bits from decimal, `0x` hexadecimal or `0` octal text. */
export function wideIntegerFromText(text: string, bits: number, what: string): bigint {
  const refuse = (): never =>
    fail('std_exception', `Could not convert ${what} string '${text}' to key type.`)
  const match = /^\+?(0x[0-9a-f]{1,64}|0[0-7]+|[1-9][0-9]{0,80}|0)$/i.exec(text)
  if (!match) return refuse()
  const digits = match[1]!
  const octal = /^0[0-7]/.test(digits)
  const value = BigInt(octal ? `0o${digits.slice(1)}` : digits)
  return value >> BigInt(bits) === 0n ? value : refuse()
}

/** A double from text; NaN is no key. */
export function doubleFromText(text: string, what: string): number {
  const value = parseDouble(text)
  check(
    !Number.isNaN(value),
    'contract_table_query_exception',
    () =>
      `Converted ${what} string '${text}' to NaN which is not a permitted value for the key type`,
  )
  return value
}
