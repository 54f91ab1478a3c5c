/**
 * Assets: an amount in the symbol's smallest unit, and the symbol.
 * spring: libraries/chain/{asset.cpp, include/eosio/chain/asset.hpp}
 */
import { check } from '../errors.ts'
import { checkInt64, parseInt64 } from './integer.ts'
import type { Reader } from './reader.ts'
import {
  checkSymbol,
  isValidSymbol,
  symbolCodeToString,
  symbolFromString,
  symbolPrecision,
} from './symbol.ts'
import { trim } from './text.ts'
import type { Writer } from './writer.ts'

/** `10.0000 EOS` is `{amount: 100000n, symbol: 4,EOS}`. */
export interface Asset {
  amount: bigint
  symbol: bigint
}

/** Amounts stay below 2^62 in magnitude. */
export const MAX_AMOUNT = (1n << 62n) - 1n

/**
 * Checks that the amount and the symbol are in range.
 * @throws ChainError asset_type_exception
 */
export function checkAsset(asset: Asset): Asset {
  check(
    -MAX_AMOUNT <= asset.amount && asset.amount <= MAX_AMOUNT,
    'asset_type_exception',
    'magnitude of asset amount must be less than 2^62',
  )
  check(isValidSymbol(asset.symbol), 'asset_type_exception', 'invalid symbol')
  return asset
}

/** `{100000n, 4,EOS}` -> `10.0000 EOS`. */
export function assetToString(asset: Asset): string {
  const precision = symbolPrecision(asset.symbol)
  const name = symbolCodeToString(asset.symbol >> 8n)
  const negative = asset.amount < 0n
  const digits = (negative ? -asset.amount : asset.amount).toString().padStart(precision + 1, '0')
  const point = digits.length - precision
  const text = precision === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`
  return `${negative ? '-' : ''}${text} ${name}`
}

/**
 * `10.0000 EOS` -> asset; the digits after the point are the symbol's decimals.
 * @throws ChainError `asset_type_exception`, `symbol_type_exception`, `parse_error_exception`,
 *   `overflow_exception`, `underflow_exception`
 */
export function assetFromString(from: string): Asset {
  const text = trim(from)
  const space = text.indexOf(' ')
  check(
    space >= 0,
    'asset_type_exception',
    "Asset's amount and symbol should be separated with space",
  )
  const amountText = text.slice(0, space)
  const point = amountText.indexOf('.')
  check(
    point < 0 || point !== amountText.length - 1,
    'asset_type_exception',
    'Missing decimal fraction after decimal point',
  )
  const precision = point < 0 ? 0 : amountText.length - point - 1
  const symbol = symbolFromString(`${precision},${trim(text.slice(space + 1))}`)
  const scale = 10n ** BigInt(symbolPrecision(symbol))
  let amount = checkInt64(parseInt64(point < 0 ? amountText : amountText.slice(0, point)) * scale)
  if (point >= 0) {
    const fraction = parseInt64(amountText.slice(point + 1))
    amount = checkInt64(amount + (amountText.startsWith('-') ? -fraction : fraction))
  }
  return checkAsset({ amount, symbol })
}

/**
 * Writes an asset in the wire format: amount (i64) and symbol (u64). spring:
 * libraries/chain/include/eosio/chain/asset.hpp
 */
export function packAsset(w: Writer, asset: Asset): void {
  w.i64(asset.amount)
  w.u64(asset.symbol)
}

/**
 * Reads and validates an asset. The symbol is checked first, as in the reference.
 * @throws ChainError symbol_type_exception, asset_type_exception
 */
export function unpackAsset(r: Reader): Asset {
  return checkAsset({ amount: r.i64(), symbol: checkSymbol(r.u64()) })
}
