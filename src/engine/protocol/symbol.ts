/**
 * Token symbols: decimals in the low byte, then up to seven capital letters.
 * spring: libraries/chain/{symbol.cpp, include/eosio/chain/symbol.hpp}
 */
import { check } from '../errors.ts'
import { parseInt64 } from './integer.ts'
import { bytesToText } from './text.ts'
import { trim } from './text.ts'

/** Most decimals of a symbol. */
export const MAX_PRECISION = 18

/** Decimals after the point. */
export function symbolPrecision(symbol: bigint): number {
  return Number(symbol & 0xffn)
}

// The last code and its name: the symbol of an asset is converted twice, and a table has few
// symbols.
let last_code = 0n
let last_name = ''

/** The name of a symbol code. Not validated: any bytes print. */
export function symbolCodeToString(code: bigint): string {
  if (code !== last_code) {
    last_name = nameOfCode(code)
    last_code = code
  }
  return last_name
}

/** The bytes of a symbol code, without the zeros behind the last one. */
function bytesOfCode(code: bigint): number[] {
  const bytes: number[] = []
  for (let rest = BigInt.asUintN(64, code); rest > 0n; rest >>= 8n) bytes.push(Number(rest & 0xffn))
  return bytes
}

function nameOfCode(code: bigint): string {
  return bytesToText(Uint8Array.from(bytesOfCode(code)))
}

const isSymbolName = (code: bigint): boolean =>
  bytesOfCode(code).every((byte) => byte >= A && byte <= Z)

const [A, Z] = [0x41, 0x5a]

/**
 * Refuses more than 18 decimals and names with other characters, as unpacking does. spring:
 * symbol.hpp reflector_init
 * @throws ChainError symbol_type_exception
 */
export function checkSymbol(symbol: bigint): bigint {
  const precision = symbolPrecision(symbol)
  check(
    precision <= MAX_PRECISION,
    'symbol_type_exception',
    () => `precision ${precision} should be <= 18`,
  )
  check(
    isSymbolName(symbol >> 8n),
    'symbol_type_exception',
    () => `invalid symbol: ${symbolCodeToString(symbol >> 8n)}`,
  )
  return symbol
}

/** True when the symbol passes `checkSymbol`. */
export function isValidSymbol(symbol: bigint): boolean {
  return symbolPrecision(symbol) <= MAX_PRECISION && isSymbolName(symbol >> 8n)
}

/**
 * Packs letters without a check of their number. The position of a letter wraps, so more than seven
 * letters make an invalid symbol. spring: symbol.hpp string_to_symbol
 */
function packSymbol(precision: number, name: string): bigint {
  check(/^[A-Z]*$/.test(name), 'symbol_type_exception', 'invalid character in symbol name')
  const bytes = [precision, 0, 0, 0, 0, 0, 0, 0]
  for (let i = 0; i < name.length; i++) bytes[(i + 1) % 8]! |= name.charCodeAt(i)
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n)
}

function checkPacked(symbol: bigint, name: () => string): bigint {
  check(isValidSymbol(symbol), 'symbol_type_exception', () => `invalid symbol: ${name()}`)
  return symbol
}

/**
 * `4,EOS` -> symbol.
 * @throws ChainError `symbol_type_exception`, `parse_error_exception`
 */
export function symbolFromString(from: string): bigint {
  const text = trim(from)
  check(text !== '', 'symbol_type_exception', 'creating symbol from empty string')
  const comma = text.indexOf(',')
  check(comma >= 0, 'symbol_type_exception', 'missing comma in symbol')
  // The reference keeps the low byte of the number.
  const precision = Number(BigInt.asUintN(8, parseInt64(text.slice(0, comma))))
  check(
    precision <= MAX_PRECISION,
    'symbol_type_exception',
    () => `precision ${precision} should be <= 18`,
  )
  const symbol = packSymbol(precision, text.slice(comma + 1))
  return checkPacked(symbol, () => symbolCodeToString(symbol >> 8n))
}

/** symbol -> `4,EOS`. */
export function symbolToString(symbol: bigint): string {
  return `${symbolPrecision(symbol)},${symbolCodeToString(symbol >> 8n)}`
}

/** `EOS` -> symbol code (the symbol without its decimals). */
export function symbolCodeFromString(text: string): bigint {
  return checkPacked(packSymbol(0, text), () => text) >> 8n
}
