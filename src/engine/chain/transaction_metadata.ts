import type { PackedTransaction, Transaction } from '../protocol/transaction.ts'

/** How a transaction came to be executed (spring: transaction_metadata::trx_type). */
export type TransactionKind = 'input' | 'implicit' | 'scheduled' | 'dry_run' | 'read_only'

/**
 * A transaction with everything that is computed from it once: id, decoded form, sizes and the
 * keys that signed it. Immutable but for the two execution notes at the end.
 */
export interface TransactionMetadata {
  readonly id: Uint8Array
  readonly kind: TransactionKind
  readonly packed: PackedTransaction
  readonly trx: Transaction
  /** Packed transaction without signatures, not compressed. */
  readonly packed_trx: Uint8Array
  readonly context_free_data: readonly Uint8Array[]
  /** Bytes billed as NET that stay after pruning (spring: packed_transaction::get_unprunable_size). */
  readonly unprunable_size: number
  /** Bytes of signatures and context-free data as packed (get_prunable_size). */
  readonly prunable_size: number
  /** Sorted packed public keys, each once. */
  readonly recovered_keys: readonly Uint8Array[]
  /** Microseconds spent on recovering the keys. */
  readonly signature_cpu_usage_us: number

  /** The transaction was applied once already, here. */
  accepted: boolean
  /** What the last successful execution billed; microseconds. */
  billed_cpu_time_us: number
}
