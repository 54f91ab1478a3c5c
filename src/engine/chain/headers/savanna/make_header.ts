/**
 * The header of a Savanna block whose execution is finished.
 * spring: libraries/chain/block_header_state.cpp (next), controller.cpp (assemble_block)
 */
import type { BlockHeader } from '../../../protocol/block.ts'
import type { FinalityExtension } from '../../../protocol/block_extension.ts'
import { makeHeaderExtensions } from '../../../protocol/block_extension.ts'
import type { FinalizerPolicy, QcClaim } from '../../../protocol/finality.ts'
import type { ProducerAuthority } from '../../../protocol/schedule.ts'
import { sameProducers } from '../propose_producers.ts'
import { diffFinalizerPolicy, diffProposerPolicy } from './policies.ts'
import type { ProposerPolicy } from './policies.ts'
import type { SavannaHeaderState } from './header_state.ts'
import {
  PROPER_SAVANNA_VERSION,
  lastProposedFinalizerPolicy,
  lastProposedProposerPolicy,
} from './header_state.ts'

/** The input of a block header. */
export interface SavannaHeaderInput {
  slot: number
  producer: bigint
  transaction_mroot: Uint8Array
  /** Root of the finality tree as of the claimed block. */
  finality_mroot: Uint8Array
  features: readonly Uint8Array[]
  qc_claim: QcClaim
  /** Its generation is given here. */
  new_finalizer_policy: FinalizerPolicy | undefined
  /** Proposed in this block. */
  new_producers: ProducerAuthority[] | undefined
  /** The policy that this block is produced by. */
  active_proposer_policy: ProposerPolicy
}

/** The header of a new Savanna block on `parent`. spring: libraries/chain/block_header_state.cpp */
export function makeSavannaHeader(
  parent: SavannaHeaderState,
  input: SavannaHeaderInput,
): BlockHeader {
  const { features } = input
  return {
    timestamp: input.slot,
    producer: input.producer,
    confirmed: 0,
    previous: parent.id,
    transaction_mroot: input.transaction_mroot,
    action_mroot: input.finality_mroot,
    schedule_version: PROPER_SAVANNA_VERSION,
    header_extensions: makeHeaderExtensions({
      protocol_feature_activation: features.length > 0 ? [...features] : undefined,
      finality_extension: finalityExtension(parent, input),
    }),
  }
}

function finalityExtension(
  parent: SavannaHeaderState,
  input: SavannaHeaderInput,
): FinalityExtension {
  const extension: FinalityExtension = { qc_claim: input.qc_claim }
  if (input.new_finalizer_policy !== undefined) {
    const generation = parent.finalizer_policy_generation + 1
    extension.new_finalizer_policy_diff = diffFinalizerPolicy(lastProposedFinalizerPolicy(parent), {
      ...input.new_finalizer_policy,
      generation,
    })
  }
  const proposed = newProposerPolicy(parent, input)
  if (proposed !== undefined) {
    extension.new_proposer_policy_diff = diffProposerPolicy(
      lastProposedProposerPolicy(parent),
      proposed,
    )
  }
  return extension
}

/** The proposed schedule, unless it is the one that was proposed last. */
function newProposerPolicy(
  parent: SavannaHeaderState,
  { new_producers, active_proposer_policy, slot }: SavannaHeaderInput,
): ProposerPolicy | undefined {
  if (new_producers === undefined) return undefined
  const { proposer_schedule: last } =
    parent.latest_proposed_proposer_policy ??
    parent.latest_pending_proposer_policy ??
    active_proposer_policy
  if (sameProducers(last.producers, new_producers)) return undefined
  return {
    proposal_time: slot,
    proposer_schedule: { version: last.version + 1, producers: new_producers },
  }
}
