import type { ActionReceipt } from '../../protocol/action_receipt.ts'
import type { TransactionStatusCode } from '../../protocol/transaction_status.ts'
import type { Action } from '../../protocol/transaction.ts'
import type { ChainError } from '../../errors.ts'

/** RAM bytes that an account gained or lost. */
export interface AccountDelta {
  account: bigint
  delta: number
}

/** The header of a transaction receipt, without the transaction. */
export interface TransactionReceiptHeader {
  status: TransactionStatusCode
  cpu_usage_us: number
  net_usage_words: number
}

/**
 * The trace of one action on one receiver (spring: action_trace). Facts of the block and the
 * transaction are in the TransactionTrace.
 */
export interface ActionTrace {
  /** From 1, in the order of scheduling. */
  action_ordinal: number
  /** Ordinal of the action that sent this one; 0 = the transaction. */
  creator_action_ordinal: number
  closest_unnotified_ancestor_action_ordinal: number
  receipt: ActionReceipt | undefined
  receiver: bigint
  act: Action
  context_free: boolean
  /** Microseconds. */
  elapsed: number
  /** One char per byte (latin1). */
  console: string
  /** Sorted by account. */
  account_ram_deltas: AccountDelta[]
  except: ChainError | undefined
  error_code: bigint | undefined
  return_value: Uint8Array
}

/** The trace of a transaction (spring: transaction_trace). */
export interface TransactionTrace {
  id: Uint8Array
  block_num: number
  /** Block slot. */
  block_time: number
  /** Id of the block that is applied; undefined while a block is built. */
  producer_block_id: Uint8Array | undefined
  receipt: TransactionReceiptHeader | undefined
  /** Microseconds. */
  elapsed: number
  /** Bytes. */
  net_usage: number
  scheduled: boolean
  action_traces: ActionTrace[]
  account_ram_delta: AccountDelta | undefined
  failed_dtrx_trace: TransactionTrace | undefined
  except: ChainError | undefined
  error_code: bigint | undefined
}

/** The block data in the trace of a transaction. */
export interface TracedBlock {
  readonly block_num: number
  readonly slot: number
  readonly producer_block_id: Uint8Array | undefined
}

/** The trace of a transaction in this block before anything happened. */
export function newTrace(block: TracedBlock, id: Uint8Array): TransactionTrace {
  return {
    id,
    block_num: block.block_num,
    block_time: block.slot,
    producer_block_id: block.producer_block_id,
    receipt: undefined,
    elapsed: 0,
    net_usage: 0,
    scheduled: false,
    action_traces: [],
    account_ram_delta: undefined,
    failed_dtrx_trace: undefined,
    except: undefined,
    error_code: undefined,
  }
}
