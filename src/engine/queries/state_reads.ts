/** The operations that read only the state, the time of its head and limits of accounts: any thread can answer them. */
import type { Answer, Body } from '../contract.ts'
import { getAccount } from './account.ts'
import * as code from './code.ts'
import { getCurrencyBalance, getCurrencyStats } from './currency.ts'
import type { QueryOptions, StateChain } from './query.ts'
import { getScheduledTransactions } from './scheduled_transactions.ts'
import { getTableByScope } from './table_by_scope.ts'
import { getTableRows } from './table_rows.ts'

/** The names of these operations. */
export type StateRead =
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

type StateReads = {
  readonly [Op in StateRead]: (
    chain: StateChain,
    body: Body<Op>,
    options: QueryOptions,
  ) => Answer<Op>
}

/** By operation: what answers it. */
export const STATE_READS: StateReads = {
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
