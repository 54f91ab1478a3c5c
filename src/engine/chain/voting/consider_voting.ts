/**
 * Decides when this node's finalizers vote on a block, and processes certificates in blocks.
 * spring: libraries/chain/controller.cpp (consider_voting, commit_block,
 * integrate_received_qc_to_block)
 */
import { slotToUs } from '../../protocol/time.ts'
import type { BlockState } from '../headers/block_state.ts'
import type { VotingChain } from './finality_parts.ts'
import { latestQcClaim } from '../headers/savanna/finality_core.ts'
import { isStrong } from '../headers/savanna/quorum_certificate.ts'
import { refOnBranch } from '../headers/savanna/header_state.ts'

/** Older blocks are caught up with; others have voted on them. spring: block_state::is_recent */
const RECENT_US = 30 * 1_000_000

/** Votes on a block that was executed. */
export function voteOn(chain: VotingChain, block: BlockState): void {
  const { voter } = chain.finality
  if (voter === undefined || !block.is_proper_savanna) return
  if (slotToUs(block.timestamp) <= chain.now() - RECENT_US) return
  voter.vote(block.savanna_state)
}

/** Votes on a block that was not executed yet, if the block that it claims was: then nothing that
 *  its votes can make final is unknown. */
export function considerVoting(chain: VotingChain, block: BlockState): void {
  if (chain.finality.voter === undefined || !block.is_proper_savanna) return
  const state = block.savanna_state
  const claimed = refOnBranch(state, latestQcClaim(state.core).block_num)
  if (chain.forks.hasValidated(block.previous, claimed.block_id)) voteOn(chain, block)
}

/** Stores the verified certificate of a block with the block that it certifies. */
export function keepCertificate(chain: VotingChain, block: BlockState): void {
  if (!block.is_proper_savanna) return
  const { quorum_certificate: qc } = block
  if (qc === undefined) return
  const claimed = chain.forks.onBranch(block.previous, qc.block_num)
  if (claimed?.savanna === undefined) return
  chain.forks.votesOn(claimed).receive(qc)
  const { voter } = chain.finality
  if (voter === undefined || !isStrong(qc)) return
  voter.notice(claimed.savanna, qc)
}
