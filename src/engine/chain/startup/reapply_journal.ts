/** The blocks of the journal, at the start. */
import { blockId } from '../../crypto/digests.ts'
import { ChainError } from '../../errors.ts'
import { blockNumFromId, blockNumOf, unpackSignedBlock } from '../../protocol/block.ts'
import { Reader } from '../../protocol/reader.ts'
import type { BlockFiles, JournalRecord } from '../storage/block_files.ts'
import { trustedBlockState } from '../blocks/block_validation.ts'
import type { ChainParts } from '../blocks/chain_parts.ts'
import { keepCertificate } from '../voting/consider_voting.ts'
import { idText } from './lost_blocks.ts'
import { applyBest } from '../blocks/push_block.ts'

/**
 * Applies the blocks of the reversible log that are not irreversible yet, in the order of their
 * acceptance. Blocks that were executed have been validated, so checks of their signatures and
 * authorities are not repeated.
 * @param announced the last announced block according to the stored state
 * @returns ids of the blocks whose parent is not available
 */
export async function reapplyJournal(
  chain: ChainParts,
  { archive, journal }: BlockFiles,
  announced: Uint8Array | undefined,
): Promise<Uint8Array[]> {
  const unlinked: Uint8Array[] = []
  if (journal.records.length === 0) return unlinked
  for (const record of journal.records) {
    const id = reapply(chain, record)
    if (id !== undefined) unlinked.push(id)
  }
  // Only blocks that the block log has on disk may be removed from the reversible log.
  await archive.sync()
  // The store refers to a longer branch, which was left. This must be removed from the store before
  // the blocks are removed from the log.
  if (announced && blockNumFromId(announced) > chain.head.block_num) await chain.writer.drained()
  chain.writer.rewriteJournal(chain.forks)
  return unlinked
}

/** Returns the id if the block does not link. */
function reapply(chain: ChainParts, { packed, executed }: JournalRecord): Uint8Array | undefined {
  const block = unpackSignedBlock(new Reader(packed))
  if (blockNumOf(block) <= chain.forks.root.block_num) return undefined
  const prev = chain.forks.get(block.previous)
  if (prev === undefined) {
    // A branch that was left before the last irreversible block, unless blocks are lost.
    const id = blockId(block)
    chain.log('debug', `${idText(id)} of reversible.log does not follow a known block: dropped`)
    return id
  }
  const trusted = executed && !chain.options.force_all_checks
  const next = trustedBlockState(prev, block, packed, {
    rules: chain.header_rules,
    signatures: trusted ? undefined : chain.finality.verifier.verify,
  })
  next.validated = trusted
  chain.writer.journalHolds(next)
  keepCertificate(chain, next)
  chain.forks.add(next)
  // One at a time, in their order: the rules of forks change at the end of the transition.
  try {
    applyBest(chain)
  } catch (error) {
    // A block that was not executed was never announced as valid.
    if (executed || !(error instanceof ChainError) || chain.forks.get(next.id)) throw error
    chain.log('warn', `${idText(next.id)} of reversible.log is refused: ${error.message}`)
  }
  return undefined
}
