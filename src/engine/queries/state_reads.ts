/** The operations that read only what threads of HTTP know of the chain: any thread can answer them. */
import type { Answer, Body } from '../contract.ts'
import { getAccount } from './account.ts'
import * as blocks from './blocks.ts'
import { getInfo, type ServerVersion } from './chain_info.ts'
import * as code from './code.ts'
import { getCurrencyBalance, getCurrencyStats } from './currency.ts'
import type { QueryOptions, StateChain } from './query.ts'
import { getScheduledTransactions } from './scheduled_transactions.ts'
import { getTableByScope } from './table_by_scope.ts'
import { getTableRows } from './table_rows.ts'

/** The operations that read blocks: the block log must be a file. */
export const BLOCK_READS = [
  'get_block',
  'get_raw_block',
  'get_block_header',
  'get_block_info',
  'get_block_header_state',
] as const
/** The name of an operation that reads a block. */
export type BlockRead = (typeof BLOCK_READS)[number]

/** The names of these operations. */
export type StateRead =
  | 'get_info'
  | BlockRead
  | 'get_account'
  | 'get_code'
  | 'get_code_hash'
  | 'get_abi'
  | 'get_raw_abi'
  | 'get_raw_code_and_abi'
  | 'get_table_rows'
  | 'get_table_by_scope'
  | 'get_currency_balance'
  | 'get_currency_stats'
  | 'get_scheduled_transactions'

/** The arguments of these queries beside their parameters. */
export interface StateReadOptions extends QueryOptions {
  version: ServerVersion
}

type StateReads = {
  readonly [Op in StateRead]: (
    chain: StateChain,
    body: Body<Op>,
    options: StateReadOptions,
  ) => Answer<Op>
}

/** By operation: what answers it. */
export const STATE_READS: StateReads = {
  get_info: (chain, _body, { version }) => getInfo(chain, version),
  get_block: blocks.getBlock,
  get_raw_block: blocks.getRawBlock,
  get_block_header: blocks.getBlockHeader,
  get_block_info: blocks.getBlockInfo,
  get_block_header_state: blocks.getBlockHeaderState,
  get_account: getAccount,
  get_code: code.getCode,
  get_code_hash: code.getCodeHash,
  get_abi: code.getAbi,
  get_raw_abi: code.getRawAbi,
  get_raw_code_and_abi: code.getRawCodeAndAbi,
  get_table_rows: getTableRows,
  get_table_by_scope: getTableByScope,
  get_currency_balance: getCurrencyBalance,
  get_currency_stats: getCurrencyStats,
  get_scheduled_transactions: getScheduledTransactions,
}
