/**
 * Finalizer policies (who votes, with which weight) and proposer policies (who produces), and how
 * headers carry changes of them.
 * spring: libraries/chain/include/eosio/chain/{finalizer_policy,proposer_policy}.hpp
 */
import { sha256 } from '../../../crypto/hash.ts'
import type {
  FinalizerAuthority,
  FinalizerPolicy,
  FinalizerPolicyDiff,
  ProposerPolicyDiff,
} from '../../../protocol/finality.ts'
import { packFinalizerPolicy } from '../../../protocol/finality.ts'
import { bytesEqual } from '../../../protocol/hex.ts'
import type { Reader } from '../../../protocol/reader.ts'
import type { ProducerAuthoritySchedule } from '../../../protocol/schedule.ts'
import {
  packProducerAuthoritySchedule,
  unpackProducerAuthoritySchedule,
} from '../../../protocol/schedule.ts'
import type { Writer } from '../../../protocol/writer.ts'
import { packOne } from '../../../protocol/writer.ts'
import { sameProducer } from '../propose_producers.ts'
import { applyDiff, makeDiff } from './ordered_diff.ts'

/** The producers, and the slot of the block that proposed them. */
export interface ProposerPolicy {
  proposal_time: number
  proposer_schedule: ProducerAuthoritySchedule
}

/** The policy to which the first one is compared. */
export const NO_FINALIZERS: FinalizerPolicy = { generation: 0, threshold: 0n, finalizers: [] }

function sameFinalizer(a: FinalizerAuthority, b: FinalizerAuthority): boolean {
  return (
    a.description === b.description &&
    a.weight === b.weight &&
    bytesEqual(a.public_key, b.public_key)
  )
}

/** The difference between two finalizer policies, as a header contains it. */
export function diffFinalizerPolicy(
  from: FinalizerPolicy,
  to: FinalizerPolicy,
): FinalizerPolicyDiff {
  return {
    generation: to.generation,
    threshold: to.threshold,
    finalizers_diff: makeDiff(from.finalizers, to.finalizers, sameFinalizer),
  }
}

/**
 * The finalizer policy that results from a difference.
 * @throws ChainError if the difference does not fit
 */
export function applyFinalizerDiff(
  policy: FinalizerPolicy,
  diff: FinalizerPolicyDiff,
): FinalizerPolicy {
  return {
    generation: diff.generation,
    threshold: diff.threshold,
    finalizers: applyDiff(policy.finalizers, diff.finalizers_diff),
  }
}

/** The difference between two proposer policies, as a header contains it. */
export function diffProposerPolicy(from: ProposerPolicy, to: ProposerPolicy): ProposerPolicyDiff {
  return {
    version: to.proposer_schedule.version,
    proposal_time: to.proposal_time,
    producer_auth_diff: makeDiff(
      from.proposer_schedule.producers,
      to.proposer_schedule.producers,
      sameProducer,
    ),
  }
}

/**
 * The proposer policy that results from a difference.
 * @throws ChainError if the difference does not fit
 */
export function applyProposerDiff(
  policy: ProposerPolicy,
  diff: ProposerPolicyDiff,
): ProposerPolicy {
  return {
    proposal_time: diff.proposal_time,
    proposer_schedule: {
      version: diff.version,
      producers: applyDiff(policy.proposer_schedule.producers, diff.producer_auth_diff),
    },
  }
}

/** Weak votes beyond this weight make a strong certificate impossible. */
export function maxWeakSum(policy: FinalizerPolicy): bigint {
  return policy.finalizers.reduce((sum, { weight }) => sum + weight, 0n) - policy.threshold
}

/** Policies never change, and many blocks have the same one: each digest is computed once. */
const digests = new WeakMap<FinalizerPolicy, Uint8Array>()

/** SHA-256 of the packed finalizer policy. */
export function finalizerPolicyDigest(policy: FinalizerPolicy): Uint8Array {
  let digest = digests.get(policy)
  if (digest === undefined) {
    digest = sha256(packOne(packFinalizerPolicy, policy))
    digests.set(policy, digest)
  }
  return digest
}

/** Writes a proposer policy in the format of the reference's snapshots. */
export function packProposerPolicy(w: Writer, policy: ProposerPolicy): void {
  w.u32(policy.proposal_time)
  packProducerAuthoritySchedule(w, policy.proposer_schedule)
}

/** Reads a proposer policy in the format of the reference's snapshots. */
export function unpackProposerPolicy(r: Reader): ProposerPolicy {
  return { proposal_time: r.u32(), proposer_schedule: unpackProducerAuthoritySchedule(r) }
}
