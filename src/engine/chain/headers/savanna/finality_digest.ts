/**
 * The digests that finalizers sign. They commit to a block, to the blocks that it makes final, and
 * to the policies.
 * spring: libraries/chain/block_header_state.cpp (compute_base_digest, compute_finality_digest),
 * libraries/chain/include/eosio/chain/{block_header_state,qc}.hpp
 */
import { sha256 } from '../../../crypto/hash.ts'
import { packBlockHeader } from '../../../protocol/block.ts'
import { packFinalizerPolicy } from '../../../protocol/finality.ts'
import { Writer } from '../../../protocol/writer.ts'
import {
  EMPTY_REF,
  blockReference,
  isGenesisCore,
  latestQcClaim,
  packCoreForDigest,
  reversibleBlocksRoot,
} from './finality_core.ts'
import { packProposerPolicy } from './policies.ts'
import type { NumberedPolicy, SavannaHeaderFields } from './header_state.ts'
import { isProperSavanna, lastPendingFinalizerPolicy } from './header_state.ts'

/** Version of light header validation. */
export const LIGHT_HEADER_MAJOR = 1
/** Minor version of light header validation. */
export const LIGHT_HEADER_MINOR = 0

const NO_DIGEST = new Uint8Array(32)
const WEAK = Uint8Array.from(Buffer.from('WEAK'))
const writer = new Writer(4096)

/** The reference keeps policies behind pointers, which are packed with a presence flag. */
export function packNumberedPolicy(w: Writer, [block_num, policy]: NumberedPolicy): void {
  w.u32(block_num)
  w.optional(policy, packFinalizerPolicy)
}

/** Commits to all data of a block that its finality digest does not contain separately. */
export function baseDigest(state: SavannaHeaderFields): Uint8Array {
  writer.reset()
  packBlockHeader(writer, state.header)
  packCoreForDigest(writer, state.core)
  writer.array(state.proposed_finalizer_policies, packNumberedPolicy)
  writer.optional(state.pending_finalizer_policy, packNumberedPolicy)
  packProposerPolicy(writer, state.active_proposer_policy)
  writer.optional(state.latest_proposed_proposer_policy, packProposerPolicy)
  writer.optional(state.latest_pending_proposer_policy, packProposerPolicy)
  writer.array(state.activated_protocol_features, (w, digest) => w.raw(digest))
  return sha256(writer.view())
}

/** The digest that finalizers sign. */
export function finalityDigest(state: SavannaHeaderFields): Uint8Array {
  const { core, header } = state
  const claimed = latestQcClaim(core).block_num
  const ref = isGenesisCore(core) ? EMPTY_REF : blockReference(core, claimed)
  const base = baseDigest(state)
  const reversible = reversibleBlocksRoot(core)
  // Commitments for proofs of violations of finality.
  writer.reset()
  writer.raw(reversible)
  writer.u32(claimed)
  writer.raw(ref.finality_digest)
  writer.u32(ref.timestamp)
  writer.u32(header.timestamp)
  writer.raw(base)
  const level_3 = sha256(writer.view())
  // Commitments for changes of finalizer policies.
  writer.reset()
  writer.raw(state.last_pending_finalizer_policy_digest)
  writer.u32(state.last_pending_finalizer_policy_start_timestamp)
  writer.raw(level_3)
  const level_2 = sha256(writer.view())
  writer.reset()
  writer.u32(LIGHT_HEADER_MAJOR)
  writer.u32(LIGHT_HEADER_MINOR)
  writer.u32(state.active_finalizer_policy.generation)
  writer.u32(lastPendingFinalizerPolicy(state).generation)
  writer.raw(isProperSavanna(header) ? header.action_mroot : NO_DIGEST)
  writer.raw(level_2)
  return sha256(writer.view())
}

/** The message that a weak vote signs. */
export function weakDigest(finality_digest: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(finality_digest.length + WEAK.length)
  bytes.set(finality_digest)
  bytes.set(WEAK, finality_digest.length)
  return bytes
}
