import { hashFromJson } from '../abi/hex_bytes.ts'
import { parseDouble, parseUint64 } from '../abi/lenient_json.ts'
import { ChainError, check, fail } from '../errors.ts'
import { nameFromString } from '../protocol/name.ts'
import { symbolCodeFromString, symbolFromString } from '../protocol/symbol.ts'
import { trim } from '../protocol/text.ts'

/** The result of `parse`; undefined if it refuses the text. */
export function attempt(parse: () => bigint): bigint | undefined {
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
 * @throws ChainError chain_type_exception
 */
export function uint64FromText(text: string, what: string): bigint {
  return uint64IfAny(text) ?? refuseUint64(text, what)
}

/** As {@link uint64FromText}; undefined for what is neither of these. */
export function uint64IfAny(text: string): bigint | undefined {
  // Asked first, for most scopes are names, and a refusal costs more than the rest of a look-up.
  return (
    (INTEGER.test(text) ? attempt(() => parseUint64(text)) : undefined) ??
    attempt(() => nameFromString(trim(text))) ??
    (text.includes(',') ? attempt(() => symbolFromString(text)) : undefined) ??
    attempt(() => symbolCodeFromString(text))
  )
}

/** @throws ChainError chain_type_exception always */
export function refuseUint64(text: string, what: string): never {
  fail(
    'chain_type_exception',
    `Could not convert ${what} string '${text}' to any of the following: uint64_t, valid name, or valid symbol (with or without the precision)`,
  )
}

/**
 * Parses a key of type name. Answers print such keys as numbers, so a number that is not a name is
 * accepted too. Digits that form a name are a name, as in the reference.
 * @throws ChainError name_type_exception
 */
export function nameKeyFromText(text: string): bigint {
  const name = attempt(() => nameFromString(text))
  return name ?? attempt(() => parseUint64(text)) ?? nameFromString(text)
}

/**
 * An unsigned integer of `bits` bits from decimal, `0x` hexadecimal or `0` octal text.
 * spring: fc/variant.cpp from_variant of uint128 and uint256, with the texts of Boost's cpp_int
 * @throws ChainError N5boost10wrapexceptISt13runtime_errorEE for what is not a number, std_exception for
 *   one that is negative or too wide
 */
export function wideIntegerFromText(text: string, bits: number, what: string): bigint {
  if (!/^-?(0x[0-9a-f]*|0[0-7]*|[1-9][0-9]*)$/i.test(text)) {
    const is_decimal_256 = bits === 256 && !/^-?0/.test(text)
    throw notConverted(
      is_decimal_256
        ? 'Unexpected character encountered in input.'
        : 'Unexpected content found while parsing character string.',
      text,
      what,
    )
  }
  const is_in_reach = /^(0x[0-9a-f]{1,64}|0[0-7]*|[1-9][0-9]{0,80})$/i.test(text)
  const octal = /^0[0-7]/.test(text)
  const value = is_in_reach ? BigInt(octal ? `0o${text.slice(1)}` : text) : undefined
  if (value !== undefined && value >> BigInt(bits) === 0n) return value
  return fail('std_exception', `Could not convert ${what} string '${text}' to key type.`)
}

const NOT_CONVERTED = "Could not convert ${desc} string '${str}' to key type."

/** The result of `convert`, whose refusal also says which text it was. spring: convert_to_type */
function converted<T>(text: string, what: string, convert: () => T): T {
  try {
    return convert()
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    throw error.appendLog(NOT_CONVERTED, { desc: what, str: text })
  }
}

/** A failure of Boost, which the reference shows with what it was doing. */
function notConverted(reason: string, text: string, what: string): ChainError {
  const error = new ChainError('N5boost10wrapexceptISt13runtime_errorEE', reason)
  return error.withLog(`\${what}: ${NOT_CONVERTED}`, {
    what: reason,
    desc: what,
    str: text,
  })
}

/**
 * A hash of `size` bytes from hexadecimal text.
 * @throws ChainError
 */
export function hashFromText(text: string, size: number, what: string): Uint8Array {
  return converted(text, what, () => hashFromJson(text, size))
}

/**
 * A double from text; NaN is not a key.
 * @throws ChainError contract_table_query_exception, parse_error_exception
 */
export function doubleFromText(text: string, what: string): number {
  const value = converted(text, what, () => parseDouble(text))
  check(
    !Number.isNaN(value),
    'contract_table_query_exception',
    () =>
      `Converted ${what} string '${text}' to NaN which is not a permitted value for the key type`,
  )
  return value
}
