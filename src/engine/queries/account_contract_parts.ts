import { SYSTEM_ACCOUNT } from '../protocol/constants.ts'
import type { CompiledAbi } from '../abi/compiled_abi.ts'
import { isEmptyAbi } from '../abi/abi_binary.ts'
import type { JsonObject } from '../abi/json.ts'
import { isObject } from '../abi/lenient_json.ts'
import { ChainError, check, rethrowAs } from '../errors.ts'
import { assetToString, unpackAsset } from '../protocol/asset.ts'
import { N } from '../protocol/name.ts'
import { Reader } from '../protocol/reader.ts'
import { isValidSymbol } from '../protocol/symbol.ts'
import type { StateChain, QueryOptions } from './query.ts'
import { requiredAbi } from './contract_abi.ts'
import { TOKEN_ACCOUNT, rowBytes } from './system_tables.ts'

const ACCOUNTS = N('accounts')
const RAM_MARKET = N('rammarket')
/** The symbol `4,RAMCORE` as a key. */
const RAM_CORE = 0x45524f434d415204n

/** The parts of get_account that come from tables of contracts, in the order of the answer. */
export interface AccountContractParts {
  balance: { core_liquid_balance?: string }
  rows: SystemRowsJson
}

/** Rows of the system contract about an account; null if there is none. */
export interface SystemRowsJson {
  total_resources: JsonObject | null
  self_delegated_bandwidth: JsonObject | null
  refund_request: JsonObject | null
  voter_info: JsonObject | null
  rex_info: JsonObject | null
}

/** Rows about an account: field of the answer -> table, scope, and type in the system's ABI. */
const SYSTEM_ROWS: readonly {
  field: keyof SystemRowsJson
  table: bigint
  own_scope: boolean
  type: string
}[] = [
  { field: 'total_resources', table: N('userres'), own_scope: true, type: 'user_resources' },
  {
    field: 'self_delegated_bandwidth',
    table: N('delband'),
    own_scope: true,
    type: 'delegated_bandwidth',
  },
  { field: 'refund_request', table: N('refunds'), own_scope: true, type: 'refund_request' },
  { field: 'voter_info', table: N('voters'), own_scope: false, type: 'voter_info' },
  { field: 'rex_info', table: N('rexbal'), own_scope: false, type: 'rex_balance' },
]

/**
 * The rows of the system and token contracts about an account; missing rows are null. Without an
 * ABI of the system contract nothing is read. spring: read_only::get_account
 */
export function accountContractParts(
  chain: StateChain,
  account: bigint,
  expected_core_symbol: bigint | undefined,
  options: QueryOptions,
): AccountContractParts {
  const rows: SystemRowsJson = {
    total_resources: null,
    self_delegated_bandwidth: null,
    refund_request: null,
    voter_info: null,
    rex_info: null,
  }
  const packed = chain.db.account.get('by_name', SYSTEM_ACCOUNT).abi
  if (isEmptyAbi(packed)) return { balance: {}, rows }
  const abi = rethrowAs('account_query_exception', 'unable to retrieve account info', () =>
    requiredAbi(chain, packed),
  )
  const balance = coreBalance(chain, account, expected_core_symbol ?? coreSymbol(chain))
  for (const { field, table, own_scope, type } of SYSTEM_ROWS) {
    const scope = own_scope ? account : SYSTEM_ACCOUNT
    const bytes = rowBytes(chain, SYSTEM_ACCOUNT, scope, table, account)
    if (bytes) rows[field] = decodeRow(abi, type, bytes, options)
  }
  return { balance: balance === undefined ? {} : { core_liquid_balance: balance }, rows }
}

/** A row as its type says; ABIs that have no struct for it are refused. */
function decodeRow(
  abi: CompiledAbi,
  type: string,
  bytes: Uint8Array,
  options: QueryOptions,
): JsonObject {
  const row = abi.decode(type, bytes, options)
  check(
    isObject(row),
    'invalid_type_inside_abi',
    () => `The type ${type} of the system contract is not a struct`,
  )
  return row
}

function coreBalance(chain: StateChain, account: bigint, symbol: bigint): string | undefined {
  const bytes = rowBytes(chain, TOKEN_ACCOUNT, account, ACCOUNTS, symbol >> 8n)
  if (!bytes || bytes.length < 16) return undefined
  const balance = unpackAsset(new Reader(bytes))
  return balance.symbol === symbol ? assetToString(balance) : undefined
}

/** The symbol in which the system contract prices RAM; 0 when it does not. */
function coreSymbol(chain: StateChain): bigint {
  const bytes = rowBytes(chain, SYSTEM_ACCOUNT, SYSTEM_ACCOUNT, RAM_MARKET, RAM_CORE)
  if (!bytes) return 0n
  try {
    const r = new Reader(bytes)
    unpackAsset(r)
    unpackAsset(r)
    r.f64()
    const { symbol } = unpackAsset(r)
    r.f64()
    return isValidSymbol(symbol) ? symbol : 0n
  } catch (error) {
    if (error instanceof ChainError) return 0n
    throw error
  }
}
