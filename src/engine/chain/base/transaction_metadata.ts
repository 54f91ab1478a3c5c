import { ContextFreeData } from '../../protocol/context_free_data.ts'
import type { PackedTransaction, UnpackedTransaction } from '../../protocol/packed_transaction.ts'
import type { Transaction } from '../../protocol/transaction.ts'
import { signersOf } from '../../crypto/recover_keys.ts'
import { signingDigest, transactionId } from '../../crypto/digests.ts'
import { comparePublicKeys } from '../../protocol/key.ts'
import { openPackedTransaction, prunableSize } from '../../protocol/packed_transaction.ts'
import { packTransaction } from '../../protocol/transaction.ts'
import { packOne } from '../../protocol/writer.ts'
import type { CheckedCode } from '../../vm/preparation/code_checks.ts'
import { FIXED_NET_OVERHEAD_OF_PACKED_TRX } from './constants.ts'
import { NO_BYTES, toHex } from '../../protocol/hex.ts'

/** The kind of a transaction's execution (spring: transaction_metadata::trx_type). */
export type TransactionKind = 'input' | 'implicit' | 'scheduled' | 'dry_run' | 'read_only'

/**
 * A transaction with everything that is computed from it once: id, decoded form, sizes and the
 * keys that signed it. Immutable but for the notes of executions at the end.
 */
export interface TransactionMetadata {
  readonly id: Uint8Array
  readonly kind: TransactionKind
  readonly packed: PackedTransaction
  readonly trx: Transaction
  /** Packed transaction without signatures, not compressed, in its shortest form. */
  readonly packed_trx: Uint8Array
  readonly context_free_data: ContextFreeData
  /** Bytes billed as NET that stay after pruning (spring: packed_transaction::get_unprunable_size). */
  readonly unprunable_size: number
  /** Bytes of signatures and context-free data as packed (get_prunable_size). */
  readonly prunable_size: number
  /** Packed public keys in the order of key sets, each once. */
  readonly recovered_keys: readonly Uint8Array[]
  /** Microseconds spent on recovering the keys. */
  readonly signature_cpu_usage_us: number
  /** Codes that the transaction sets and that another thread has checked before. */
  readonly checked_codes: readonly CheckedCode[]

  /** Its authorizations count as satisfied in blocks of this node, as of `SubjectiveRules.any_account`. */
  readonly of_any_account: boolean

  /** The transaction was applied once already, here. */
  accepted: boolean
  /** The CPU time that the last successful execution billed; microseconds. */
  billed_cpu_time_us: number
  /** The digest of the packed transaction, which its receipts contain, once it was executed for a block of this node. */
  packed_digest: Uint8Array | undefined
  /** The id in hex, once {@link transactionKey} was asked for it. */
  key: string | undefined
}

/** The id of a transaction in hex, by which lists have it. */
export function transactionKey(meta: TransactionMetadata): string {
  return (meta.key ??= toHex(meta.id))
}

/** The keys that signed a transaction, each once, and how long it took to find them. */
export interface RecoveredKeys {
  keys: readonly Uint8Array[]
  /** Microseconds. */
  cpu_usage_us: number
  /** The id, if it was computed with them. */
  id?: Uint8Array
}

const NOT_RECOVERED: RecoveredKeys = { keys: [], cpu_usage_us: 0 }

/**
 * Opens a packed transaction. Keys that were recovered on another thread can be passed; without
 * them the transaction counts as unsigned.
 * @param opened the same transaction, if it was opened before
 * @throws ChainError the errors of {@link openPackedTransaction}
 */
export function createMetadata(
  packed: PackedTransaction,
  kind: TransactionKind,
  recovered: RecoveredKeys = NOT_RECOVERED,
  opened: UnpackedTransaction = openPackedTransaction(packed),
): TransactionMetadata {
  const { trx, trx_bytes, context_free_data } = opened
  return {
    id: recovered.id ?? transactionId(trx_bytes),
    kind,
    packed,
    trx,
    packed_trx: trx_bytes,
    context_free_data,
    unprunable_size: FIXED_NET_OVERHEAD_OF_PACKED_TRX + packed.packed_trx.length,
    prunable_size: prunableSize(packed),
    recovered_keys: signerSet(recovered.keys),
    signature_cpu_usage_us: recovered.cpu_usage_us,
    checked_codes: [],
    of_any_account: false,
    accepted: false,
    billed_cpu_time_us: 0,
    packed_digest: undefined,
    key: undefined,
  }
}

/** The metadata of an unsigned transaction: an implicit or deferred one. */
export function createUnsignedMetadata(
  trx: Transaction,
  kind: TransactionKind,
): TransactionMetadata {
  const packed_trx = packOne(packTransaction, trx)
  return {
    id: transactionId(packed_trx),
    kind,
    packed: { signatures: [], compression: 0, packed_context_free_data: NO_BYTES, packed_trx },
    trx,
    packed_trx,
    context_free_data: ContextFreeData.NONE,
    unprunable_size: FIXED_NET_OVERHEAD_OF_PACKED_TRX + packed_trx.length,
    // An empty list of signatures is one byte.
    prunable_size: 1,
    recovered_keys: [],
    signature_cpu_usage_us: 0,
    checked_codes: [],
    of_any_account: false,
    accepted: false,
    billed_cpu_time_us: 0,
    packed_digest: undefined,
    key: undefined,
  }
}

/** The digest that the signatures of an opened transaction sign. */
export function metadataSigningDigest(meta: TransactionMetadata, chain_id: Uint8Array): Uint8Array {
  return signingDigest(chain_id, meta.packed_trx, meta.context_free_data)
}

/** The same transaction with the keys that signed it. Its fields are in the order of {@link createMetadata}, for V8. */
export function withRecoveredKeys(
  meta: TransactionMetadata,
  recovered: RecoveredKeys,
): TransactionMetadata {
  return {
    id: meta.id,
    kind: meta.kind,
    packed: meta.packed,
    trx: meta.trx,
    packed_trx: meta.packed_trx,
    context_free_data: meta.context_free_data,
    unprunable_size: meta.unprunable_size,
    prunable_size: meta.prunable_size,
    recovered_keys: signerSet(recovered.keys),
    signature_cpu_usage_us: recovered.cpu_usage_us,
    checked_codes: meta.checked_codes,
    of_any_account: meta.of_any_account,
    accepted: meta.accepted,
    billed_cpu_time_us: meta.billed_cpu_time_us,
    packed_digest: meta.packed_digest,
    key: meta.key,
  }
}

/**
 * Recovers the keys of every signature on this thread: for blocks, and where there is no pool of
 * threads.
 * @throws ChainError the errors of {@link signersOf}
 */
export function recoverMetadataKeys(
  meta: TransactionMetadata,
  chain_id: Uint8Array,
): TransactionMetadata {
  const { signatures } = meta.packed
  if (signatures.length === 0) return meta
  const digest = metadataSigningDigest(meta, chain_id)
  return { ...meta, recovered_keys: signerSet(signersOf(digest, signatures)) }
}

/** Keys in the order of key sets. */
function signerSet(keys: readonly Uint8Array[]): readonly Uint8Array[] {
  return keys.length < 2 ? keys : [...keys].sort(comparePublicKeys)
}
