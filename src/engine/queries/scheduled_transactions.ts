import type { Body } from '../contract.ts'
import { ChainError } from '../errors.ts'
import { fromHex, toHex } from '../protocol/hex.ts'
import { nameToString } from '../protocol/name.ts'
import { Reader } from '../protocol/reader.ts'
import { parseTimePoint, timePointToString } from '../protocol/time.ts'
import { unpackTransaction } from '../protocol/transaction.ts'
import type { Row } from '../state/object_table.ts'
import type { GeneratedTransaction } from '../state/rows.ts'
import { abiResolver } from './contract_abi.ts'
import { parseParams } from './params.ts'
import type { StateChain, QueryOptions } from './query.ts'
import { MAX_PAGE_BYTES, MAX_ROWS, defaultOptions } from './query.ts'
import type { TransactionJson } from '../json/transaction.ts'
import { transactionToJson } from '../json/transaction.ts'

/** A deferred transaction; `transaction` is hexadecimal unless JSON is requested. */
export interface ScheduledTransactionJson {
  trx_id: string
  sender: string
  sender_id: string
  payer: string
  delay_until: string
  expiration: string
  published: string
  transaction: TransactionJson | string
}

/** Nesting of the transaction in an answer. */
const TRANSACTION_DEPTH = 2

/**
 * Deferred transactions in the order of their delay. `lower_bound` is a time or the id of one;
 * `more` is the id of the first one not returned. spring: read_only::get_scheduled_transactions
 */
export function getScheduledTransactions(
  chain: StateChain,
  params: Body<'get_scheduled_transactions'>,
  options: QueryOptions = defaultOptions(),
): { transactions: ScheduledTransactionJson[]; more: string } {
  const p = parseParams(params, (fields) => ({
    json: fields.bool('json'),
    lower_bound: fields.string('lower_bound'),
    limit: Math.min(fields.uint32('limit', 50), MAX_ROWS),
    time_limit_ms: fields.optionalUint32('time_limit_ms'),
  }))
  const table = chain.db.generated_transaction
  const c = {
    resolve: abiResolver(chain),
    options,
  }
  const transactions: ScheduledTransactionJson[] = []
  let row = firstRow(chain, p.lower_bound)
  let bytes = 0
  const full = (): boolean => transactions.length >= p.limit || bytes >= MAX_PAGE_BYTES
  for (; row && !full(); row = table.next('by_delay', row)) {
    bytes += row.packed_trx.length
    transactions.push({
      trx_id: toHex(row.trx_id),
      sender: nameToString(row.sender),
      sender_id: row.sender_id.toString(),
      payer: nameToString(row.payer),
      delay_until: timePointToString(row.delay_until),
      expiration: timePointToString(row.expiration),
      published: timePointToString(row.published),
      transaction: p.json
        ? transactionToJson(unpackTransaction(new Reader(row.packed_trx)), c, TRANSACTION_DEPTH)
        : toHex(row.packed_trx),
    })
  }
  return { transactions, more: row ? toHex(row.trx_id) : '' }
}

/** The row that a bound names; undefined where it is neither a time nor a known id. */
function firstRow(chain: StateChain, bound: string): Row<GeneratedTransaction> | undefined {
  const table = chain.db.generated_transaction
  if (bound === '') return table.first('by_delay')
  try {
    return table.lowerBound('by_delay', parseTimePoint(bound))
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
  }
  return /^[0-9a-fA-F]{64}$/.test(bound) ? table.find('by_trx_id', fromHex(bound)) : undefined
}
