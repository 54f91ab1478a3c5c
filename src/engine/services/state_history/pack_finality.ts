import assert from 'node:assert/strict'
import type { BlockState } from '../../chain/headers/block_state.ts'
import {
  EMPTY_REF,
  blockReference,
  isGenesisCore,
  latestQcClaim,
  reversibleBlocksRoot,
} from '../../chain/headers/savanna/finality_core.ts'
import {
  LIGHT_HEADER_MAJOR,
  LIGHT_HEADER_MINOR,
  baseDigest,
} from '../../chain/headers/savanna/finality_digest.ts'
import type { SavannaHeaderState } from '../../chain/headers/savanna/header_state.ts'
import { lastPendingFinalizerPolicy } from '../../chain/headers/savanna/header_state.ts'
import { blsPublicKeyToString } from '../../protocol/bls_text.ts'
import type { FinalizerPolicy } from '../../protocol/finality.ts'
import type { Writer } from '../../protocol/writer.ts'

/**
 * Writes what light clients need to follow finality.
 * @returns false, and writes nothing, for a block before Savanna
 * spring: libraries/chain/block_state.cpp (get_finality_data)
 */
export function packFinalityData(w: Writer, block: BlockState): boolean {
  const { savanna } = block
  if (!savanna) return false
  const { core, active_finalizer_policy: active } = savanna
  const claimed = latestQcClaim(core).block_num
  const ref = isGenesisCore(core) ? EMPTY_REF : blockReference(core, claimed)
  assert(block.action_mroot, `block ${block.block_num} was executed`)
  w.u32(LIGHT_HEADER_MAJOR)
  w.u32(LIGHT_HEADER_MINOR)
  w.u32(active.generation)
  w.raw(block.action_mroot)
  w.raw(reversibleBlocksRoot(core))
  w.u32(claimed)
  w.raw(ref.finality_digest)
  w.u32(ref.timestamp)
  w.raw(baseDigest(savanna))
  w.optional(newPendingPolicy(block, savanna), packPolicyWithTexts)
  w.u32(lastPendingFinalizerPolicy(savanna).generation)
  return true
}

/** The policy that became pending in this block. */
function newPendingPolicy(
  block: BlockState,
  savanna: SavannaHeaderState,
): FinalizerPolicy | undefined {
  // In the first block of Savanna a policy is proposed, pending and active.
  if (isGenesisCore(savanna.core)) return savanna.active_finalizer_policy
  const [block_num, policy] = savanna.pending_finalizer_policy ?? []
  return block_num === block.block_num ? policy : undefined
}

/** A policy whose keys are texts. spring: finalizer_policy_with_string_key */
function packPolicyWithTexts(w: Writer, policy: FinalizerPolicy): void {
  w.u32(policy.generation)
  w.u64(policy.threshold)
  w.array(policy.finalizers, (out, { description, weight, public_key }) => {
    out.byteString(description)
    out.u64(weight)
    out.string(blsPublicKeyToString(public_key))
  })
}
