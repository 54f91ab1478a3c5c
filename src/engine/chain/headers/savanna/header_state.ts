/**
 * The Savanna state of a block header: what is needed to say whether a header may follow another
 * one, who may produce and who may vote on it, and what is final.
 *
 * All values are immutable: a state shares what it does not change with the one before it.
 * spring: libraries/chain/block_header_state.cpp
 */
import assert from 'node:assert'
import { check } from '../../../errors.ts'
import type { BlockHeader } from '../../../protocol/block.ts'
import { blockNumOf } from '../../../protocol/block.ts'
import { PRODUCER_REPETITIONS } from '../../../protocol/constants.ts'
import type { FinalizerPolicy } from '../../../protocol/finality.ts'
import type { ProducerAuthority } from '../../../protocol/schedule.ts'
import { slotToString } from '../../../protocol/time.ts'
import { scheduledProducer } from '../legacy/header_state.ts'
import type { BlockRef, FinalityCore } from './finality_core.ts'
import { blockReference, currentBlockNum, lastFinalTimestamp } from './finality_core.ts'
import type { ProposerPolicy } from './policies.ts'

/** Schedule version that marks a block of Savanna. spring: proper_svnn_schedule_version */
export const PROPER_SAVANNA_VERSION = 0x8000_0000

/** A policy and the number of the block that proposed it or made it pending. */
export type NumberedPolicy = readonly [block_num: number, policy: FinalizerPolicy]

/**
 * The fields that the reference stores for a header; {@link SavannaHeaderState} adds derived
 * fields.
 */
export interface SavannaHeaderFields {
  readonly id: Uint8Array
  readonly header: BlockHeader
  /** Digests, ascending. */
  readonly activated_protocol_features: readonly Uint8Array[]
  readonly core: FinalityCore
  readonly active_finalizer_policy: FinalizerPolicy
  readonly active_proposer_policy: ProposerPolicy
  /** Proposed in a block of this round or the one before. */
  readonly latest_proposed_proposer_policy: ProposerPolicy | undefined
  /** Becomes active with a next round, once the block that proposed it is final. */
  readonly latest_pending_proposer_policy: ProposerPolicy | undefined
  /** By the number of the block that proposed it; pending once that block is final. */
  readonly proposed_finalizer_policies: readonly NumberedPolicy[]
  /** By the number of the block that made it pending; active once that block is final. */
  readonly pending_finalizer_policy: NumberedPolicy | undefined
  /** Active at the block of the latest claim, where that is no longer the active policy. */
  readonly latest_qc_claim_block_active_finalizer_policy: FinalizerPolicy | undefined
  /** The greatest generation that was ever proposed. */
  readonly finalizer_policy_generation: number
  readonly last_pending_finalizer_policy_digest: Uint8Array
  /** Slot. */
  readonly last_pending_finalizer_policy_start_timestamp: number
}

/** The state after a block. */
export interface SavannaHeaderState extends SavannaHeaderFields {
  /** The digest that finalizers sign; commits to all data of the block. */
  readonly finality_digest: Uint8Array
}

/** The policies whose finalizers vote on a block, and what they sign. */
export interface VotingPolicies {
  readonly finality_digest: Uint8Array
  readonly active: FinalizerPolicy
  readonly pending: FinalizerPolicy | undefined
}

/** Whether a header belongs to a Savanna block, not to one of the transition. */
export function isProperSavanna(header: BlockHeader): boolean {
  return header.schedule_version === PROPER_SAVANNA_VERSION
}

/** The newest finalizer policy: proposed, otherwise pending, otherwise active. */
export function lastProposedFinalizerPolicy(state: SavannaHeaderFields): FinalizerPolicy {
  return state.proposed_finalizer_policies.at(-1)?.[1] ?? lastPendingFinalizerPolicy(state)
}

/** The pending finalizer policy, otherwise the active one. */
export function lastPendingFinalizerPolicy(
  state: Pick<SavannaHeaderFields, 'active_finalizer_policy' | 'pending_finalizer_policy'>,
): FinalizerPolicy {
  return state.pending_finalizer_policy?.[1] ?? state.active_finalizer_policy
}

/** The newest proposer policy: proposed, otherwise pending, otherwise active. */
export function lastProposedProposerPolicy(state: SavannaHeaderFields): ProposerPolicy {
  return (
    state.latest_proposed_proposer_policy ??
    state.latest_pending_proposer_policy ??
    state.active_proposer_policy
  )
}

/** First slot of the round that a slot is in. */
export function roundStart(slot: number): number {
  return slot - (slot % PRODUCER_REPETITIONS)
}

/**
 * The policy that produces a block at `slot` on top of `state`.
 * @throws ChainError block_too_old_exception
 */
export function proposerPolicyAt(state: SavannaHeaderFields, slot: number): ProposerPolicy {
  const { timestamp } = state.header
  check(
    slot > timestamp,
    'block_too_old_exception',
    () =>
      `next block timestamp ${slotToString(slot)} must be greater than ` +
      `current timestamp ${slotToString(timestamp)}`,
  )
  const round = roundStart(timestamp)
  if (slot < round + PRODUCER_REPETITIONS) return state.active_proposer_policy
  const final = lastFinalTimestamp(state.core)
  const proposed = state.latest_proposed_proposer_policy
  const before_prior_round =
    timestamp >= PRODUCER_REPETITIONS &&
    proposed !== undefined &&
    proposed.proposal_time < round - PRODUCER_REPETITIONS
  if (before_prior_round && proposed.proposal_time <= final) return proposed
  const pending = state.latest_pending_proposer_policy
  if (pending !== undefined && pending.proposal_time <= final) return pending
  return state.active_proposer_policy
}

/** The producer of a block at `slot` on top of `state`. */
export function producerAt(state: SavannaHeaderFields, slot: number): ProducerAuthority {
  return scheduledProducer(proposerPolicyAt(state, slot).proposer_schedule, slot)
}

/** The reference to the block in its descendants. */
export function makeBlockRef(state: SavannaHeaderState): BlockRef {
  return {
    block_id: state.id,
    timestamp: state.header.timestamp,
    finality_digest: state.finality_digest,
    active_policy_generation: state.active_finalizer_policy.generation,
    pending_policy_generation: state.pending_finalizer_policy?.[1].generation ?? 0,
  }
}

/** The reference to this block or to an ancestor down to the last final one. */
export function refOnBranch(state: SavannaHeaderState, block_num: number): BlockRef {
  if (block_num === blockNumOf(state.header)) return makeBlockRef(state)
  return blockReference(state.core, block_num)
}

/** The policies that vote on the block of `ref`: this block or an ancestor down to the one of the
 *  latest claim. */
export function policiesOf(state: SavannaHeaderFields, ref: BlockRef): VotingPolicies {
  const { active_finalizer_policy: active, pending_finalizer_policy: pending } = state
  const former = state.latest_qc_claim_block_active_finalizer_policy
  const known = (generation: number, ...policies: (FinalizerPolicy | undefined)[]) => {
    const policy = policies.find((candidate) => candidate?.generation === generation)
    check(policy, 'chain_exception', 'Logic error in finalizer policy retrieval')
    return policy
  }
  const { active_policy_generation, pending_policy_generation } = ref
  return {
    finality_digest: ref.finality_digest,
    active: known(active_policy_generation, active, former),
    pending:
      pending_policy_generation === 0
        ? undefined
        : known(pending_policy_generation, active, pending?.[1]),
  }
}

/** Generation of the active policy at this block or at an ancestor down to the last final one. */
export function activeGenerationAt(state: SavannaHeaderState, block_num: number): number {
  assert(block_num <= currentBlockNum(state.core))
  return refOnBranch(state, block_num).active_policy_generation
}
