import type { Body } from '../../contract.ts'
import { isObject } from '../../abi/lenient_json.ts'
import { check } from '../../errors.ts'
import { fromHex, toHex } from '../../protocol/hex.ts'
import { slotToString, timePointToString } from '../../protocol/time.ts'
import type { Chain } from '../../chain/chain.ts'
import type { TransactionState, TransactionStatusTracker } from './tracker.ts'

/**
 * The status of a transaction. `block` is absent if it is in no block, `expiration` if it is
 * unknown.
 */
export interface TransactionStatusJson {
  state: TransactionState
  block_number?: number
  block_id?: string
  block_timestamp?: string
  expiration?: string
  head_number: number
  head_id: string
  head_timestamp: string
  irreversible_number: number
  irreversible_id: string
  irreversible_timestamp: string
  earliest_tracked_block_id: string
  earliest_tracked_block_number: number
  last_tracked_block_id: string
}

const NO_BLOCK = '0'.repeat(64)

/**
 * The status of a transaction, and the range of blocks for which transactions are tracked.
 * spring: plugins/chain_plugin/chain_plugin.cpp (get_transaction_status)
 * @throws unsupported_feature when the operator turned it off
 */
export function getTransactionStatus(
  chain: Pick<Chain, 'head' | 'last_irreversible'>,
  tracker: TransactionStatusTracker | undefined,
  params: Body<'get_transaction_status'>,
): TransactionStatusJson {
  const id = transactionStatusRequest(params)
  check(
    tracker,
    'unsupported_feature',
    'Transaction Status Interface not enabled.  To enable, configure the node with ' +
      "'--transaction-finality-status-max-storage-size-gb <size>'.",
  )
  const { state, block, expiration } = tracker.get(id)
  const { head, last_irreversible } = chain
  const earliest = tracker.earliest_block
  return {
    state,
    ...(block && {
      block_number: block.block_num,
      block_id: toHex(block.id),
      block_timestamp: slotToString(block.timestamp),
    }),
    ...(expiration !== undefined && { expiration: timePointToString(expiration * 1_000_000) }),
    head_number: head.block_num,
    head_id: head.key,
    head_timestamp: slotToString(head.timestamp),
    irreversible_number: last_irreversible.block_num,
    irreversible_id: last_irreversible.key,
    irreversible_timestamp: slotToString(last_irreversible.timestamp),
    earliest_tracked_block_id: earliest ? toHex(earliest.id) : NO_BLOCK,
    earliest_tracked_block_number: earliest?.block_num ?? 0,
    last_tracked_block_id: head.key,
  }
}

/**
 * The id in `{id}`; whatever else is sent is an "Invalid transaction id".
 * spring: plugins/chain_api_plugin/chain_api_plugin.cpp
 */
function transactionStatusRequest(params: Body<'get_transaction_status'>): Uint8Array {
  const id = idOf(params)
  const given = id?.some((byte) => byte !== 0)
  check(id && given, 'invalid_http_request', 'Invalid transaction id')
  return id
}

const ID = /^[0-9a-f]{64}$/i

/** Shorter texts, to which the reference adds zeros, are the id of no transaction. */
function idOf(params: Body<'get_transaction_status'>): Uint8Array | undefined {
  const id = isObject(params) ? params['id'] : undefined
  return typeof id === 'string' && ID.test(id) ? fromHex(id) : undefined
}
