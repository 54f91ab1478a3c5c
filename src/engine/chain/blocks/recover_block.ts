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
  const recoverOne = async (packed: PackedTransaction): Promise<void> => {
    try {
      const meta = createMetadata(packed, 'input')
      const id = toHex(meta.id)
      const seen = known?.(id)
      if (seen !== undefined && samePacked(seen.packed, packed)) return void found.set(id, seen)
      const digest = metadataSigningDigest(meta, chain_id)
      const { keys } = await pool.recover(digest, packed.signatures)
      found.set(id, withRecoveredKeys(meta, { keys, cpu_usage_us: 0 }))
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
    }
  }
  const packed = block.transactions.flatMap(({ trx }) => ('packed' in trx ? [trx.packed] : []))
  await Promise.all(packed.map(recoverOne))
  return (trx_id) => found.get(trx_id)
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
