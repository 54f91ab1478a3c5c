/**
 * Decides whether and how a finalizer may vote. It never votes for two conflicting branches in a
 * way that could make both final. The data that it needs for this is its safety information.
 * spring: libraries/chain/finalizer.cpp (decide_vote, maybe_update_fsi)
 */
import type { BlockRef } from '../headers/savanna/finality_core.ts'
import {
  EMPTY_REF,
  blockReference,
  extendsBlock,
  isEmptyRef,
  isGenesisCore,
  latestQcClaim,
  latestQcTimestamp,
} from '../headers/savanna/finality_core.ts'
import type { SavannaHeaderState } from '../headers/savanna/header_state.ts'
import { makeBlockRef } from '../headers/savanna/header_state.ts'

/** The safety information of a finalizer. */
export interface FinalizerSafety {
  readonly last_vote: BlockRef
  /** It votes for blocks that extend this one, or that prove that other finalizers left it. */
  readonly lock: BlockRef
  /** Slot of the last vote on another branch; 0 if there is none. */
  readonly other_branch_latest_time: number
}

/** The decision of a finalizer about a block. */
export type VoteDecision = 'no_vote' | 'strong' | 'weak'

/** The safety information of a finalizer that has never voted. */
export const UNSET_SAFETY: FinalizerSafety = {
  last_vote: EMPTY_REF,
  lock: EMPTY_REF,
  other_branch_latest_time: 0,
}

/** Whether the finalizer has voted or been locked at all. */
export function isUnset({ last_vote, lock }: FinalizerSafety): boolean {
  return isEmptyRef(last_vote) && isEmptyRef(lock)
}

/** The vote on a block, and the safety information from then on. */
export function decideVote(
  safety: FinalizerSafety,
  block: SavannaHeaderState,
): { decision: VoteDecision; safety: FinalizerSafety } {
  const refused = { decision: 'no_vote', safety } as const
  const { core, header } = block
  const { last_vote, lock } = safety
  if (!isEmptyRef(last_vote) && header.timestamp <= last_vote.timestamp) return refused
  // The lock is set when Savanna starts or when the node starts. Without a lock no vote is safe.
  if (isEmptyRef(lock)) return refused
  const claimed_time = latestQcTimestamp(core)
  const live = claimed_time > lock.timestamp
  if (!live && !extendsBlock(core, lock.block_id)) return refused

  let { other_branch_latest_time } = safety
  let strong = true
  if (last_vote.timestamp > claimed_time) {
    if (!extendsBlock(core, last_vote.block_id)) other_branch_latest_time = last_vote.timestamp
    strong = other_branch_latest_time <= claimed_time
  }
  const voted = makeBlockRef(block)
  if (!strong) {
    return { decision: 'weak', safety: { last_vote: voted, lock, other_branch_latest_time } }
  }
  const next_lock = live ? blockReference(core, latestQcClaim(core).block_num) : lock
  return {
    decision: 'strong',
    safety: { last_vote: voted, lock: next_lock, other_branch_latest_time: 0 },
  }
}

/**
 * The new safety information if a certificate shows that the finalizer voted strong on a block and
 * this node has no record of it; undefined if it does not change.
 */
export function learnStrongVote(
  safety: FinalizerSafety,
  block: SavannaHeaderState,
): FinalizerSafety | undefined {
  if (isGenesisCore(block.core)) return undefined
  const claimed = blockReference(block.core, latestQcClaim(block.core).block_num)
  if (claimed.timestamp <= safety.lock.timestamp) return undefined
  if (block.header.timestamp <= safety.last_vote.timestamp) return undefined
  return { last_vote: makeBlockRef(block), lock: claimed, other_branch_latest_time: 0 }
}
