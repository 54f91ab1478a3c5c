/** Continues the chain after lost blocks, if the operator requested this. */
import type { ChainParts } from '../blocks/chain_parts.ts'
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
    log('error', `lost-blocks: the chain goes on from ${idText(head.id)}`)
    await chain.writer.forgetAnnounced(chain.forks.root, head)
  }
  const { voter } = chain.finality
  if (voter === undefined || safety === undefined) return
  const voted = newestVote(safety)
  const newest = [chain.forks.root, ...chain.forks.ascending()].map(({ timestamp }) => timestamp)
  const is_bound = voted !== undefined && voted.timestamp > Math.max(...newest)
  if (!is_bound && !safety.is_damaged) return
  if (options.lost_blocks === 'keep-safety') {
    log(
      'warn',
      `lost-blocks: finalizers are bound to ${idText(voted!.block_id)} and vote again when other ` +
        'nodes give it to this one',
    )
    return
  }
  const { root } = chain.forks
  const kept = await voter.forget(makeBlockRef(root.savanna_state))
  const what = voted ? `that they voted on ${idText(voted.block_id)}` : 'what they voted on'
  log('error', `lost-blocks: finalizers forget ${what}; their safety file is kept as ${kept}`)
}
