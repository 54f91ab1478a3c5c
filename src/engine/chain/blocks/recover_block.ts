import type { KeyRecovery } from '../../crypto/recovery_message.ts'
import { ChainError } from '../../errors.ts'
import type { SignedBlock } from '../../protocol/block.ts'
import type { PackedTransaction } from '../../protocol/packed_transaction.ts'
import { toHex } from '../../protocol/hex.ts'
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
 */
export async function recoverBlock(
  block: SignedBlock,
  chain_id: Uint8Array,
  pool: KeyRecovery,
): Promise<TransactionLookup> {
  const found = new Map<string, TransactionMetadata>()
  for (const meta of await recoverInOrder(block, chain_id, pool)) {
    if (meta) found.set(toHex(meta.id), meta)
  }
  return (trx_id) => found.get(trx_id)
}

/** The same: the packed transactions of a block in their order, undefined for those that are skipped. */
export function recoverInOrder(
  block: SignedBlock,
  chain_id: Uint8Array,
  pool: KeyRecovery,
): Promise<(TransactionMetadata | undefined)[]> {
  const recoverOne = async (
    packed: PackedTransaction,
  ): Promise<TransactionMetadata | undefined> => {
    try {
      const meta = createMetadata(packed, 'input')
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
