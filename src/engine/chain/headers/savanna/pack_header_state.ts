/**
 * The packed Savanna state of a block, which is the reference's form of it in snapshots of version 8.
 * Policies are behind pointers there, which are packed with a presence flag.
 * spring: libraries/chain/include/eosio/chain/snapshot_detail.hpp (snapshot_block_state_v8)
 */
import { check } from '../../../errors.ts'
import { packBlockHeader, unpackBlockHeader } from '../../../protocol/block.ts'
import { packFinalizerPolicy, unpackFinalizerPolicy } from '../../../protocol/finality.ts'
import type { Reader } from '../../../protocol/reader.ts'
import type { Writer } from '../../../protocol/writer.ts'
import { packCore, unpackCore } from './finality_core.ts'
import { packNumberedPolicy } from './finality_digest.ts'
import { withFinalityDigest } from './next_header_state.ts'
import { packProposerPolicy, unpackProposerPolicy } from './policies.ts'
import type { NumberedPolicy, SavannaHeaderState } from './header_state.ts'
import { packValid, unpackValid } from './valid_structure.ts'
import type { ValidStructure } from './valid_structure.ts'

/** A block's Savanna state, with the finality tree if the block was executed. */
export interface SavannaBlockState {
  savanna: SavannaHeaderState
  valid: ValidStructure | undefined
}

/** Writes the Savanna state of a block in the format of the reference's snapshots. */
export function packSavannaState(w: Writer, { savanna, valid }: SavannaBlockState): void {
  packSavannaHeader(w, savanna)
  w.optional(valid, packValid)
}

/** The state of the header alone. spring: block_header_state.hpp (FC_REFLECT) */
export function packSavannaHeader(w: Writer, savanna: SavannaHeaderState): void {
  w.raw(savanna.id)
  packBlockHeader(w, savanna.header)
  w.optional(savanna.activated_protocol_features, (w, features) =>
    w.array(features, (w, digest) => w.raw(digest)),
  )
  packCore(w, savanna.core)
  w.optional(savanna.active_finalizer_policy, packFinalizerPolicy)
  w.optional(savanna.active_proposer_policy, packProposerPolicy)
  w.optional(savanna.latest_proposed_proposer_policy, packProposerPolicy)
  w.optional(savanna.latest_pending_proposer_policy, packProposerPolicy)
  w.array(savanna.proposed_finalizer_policies, packNumberedPolicy)
  w.optional(savanna.pending_finalizer_policy, packNumberedPolicy)
  w.optional(savanna.latest_qc_claim_block_active_finalizer_policy, packFinalizerPolicy)
  w.u32(savanna.finalizer_policy_generation)
  w.raw(savanna.last_pending_finalizer_policy_digest)
  w.u32(savanna.last_pending_finalizer_policy_start_timestamp)
}

/** Reads the Savanna state of a block in the format of the reference's snapshots. */
export function unpackSavannaState(r: Reader): SavannaBlockState {
  return { savanna: unpackSavannaHeader(r), valid: r.optional(unpackValid) }
}

/** Reads a Savanna header state in the format of the reference's snapshots. */
export function unpackSavannaHeader(r: Reader): SavannaHeaderState {
  // Evaluated in order, which is the order of the fields.
  const fields = {
    id: r.checksum256().slice(),
    header: unpackBlockHeader(r),
    activated_protocol_features: required(r, (r) => r.array((r) => r.checksum256().slice())),
    core: unpackCore(r),
    active_finalizer_policy: required(r, unpackFinalizerPolicy),
    active_proposer_policy: required(r, unpackProposerPolicy),
    latest_proposed_proposer_policy: r.optional(unpackProposerPolicy),
    latest_pending_proposer_policy: r.optional(unpackProposerPolicy),
    proposed_finalizer_policies: r.array(unpackNumberedPolicy),
    pending_finalizer_policy: r.optional(unpackNumberedPolicy),
    latest_qc_claim_block_active_finalizer_policy: r.optional(unpackFinalizerPolicy),
    finalizer_policy_generation: r.u32(),
    last_pending_finalizer_policy_digest: r.checksum256().slice(),
    last_pending_finalizer_policy_start_timestamp: r.u32(),
  }
  return withFinalityDigest(fields)
}

function required<T>(r: Reader, read: (r: Reader) => T): T {
  const value = r.optional(read)
  check(value !== undefined, 'database_exception', 'a Savanna block state without a policy')
  return value
}

function unpackNumberedPolicy(r: Reader): NumberedPolicy {
  return [r.u32(), required(r, unpackFinalizerPolicy)]
}
