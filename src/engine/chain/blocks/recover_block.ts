/** Opens the transactions of a block with their keys, which other threads recover, before the block is applied. */
import { packedTransactions, type BlockKeys } from '../../crypto/block_keys.ts'
import { transactionId } from '../../crypto/digests.ts'
import type { KeyRecovery } from '../../crypto/recovery_message.ts'
import { ChainError } from '../../errors.ts'
import type { SignedBlock } from '../../protocol/block.ts'
import { COMPRESSION_NONE, openPackedTransaction } from '../../protocol/packed_transaction.ts'
import type { PackedTransaction } from '../../protocol/packed_transaction.ts'
import { bytesEqual, toHex } from '../../protocol/hex.ts'
import {
  createMetadata,
  metadataSigningDigest,
  recoverMetadataKeys,
  withRecoveredKeys,
} from '../base/transaction_metadata.ts'
import type { TransactionMetadata } from '../base/transaction_metadata.ts'

/** Finds an input transaction, with its keys, by hex id; for what was seen before. */
export type TransactionLookup = (trx_id: string) => TransactionMetadata | undefined

/** Transactions that came before, whose keys are known. */
export interface SeenTransactions {
  find: TransactionLookup
  /** Those that a block has most likely, in its order: these are not looked up by their ids. */
  likely: readonly TransactionMetadata[]
}

/** The packed transactions of a block, in order; undefined are those that are not known here with their keys. */
export type KnownTransactions = readonly (TransactionMetadata | undefined)[]

/**
 * The packed transactions of a block, in order, as far as they are those that it has most likely, in the same order. It
 * compares bytes and computes no ids, so it may be called before the block is checked.
 */
export function likelyTransactions(
  block: SignedBlock,
  likely: readonly TransactionMetadata[],
): KnownTransactions {
  let next = 0
  return packedTransactions(block).map((packed) => {
    const meta = likely[next]
    if (meta === undefined || !samePacked(meta.packed, packed)) return undefined
    next += 1
    return meta
  })
}

/** Whether all transactions are known. */
export function areKnown(metas: KnownTransactions): metas is readonly TransactionMetadata[] {
  return !metas.includes(undefined)
}

/**
 * The packed transactions of a block with their keys, in order. Undefined if one of them cannot be opened or
 * recovered here: applying the block recovers them, or reports the reason.
 */
export async function recoverBlock(
  block: SignedBlock,
  chain_id: Uint8Array,
  pool: KeyRecovery,
  { find, likely }: SeenTransactions,
): Promise<readonly TransactionMetadata[] | undefined> {
  const recoverOne = async (packed: PackedTransaction): Promise<TransactionMetadata> => {
    // The id of one without compression is known before it is opened, and most were opened before.
    const is_plain = packed.compression === COMPRESSION_NONE
    const opened = is_plain ? undefined : openPackedTransaction(packed)
    const id = transactionId(opened?.trx_bytes ?? packed.packed_trx)
    const seen = find(toHex(id))
    if (seen !== undefined && samePacked(seen.packed, packed)) return seen
    const meta = createMetadata(packed, 'input', { keys: [], cpu_usage_us: 0, id }, opened)
    const digest = metadataSigningDigest(meta, chain_id)
    const { keys } = await pool.recover(digest, packed.signatures)
    return withRecoveredKeys(meta, { keys, cpu_usage_us: 0 })
  }
  const known = likelyTransactions(block, likely)
  try {
    return await Promise.all(
      packedTransactions(block).map((packed, index) => known[index] ?? recoverOne(packed)),
    )
  } catch {
    // A signature is invalid, or a thread of the pool has ended: the execution recovers all keys again.
    return undefined
  }
}

/**
 * The same with keys that several threads find; the calling thread does what is left. It is called when the block is to
 * be applied.
 */
export function openWithKeys(
  block: SignedBlock,
  keys: BlockKeys,
  chain_id: Uint8Array,
): TransactionMetadata[] | undefined {
  const transactions = packedTransactions(block)
  keys.work(transactions)
  const results = keys.results(transactions)
  try {
    return transactions.map((packed, index) => {
      const found = results[index]
      if (found === undefined) return recoverMetadataKeys(createMetadata(packed, 'input'), chain_id)
      return createMetadata(packed, 'input', { keys: found.keys, cpu_usage_us: 0, id: found.id })
    })
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    return undefined
  }
}

/** Whether a transaction has the same signatures and data too: its id does not cover them. */
export function samePacked(a: PackedTransaction, b: PackedTransaction): boolean {
  return (
    a.compression === b.compression &&
    a.signatures.length === b.signatures.length &&
    a.signatures.every((signature, i) => bytesEqual(signature, b.signatures[i]!)) &&
    bytesEqual(a.packed_trx, b.packed_trx) &&
    bytesEqual(a.packed_context_free_data, b.packed_context_free_data)
  )
}
