import type { KeyRecovery } from '../../crypto/recovery_message.ts'
import { ChainError } from '../../errors.ts'
import type { SignedBlock } from '../../protocol/block.ts'
import type { PackedTransaction } from '../../protocol/packed_transaction.ts'
import { bytesEqual, toHex } from '../../protocol/hex.ts'
import {
  createMetadata,
  metadataSigningDigest,
  withRecoveredKeys,
} from '../base/transaction_metadata.ts'
import type { TransactionMetadata } from '../base/transaction_metadata.ts'

/** Finds an input transaction, with its keys, by hex id; for what was seen before. */
export type TransactionLookup = (trx_id: string) => TransactionMetadata | undefined

/**
 * Recovers the keys of a block's transactions before the block is pushed, so that the main thread
 * has less work: `chain.pushBlock(block, await recoverBlock(block, chain.chain_id, pool))`.
 * Transactions that cannot be opened or recovered are skipped; pushing the block reports the
 * reason.
 * @param known finds transactions that came before, whose keys are known
 */
export async function recoverBlock(
  block: SignedBlock,
  chain_id: Uint8Array,
  pool: KeyRecovery,
  known?: TransactionLookup,
): Promise<TransactionLookup> {
  const found = new Map<string, TransactionMetadata>()
  for (const meta of await recoverInOrder(block, chain_id, pool, known)) {
    if (meta) found.set(toHex(meta.id), meta)
  }
  return (trx_id) => found.get(trx_id)
}

/** The same: the packed transactions of a block in their order, undefined for those that are skipped. */
export function recoverInOrder(
  block: SignedBlock,
  chain_id: Uint8Array,
  pool: KeyRecovery,
  known?: TransactionLookup,
): Promise<(TransactionMetadata | undefined)[]> {
  const recoverOne = async (
    packed: PackedTransaction,
  ): Promise<TransactionMetadata | undefined> => {
    try {
      const meta = createMetadata(packed, 'input')
      const seen = known?.(toHex(meta.id))
      if (seen !== undefined && samePacked(seen.packed, packed)) return seen
      const digest = metadataSigningDigest(meta, chain_id)
      const { keys } = await pool.recover(digest, packed.signatures)
      return withRecoveredKeys(meta, { keys, cpu_usage_us: 0 })
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      return undefined
    }
  }
  const packed = block.transactions.flatMap(({ trx }) => ('packed' in trx ? [trx.packed] : []))
  return Promise.all(packed.map(recoverOne))
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
