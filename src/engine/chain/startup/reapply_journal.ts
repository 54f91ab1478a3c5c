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
 * Applies the blocks of the journal that are not irreversible yet, in the order in which they came. Those
 * that were executed were validated then, so checks of their signatures and authorities are not
 * repeated.
 * @param announced the last block that the stored state knows to be announced
 * @returns ids of the blocks that do not follow any block that is here
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
  // The journal may forget only what the log has on disk.
  await archive.sync()
  // The store knows of a longer branch, which was left: it must forget that before the journal does.
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
  // One by one, as they came in: the rules of forks change at the end of the transition.
  try {
    applyBest(chain)
  } catch (error) {
    // A block that was not executed was never announced as valid.
    if (executed || !(error instanceof ChainError) || chain.forks.get(next.id)) throw error
    chain.log('warn', `${idText(next.id)} of reversible.log is refused: ${error.message}`)
  }
  return undefined
}
