import type { Recovered } from '../../crypto/recovery_message.ts'
import { ChainError } from '../../errors.ts'
import type { SignedBlock } from '../../protocol/block.ts'
import { toHex } from '../../protocol/hex.ts'
import {
  createMetadata,
  metadataSigningDigest,
  withRecoveredKeys,
} from '../base/transaction_metadata.ts'
import type { TransactionMetadata } from '../base/transaction_metadata.ts'

/** Finds an input transaction, with its keys, by hex id; for what was seen before. */
export type TransactionLookup = (trx_id: string) => TransactionMetadata | undefined

/** Recovers keys, on other threads if possible. */
export interface KeyRecovery {
  recover(digest: Uint8Array, signatures: readonly Uint8Array[]): Promise<Recovered>
}

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
  const recoverOne = async (trx: SignedBlock['transactions'][number]['trx']): Promise<void> => {
    if (!('packed' in trx)) return
    try {
      const meta = createMetadata(trx.packed, 'input')
      const digest = metadataSigningDigest(meta, chain_id)
      const { keys } = await pool.recover(digest, trx.packed.signatures)
      found.set(toHex(meta.id), withRecoveredKeys(meta, { keys, cpu_usage_us: 0 }))
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
    }
  }
  await Promise.all(block.transactions.map(({ trx }) => recoverOne(trx)))
  return (trx_id) => found.get(trx_id)
}
