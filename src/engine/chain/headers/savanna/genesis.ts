/**
 * The start of Savanna. The legacy block that proposes the first finalizer policy also has a
 * Savanna state, and so do the following transition blocks, up to the one that makes it
 * irreversible by the legacy rules. The next block is a proper Savanna block.
 * spring: libraries/chain/block_state.cpp (create_if_genesis_block), block_state_legacy.cpp
 */
import { check } from '../../../errors.ts'
import type { BlockHeader } from '../../../protocol/block.ts'
import type { FinalityExtension } from '../../../protocol/block_extension.ts'
import type { HeaderState } from '../legacy/header_state.ts'
import { genesisCore } from './finality_core.ts'
import { withFinalityDigest } from './next_header_state.ts'
import { NO_FINALIZERS, applyFinalizerDiff, finalizerPolicyDigest } from './policies.ts'
import type { SavannaHeaderState } from './header_state.ts'

/**
 * The Savanna state of the legacy block that proposed the first finalizer policy.
 * @throws ChainError block_validate_exception if it has no finalizer policy
 */
export function genesisSavannaState(
  legacy: HeaderState,
  { new_finalizer_policy_diff: diff }: FinalityExtension,
): SavannaHeaderState {
  check(diff, 'block_validate_exception', 'the genesis block of Savanna has no finalizer policy')
  const policy = applyFinalizerDiff(NO_FINALIZERS, diff)
  const { timestamp } = legacy.header
  return withFinalityDigest({
    id: legacy.id,
    header: unsigned(legacy.header),
    activated_protocol_features: legacy.activated_protocol_features,
    core: genesisCore(legacy.id, timestamp),
    active_finalizer_policy: policy,
    active_proposer_policy: { proposal_time: 0, proposer_schedule: legacy.active_schedule },
    latest_proposed_proposer_policy: undefined,
    latest_pending_proposer_policy: undefined,
    proposed_finalizer_policies: [],
    pending_finalizer_policy: undefined,
    latest_qc_claim_block_active_finalizer_policy: undefined,
    finalizer_policy_generation: 1,
    last_pending_finalizer_policy_digest: finalizerPolicyDigest(policy),
    last_pending_finalizer_policy_start_timestamp: timestamp,
  })
}

/** The fields of a header alone, whatever else the object holds. */
export function unsigned(header: BlockHeader): BlockHeader {
  const { timestamp, producer, confirmed, previous, new_producers } = header
  const { transaction_mroot, action_mroot, schedule_version, header_extensions } = header
  return {
    timestamp,
    producer,
    confirmed,
    previous,
    transaction_mroot,
    action_mroot,
    schedule_version,
    ...(new_producers && { new_producers }),
    header_extensions,
  }
}
