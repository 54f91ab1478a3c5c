import type { Body } from '../contract.ts'
import { check } from '../errors.ts'
import type { Asset } from '../protocol/asset.ts'
import { assetToString, unpackAsset } from '../protocol/asset.ts'
import { N, nameToString } from '../protocol/name.ts'
import { Reader } from '../protocol/reader.ts'
import { symbolCodeFromString, symbolCodeToString } from '../protocol/symbol.ts'
import { packedAbiOf, tableIndexType } from './contract_abi.ts'
import { parseParams } from './params.ts'
import type { StateChain } from './query.ts'
import { MAX_WALKED_ROWS, abisOf } from './query.ts'
import { tableBytes } from './system_tables.ts'

const ACCOUNTS = N('accounts')
const STAT = N('stat')
const ASSET_SIZE = 16
const STAT_SIZE = 40

/** The data of a token contract about one of its tokens. */
export interface CurrencyStatsJson {
  supply: string
  max_supply: string
  issuer: string
}

const codeOf = (asset: Asset): string => symbolCodeToString(asset.symbol >> 8n)

/**
 * The code in a request's `symbol`, in capitals: of `SYS`, and also of `4,SYS` and `1.0000 SYS`.
 */
function requestedCode(symbol: string): string {
  return symbol
    .replace(/^\s*-?[0-9]+(\.[0-9]+)?\s+/, '')
    .replace(/^\s*[0-9]+,/, '')
    .toUpperCase()
}

/** Refuses contracts whose ABI has no such table. */
function checkTable(chain: StateChain, code: bigint, table: bigint): void {
  tableIndexType(abisOf(chain).def(packedAbiOf(chain, code)), table)
}

/**
 * Balances of an account in a token contract, as asset strings; only the one of `symbol` when the
 * request has it. spring: read_only::get_currency_balance
 * @throws ChainError asset_type_exception for a row that is not a balance, or the error of a
 *   missing contract or table
 */
export function getCurrencyBalance(
  chain: StateChain,
  params: Body<'get_currency_balance'>,
): string[] {
  const { code, account, symbol } = parseParams(params, (p) => ({
    code: p.name('code'),
    account: p.has('account') ? p.name('account') : undefined,
    symbol: p.optionalString('symbol'),
  }))
  checkTable(chain, code, ACCOUNTS)
  check(account !== undefined, 'invalid_http_request', 'The account is missing')
  const wanted = symbol === undefined ? undefined : requestedCode(symbol)
  const balances: string[] = []
  let walked = 0
  for (const bytes of tableBytes(chain, code, account, ACCOUNTS)) {
    if (walked++ >= MAX_WALKED_ROWS) break
    check(bytes.length >= ASSET_SIZE, 'asset_type_exception', 'Invalid data on table')
    const balance = unpackAsset(new Reader(bytes))
    if (wanted !== undefined && codeOf(balance) !== wanted) continue
    balances.push(assetToString(balance))
    if (wanted !== undefined) break
  }
  return balances
}

/**
 * Supply, greatest supply and issuer of a token, by its code; an empty object when there is no such
 * token. spring: read_only::get_currency_stats
 * @throws ChainError symbol_type_exception, asset_type_exception for a row that is not that of a
 *   token, or the error of a missing contract or table
 */
export function getCurrencyStats(
  chain: StateChain,
  params: Body<'get_currency_stats'>,
): Record<string, CurrencyStatsJson> {
  const { code, symbol } = parseParams(params, (p) => ({
    code: p.name('code'),
    symbol: p.string('symbol'),
  }))
  checkTable(chain, code, STAT)
  const wanted = requestedCode(symbol)
  check(/^[A-Z]*$/.test(wanted), 'symbol_type_exception', 'invalid character in symbol name')
  if (wanted.length > 7) return {}
  const stats: Record<string, CurrencyStatsJson> = {}
  let walked = 0
  for (const bytes of tableBytes(chain, code, symbolCodeFromString(wanted), STAT)) {
    if (walked++ >= MAX_WALKED_ROWS) break
    check(bytes.length >= STAT_SIZE, 'asset_type_exception', 'Invalid data on table')
    const r = new Reader(bytes)
    const supply = unpackAsset(r)
    stats[codeOf(supply)] = {
      supply: assetToString(supply),
      max_supply: assetToString(unpackAsset(r)),
      issuer: nameToString(r.name()),
    }
  }
  return stats
}
