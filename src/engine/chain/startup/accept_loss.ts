/** Continues the chain after lost blocks, if the operator requested this. */
import type { ChainParts } from '../blocks/chain_parts.ts'
import type { BlockRef } from '../headers/savanna/finality_core.ts'
import type { OpenedSafety } from './open_finality.ts'
import { makeBlockRef } from '../headers/savanna/header_state.ts'
import { idText, newestVote } from './lost_blocks.ts'

/** The findings of the start. */
export interface Loss {
  /** The missing data, one sentence each. */
  lost: readonly string[]
  /** Ids of stored blocks whose parent is not stored. */
  unlinked: readonly Uint8Array[]
  safety: OpenedSafety | undefined
}

/**
 * Logs what is lost, and accepts it: the state no longer records it as announced, and finalizers
 * that voted on it discard their safety information if the operator requested that too.
 */
export async function acceptLoss(
  chain: ChainParts,
  { lost, unlinked, safety }: Loss,
): Promise<void> {
  const { head, log, options } = chain
  for (const text of lost) log('error', `lost-blocks: ${text}`)
  if (lost.length > 0) {
    for (const id of unlinked) log('error', `lost-blocks: ${idText(id)} is dropped`)
    log('error', `lost-blocks: the chain continues from ${idText(head.id)}`)
    await chain.writer.forgetAnnounced(chain.forks.root, head)
  }
  const { voter } = chain.finality
  if (voter === undefined || safety === undefined) return
  const bound_to = lostVote(chain, safety)
  if (bound_to === undefined && !safety.is_damaged) return
  if (options.lost_blocks === 'keep-safety') {
    log(
      'warn',
      `lost-blocks: finalizers are bound to ${idText(bound_to!.block_id)} and vote again when other ` +
        'nodes give it to this one',
    )
    return
  }
  const { root } = chain.forks
  const kept = await voter.forget(makeBlockRef(root.savanna_state))
  const what = bound_to ? `that they voted on ${idText(bound_to.block_id)}` : 'what they voted on'
  log('error', `lost-blocks: finalizers forget ${what}; their safety file is kept as ${kept}`)
}

/**
 * A missing block that keeps finalizers from voting: one that is later than all blocks, or the block of a lock,
 * which no later block follows if they were made without it. A lock that is older than the last irreversible
 * block does not keep them from voting.
 */
function lostVote({ forks }: ChainParts, safety: OpenedSafety): BlockRef | undefined {
  const { root } = forks
  const newest = [root, ...forks.ascending()].map(({ timestamp }) => timestamp)
  const voted = newestVote(safety)
  if (voted !== undefined && voted.timestamp > Math.max(...newest)) return voted
  const locks = safety.own.map((record) => record.safety.lock)
  return locks.find(
    ({ timestamp, block_id }) => timestamp > root.timestamp && forks.get(block_id) === undefined,
  )
}
