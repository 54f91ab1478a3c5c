/**
 * Token symbols: decimals in the low byte, then up to seven capital letters.
 * spring: libraries/chain/{symbol.cpp, include/eosio/chain/symbol.hpp}
 */
import { check, fail } from '../errors.ts'
import { parseInt64 } from './integer.ts'
import { trim } from './white_space.ts'

/** Most decimals of a symbol. */
export const MAX_PRECISION = 18

/** Decimals after the point. */
export function symbolPrecision(symbol: bigint): number {
  return Number(symbol & 0xffn)
}

// The last code and its name: an asset's symbol is looked at twice, and a table has few of them.
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

function nameOfCode(code: bigint): string {
  let text = ''
  for (let rest = BigInt.asUintN(64, code); rest > 0n; rest >>= 8n) {
    text += String.fromCharCode(Number(rest & 0xffn))
  }
  return text
}

const isSymbolName = (name: string): boolean => /^[A-Z]*$/.test(name)

/** Refuses more than 18 decimals and names with other characters: `symbol_type_exception`. */
export function checkSymbol(symbol: bigint): bigint {
  const precision = symbolPrecision(symbol)
  check(
    precision <= MAX_PRECISION,
    'symbol_type_exception',
    () => `precision ${precision} should be <= 18`,
  )
  const name = symbolCodeToString(symbol >> 8n)
  check(isSymbolName(name), 'symbol_type_exception', () => `invalid symbol: ${name}`)
  return symbol
}

/** True when the symbol passes `checkSymbol`. */
export function isValidSymbol(symbol: bigint): boolean {
  return symbolPrecision(symbol) <= MAX_PRECISION && isSymbolName(symbolCodeToString(symbol >> 8n))
}

function packSymbol(precision: number, name: string): bigint {
  check(isSymbolName(name), 'symbol_type_exception', 'invalid character in symbol name')
  if (name.length > 7) fail('symbol_type_exception', `invalid symbol: ${name.slice(0, 7)}`)
  let value = 0n
  for (let i = name.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(name.charCodeAt(i))
  return (value << 8n) | BigInt(precision)
}

/** `4,EOS` -> symbol. Errors: `symbol_type_exception`, `parse_error_exception`. */
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
  return packSymbol(precision, text.slice(comma + 1))
}

/** symbol -> `4,EOS`. */
export function symbolToString(symbol: bigint): string {
  return `${symbolPrecision(symbol)},${symbolCodeToString(symbol >> 8n)}`
}

/** `EOS` -> symbol code (the symbol without its decimals). */
export function symbolCodeFromString(text: string): bigint {
  return packSymbol(0, text) >> 8n
}
