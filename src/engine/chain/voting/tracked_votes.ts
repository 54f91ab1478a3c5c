/**
 * The last vote of each finalizer in the certificates of blocks; not stored on disk.
 * spring: plugins/chain_plugin/tracked_votes.cpp, libraries/chain/qc.cpp (vote_metrics)
 */
import type { Bitset, FinalizerPolicy, QcSignature } from '../../protocol/finality.ts'
import { toHex } from '../../protocol/hex.ts'
import { slotToUs } from '../../protocol/time.ts'
import type { BlockState } from '../headers/block_state.ts'
import type { TrackedVote, VotingChain } from './finality_parts.ts'
import { hasBit } from '../headers/savanna/bitset.ts'

/** Older blocks are part of catching up and say nothing about the present. */
const MAX_AGE_US = 5 * 60 * 1_000_000
/** But for every so many blocks. */
const SAMPLE = 1000

/** Records the votes of a block's certificate. */
export function trackVotes(chain: VotingChain, state: BlockState): void {
  if (!state.is_proper_savanna) return
  const age_us = chain.now() - slotToUs(state.timestamp)
  if (age_us > MAX_AGE_US && state.block_num % SAMPLE !== 0) return
  const { quorum_certificate: qc } = state
  if (qc === undefined) return
  const claimed = chain.forks.onBranch(state.previous, qc.block_num)
  if (claimed === undefined) return
  const { active_finalizer_policy: active, pending_finalizer_policy } = claimed.savanna_state
  const votes = new Map<string, TrackedVote>()
  collect(votes, claimed, active, qc.active_policy_sig)
  if (pending_finalizer_policy && qc.pending_policy_sig) {
    collect(votes, claimed, pending_finalizer_policy[1], qc.pending_policy_sig)
  }
  for (const [key, vote] of votes) chain.finality.last_votes.set(key, vote)
}

/** A finalizer of both policies is shown with the generation of the active one. */
function collect(
  votes: Map<string, TrackedVote>,
  claimed: BlockState,
  { finalizers, generation }: FinalizerPolicy,
  { strong_votes, weak_votes }: QcSignature,
): void {
  const add = (bits: Bitset | undefined, is_vote_strong: boolean): void => {
    finalizers.forEach((finalizer, i) => {
      const key = toHex(finalizer.public_key)
      if (!bits || !hasBit(bits, i) || votes.has(key)) return
      votes.set(key, {
        finalizer,
        is_vote_strong,
        finalizer_policy_generation: generation,
        voted_for_block_id: claimed.id,
        voted_for_block_timestamp: claimed.timestamp,
      })
    })
  }
  add(strong_votes, true)
  add(weak_votes, false)
}
