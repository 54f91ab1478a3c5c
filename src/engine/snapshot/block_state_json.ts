/**
 * JSON type of the block state of a snapshot of the current version.
 * spring: libraries/chain/include/eosio/chain/snapshot_detail.hpp (snapshot_block_state_data_v8)
 */
import * as t from './json_type.ts'

const block_signing_authority = t.variant(
  t.struct({
    threshold: t.u32,
    keys: t.vector(t.struct({ key: t.public_key, weight: t.u16 })),
  }),
)

/** The form of a producer schedule with authorities. */
export const producer_authority_schedule = t.struct({
  version: t.u32,
  producers: t.vector(t.struct({ producer_name: t.name, authority: block_signing_authority })),
})

const BLOCK_HEADER = {
  timestamp: t.slot,
  producer: t.name,
  confirmed: t.u16,
  previous: t.sha256,
  transaction_mroot: t.sha256,
  action_mroot: t.sha256,
  schedule_version: t.u32,
  new_producers: t.optional(
    t.struct({
      version: t.u32,
      producers: t.vector(t.struct({ producer_name: t.name, block_signing_key: t.public_key })),
    }),
  ),
  header_extensions: t.vector(t.tuple(t.u16, t.hex)),
}

const activated_protocol_features = t.pointer(t.struct({ protocol_features: t.vector(t.sha256) }))

const numbers_by_name = t.vector(t.tuple(t.name, t.u32))

const legacy_block_state = t.struct({
  block_num: t.u32,
  dpos_proposed_irreversible_blocknum: t.u32,
  dpos_irreversible_blocknum: t.u32,
  active_schedule: producer_authority_schedule,
  blockroot_merkle: t.struct({ _active_nodes: t.vector(t.sha256), _node_count: t.u64 }),
  producer_to_last_produced: numbers_by_name,
  producer_to_last_implied_irb: numbers_by_name,
  valid_block_signing_authority: block_signing_authority,
  confirm_count: t.vector(t.u8),
  id: t.sha256,
  header: t.struct({ ...BLOCK_HEADER, producer_signature: t.signature }),
  pending_schedule: t.struct({
    schedule_lib_num: t.u32,
    schedule_hash: t.sha256,
    schedule: producer_authority_schedule,
  }),
  activated_protocol_features,
  additional_signatures: t.vector(t.signature),
})

const finality_core = t.struct({
  links: t.vector(
    t.struct({ source_block_num: t.u32, target_block_num: t.u32, is_link_strong: t.bool }),
  ),
  refs: t.vector(
    t.struct({
      block_id: t.sha256,
      timestamp: t.slot,
      finality_digest: t.sha256,
      active_policy_generation: t.u32,
      pending_policy_generation: t.u32,
    }),
  ),
  genesis_timestamp: t.slot,
})

const finalizer_policy = t.pointer(
  t.struct({
    generation: t.u32,
    threshold: t.u64,
    finalizers: t.vector(
      t.struct({ description: t.string, weight: t.u64, public_key: t.bls_public_key }),
    ),
  }),
)

const proposer_policy = t.pointer(
  t.struct({ proposal_time: t.slot, proposer_schedule: producer_authority_schedule }),
)

const savanna_block_state = t.struct({
  block_id: t.sha256,
  header: t.struct(BLOCK_HEADER),
  activated_protocol_features,
  core: finality_core,
  active_finalizer_policy: finalizer_policy,
  active_proposer_policy: proposer_policy,
  latest_proposed_proposer_policy: proposer_policy,
  latest_pending_proposer_policy: proposer_policy,
  proposed_finalizer_policies: t.vector(t.tuple(t.u32, finalizer_policy)),
  pending_finalizer_policy: t.optional(t.tuple(t.u32, finalizer_policy)),
  latest_qc_claim_block_active_finalizer_policy: finalizer_policy,
  finalizer_policy_generation: t.u32,
  last_pending_finalizer_policy_digest: t.sha256,
  last_pending_finalizer_policy_start_timestamp: t.slot,
  valid: t.optional(
    t.struct({
      validation_tree: t.struct({ mask: t.u64, trees: t.vector(t.sha256) }),
      validation_mroots: t.vector(t.sha256),
    }),
  ),
})

/** Both are present for the blocks of the transition to Savanna. */
export const block_state = t.struct({
  bs_l: t.optional(legacy_block_state),
  bs: t.optional(savanna_block_state),
})
