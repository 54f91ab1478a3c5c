/**
 * Computes the Savanna header state of a block from its parent's state and its header.
 * spring: libraries/chain/block_header_state.cpp (finish_next, evaluate_*_policies_for_promotion)
 */
import { check } from '../../../errors.ts'
import { blockId } from '../../../crypto/digests.ts'
import type { BlockHeader } from '../../../protocol/block.ts'
import { blockNumOf } from '../../../protocol/block.ts'
import type { FinalityExtension } from '../../../protocol/block_extension.ts'
import { addFeatures } from '../../rules/features/activated_list.ts'
import { blockReference, lastFinalBlockNum, latestQcClaim, nextCore } from './finality_core.ts'
import type { FinalityCore } from './finality_core.ts'
import { finalityDigest } from './finality_digest.ts'
import { applyFinalizerDiff, applyProposerDiff, finalizerPolicyDigest } from './policies.ts'
import type { NumberedPolicy, SavannaHeaderFields, SavannaHeaderState } from './header_state.ts'
import {
  activeGenerationAt,
  lastPendingFinalizerPolicy,
  lastProposedFinalizerPolicy,
  lastProposedProposerPolicy,
  makeBlockRef,
  policiesOf,
  proposerPolicyAt,
  roundStart,
} from './header_state.ts'

/** The contents of a header's extensions. */
export interface SavannaExtensions {
  readonly finality: FinalityExtension
  /** Features that the block activates. */
  readonly features: readonly Uint8Array[]
}

/**
 * The state after a block with this header; what the header claims has been checked.
 * @param id of the block, if it is known
 */
export function nextSavannaState(
  prev: SavannaHeaderState,
  header: BlockHeader,
  { finality, features }: SavannaExtensions,
  id: Uint8Array = blockId(header),
): SavannaHeaderState {
  const core = nextCore(prev.core, makeBlockRef(prev), finality.qc_claim)
  const finalizers = nextFinalizers(prev, core, header, finality)
  const proposers = nextProposers(prev, header.timestamp, finality)
  // Each field is named: to spread objects into the middle of another one takes longer than a hash.
  return withFinalityDigest({
    id,
    header,
    activated_protocol_features:
      features.length === 0
        ? prev.activated_protocol_features
        : addFeatures(prev.activated_protocol_features, features),
    core,
    active_proposer_policy: proposers.active_proposer_policy,
    latest_proposed_proposer_policy: proposers.latest_proposed_proposer_policy,
    latest_pending_proposer_policy: proposers.latest_pending_proposer_policy,
    active_finalizer_policy: finalizers.active_finalizer_policy,
    pending_finalizer_policy: finalizers.pending_finalizer_policy,
    proposed_finalizer_policies: finalizers.proposed_finalizer_policies,
    finalizer_policy_generation: finalizers.finalizer_policy_generation,
    last_pending_finalizer_policy_start_timestamp:
      finalizers.last_pending_finalizer_policy_start_timestamp,
    last_pending_finalizer_policy_digest: finalizerPolicyDigest(
      lastPendingFinalizerPolicy(finalizers),
    ),
    latest_qc_claim_block_active_finalizer_policy: formerActive(prev, core, finalizers),
  })
}

/** A state with the digest that follows from it. */
export function withFinalityDigest(fields: SavannaHeaderFields): SavannaHeaderState {
  // To spread so many fields into an object takes as long as several hashes.
  return {
    id: fields.id,
    header: fields.header,
    activated_protocol_features: fields.activated_protocol_features,
    core: fields.core,
    active_proposer_policy: fields.active_proposer_policy,
    latest_proposed_proposer_policy: fields.latest_proposed_proposer_policy,
    latest_pending_proposer_policy: fields.latest_pending_proposer_policy,
    active_finalizer_policy: fields.active_finalizer_policy,
    pending_finalizer_policy: fields.pending_finalizer_policy,
    proposed_finalizer_policies: fields.proposed_finalizer_policies,
    finalizer_policy_generation: fields.finalizer_policy_generation,
    last_pending_finalizer_policy_start_timestamp:
      fields.last_pending_finalizer_policy_start_timestamp,
    last_pending_finalizer_policy_digest: fields.last_pending_finalizer_policy_digest,
    latest_qc_claim_block_active_finalizer_policy:
      fields.latest_qc_claim_block_active_finalizer_policy,
    finality_digest: finalityDigest(fields),
  }
}

type Proposers = Pick<
  SavannaHeaderFields,
  'active_proposer_policy' | 'latest_proposed_proposer_policy' | 'latest_pending_proposer_policy'
>

function nextProposers(
  prev: SavannaHeaderState,
  slot: number,
  { new_proposer_policy_diff: diff }: FinalityExtension,
): Proposers {
  const active = proposerPolicyAt(prev, slot)
  let proposed = prev.latest_proposed_proposer_policy
  let pending = prev.latest_pending_proposer_policy
  if (active !== prev.active_proposer_policy) {
    // A proposed policy that becomes active overtakes the pending one.
    if (active === proposed) proposed = undefined
    pending = undefined
  }
  const first_of_round = prev.header.timestamp < roundStart(slot)
  if (first_of_round && pending === undefined) {
    pending = proposed
    proposed = undefined
  }
  if (diff !== undefined) proposed = applyProposerDiff(lastProposedProposerPolicy(prev), diff)
  return {
    active_proposer_policy: active,
    latest_proposed_proposer_policy: proposed,
    latest_pending_proposer_policy: pending,
  }
}

type Finalizers = Pick<
  SavannaHeaderFields,
  | 'active_finalizer_policy'
  | 'pending_finalizer_policy'
  | 'proposed_finalizer_policies'
  | 'finalizer_policy_generation'
  | 'last_pending_finalizer_policy_start_timestamp'
>

function nextFinalizers(
  prev: SavannaHeaderState,
  core: FinalityCore,
  header: BlockHeader,
  { new_finalizer_policy_diff: diff }: FinalityExtension,
): Finalizers {
  const promoted = promoteFinalizers(prev, core, header)
  if (diff === undefined) return promoted
  const policy = applyFinalizerDiff(lastProposedFinalizerPolicy(prev), diff)
  check(
    policy.generation > prev.finalizer_policy_generation,
    'invalid_block_header_extension',
    () =>
      `new finalizer policy generation ${policy.generation} not greater than ` +
      `previous ${prev.finalizer_policy_generation}`,
  )
  return {
    ...promoted,
    finalizer_policy_generation: policy.generation,
    proposed_finalizer_policies: [
      ...promoted.proposed_finalizer_policies,
      [blockNumOf(header), policy],
    ],
  }
}

/**
 * The pending policy becomes active when its block is final. Then the last proposed policy whose
 * block is final becomes pending, and earlier ones are removed.
 */
function promoteFinalizers(
  prev: SavannaHeaderState,
  core: FinalityCore,
  header: BlockHeader,
): Finalizers {
  const final = lastFinalBlockNum(core)
  let active = prev.active_finalizer_policy
  let pending = prev.pending_finalizer_policy
  let start = prev.last_pending_finalizer_policy_start_timestamp
  if (pending !== undefined && pending[0] <= final) {
    active = pending[1]
    pending = undefined
  }
  let proposed: readonly NumberedPolicy[] = prev.proposed_finalizer_policies
  const target = proposed.findLastIndex(([block_num]) => block_num <= final)
  // They are in the order of their blocks, so all before the target are superseded.
  if (target >= 0) {
    if (pending === undefined) {
      pending = [blockNumOf(header), proposed[target]![1]]
      start = header.timestamp
      proposed = proposed.slice(target + 1)
    } else {
      proposed = proposed.slice(target)
    }
  }
  return {
    active_finalizer_policy: active,
    pending_finalizer_policy: pending,
    proposed_finalizer_policies: proposed,
    finalizer_policy_generation: prev.finalizer_policy_generation,
    last_pending_finalizer_policy_start_timestamp: start,
  }
}

/** The policy that was active at the block of the latest claim, if it is not the active one. */
function formerActive(
  prev: SavannaHeaderState,
  core: FinalityCore,
  { active_finalizer_policy }: Finalizers,
): SavannaHeaderFields['latest_qc_claim_block_active_finalizer_policy'] {
  const claimed = latestQcClaim(core).block_num
  if (activeGenerationAt(prev, claimed) === active_finalizer_policy.generation) return undefined
  return policiesOf(prev, blockReference(core, claimed)).active
}
