/**
 * The header states with which a fork of a public chain begins: those of the last block of that
 * chain, with other producers and finalizers. The block itself and its id are the public chain's.
 */
import type { FinalizerPolicy } from '../../protocol/finality.ts'
import type { ProducerAuthority, ProducerAuthoritySchedule } from '../../protocol/schedule.ts'
import type { HeaderStates } from './block_state.ts'
import type { HeaderState } from './legacy/header_state.ts'
import { withFinalityDigest } from './savanna/next_header_state.ts'
import { finalizerPolicyDigest } from './savanna/policies.ts'
import { lastProposedProposerPolicy } from './savanna/header_state.ts'
import type { SavannaHeaderState } from './savanna/header_state.ts'
import { SharedList } from './savanna/shared_list.ts'

/** Those who take over. */
export interface Successors {
  producers: readonly ProducerAuthority[]
  /** Public BLS keys; more than two thirds of them must agree. */
  finalizers: readonly Uint8Array[]
}

/** The states of a block, as if the successors had just become active with it. */
export function takeOver(
  { legacy, savanna }: HeaderStates,
  { producers, finalizers }: Successors,
): HeaderStates {
  const newest = Math.max(
    legacy?.active_schedule.version ?? 0,
    legacy?.pending_schedule.schedule.version ?? 0,
    savanna ? lastProposedProposerPolicy(savanna).proposer_schedule.version : 0,
  )
  const schedule = { version: newest + 1, producers: [...producers] }
  return {
    legacy: legacy && withSchedule(legacy, schedule),
    savanna: savanna && withPolicies(savanna, schedule, finalizers),
  }
}

function withSchedule(state: HeaderState, schedule: ProducerAuthoritySchedule): HeaderState {
  const { dpos_irreversible_blocknum: final, pending_schedule } = state
  const numbers = new Map(schedule.producers.map(({ producer_name }) => [producer_name, final]))
  return {
    ...state,
    active_schedule: schedule,
    pending_schedule: {
      ...pending_schedule,
      schedule: { version: schedule.version, producers: [] },
    },
    producer_to_last_produced: numbers,
    producer_to_last_implied_irb: numbers,
  }
}

function withPolicies(
  state: SavannaHeaderState,
  schedule: ProducerAuthoritySchedule,
  keys: readonly Uint8Array[],
): SavannaHeaderState {
  const { core, header } = state
  const generation = state.finalizer_policy_generation + 1
  const policy: FinalizerPolicy = {
    generation,
    threshold: BigInt(Math.floor((keys.length * 2) / 3) + 1),
    finalizers: keys.map((public_key, i) => ({
      description: `fork finalizer ${i + 1}`,
      weight: 1n,
      public_key,
    })),
  }
  return withFinalityDigest({
    ...state,
    // The generations of earlier blocks are in no digest. No finalizer votes on these blocks any longer.
    core: {
      ...core,
      refs: SharedList.of(
        core.refs.toArray().map((ref) => ({
          ...ref,
          active_policy_generation: generation,
          pending_policy_generation: 0,
        })),
      ),
    },
    active_finalizer_policy: policy,
    active_proposer_policy: { proposal_time: header.timestamp, proposer_schedule: schedule },
    latest_proposed_proposer_policy: undefined,
    latest_pending_proposer_policy: undefined,
    proposed_finalizer_policies: [],
    pending_finalizer_policy: undefined,
    latest_qc_claim_block_active_finalizer_policy: undefined,
    finalizer_policy_generation: generation,
    last_pending_finalizer_policy_digest: finalizerPolicyDigest(policy),
    last_pending_finalizer_policy_start_timestamp: header.timestamp,
  })
}
