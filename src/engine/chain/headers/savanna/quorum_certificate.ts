/**
 * Checks of quorum certificates: their form, that enough weight voted, and their signatures.
 * spring: libraries/chain/qc.cpp
 */
import { check } from '../../../errors.ts'
import type { BlsSigners } from '../../../crypto/bls.ts'
import { blsPublicKeyToString } from '../../../protocol/bls_text.ts'
import type {
  Bitset,
  FinalizerPolicy,
  QcClaim,
  QcSignature,
  QuorumCertificate,
} from '../../../protocol/finality.ts'
import { bytesEqual } from '../../../protocol/hex.ts'
import { hasBit } from './bitset.ts'
import { weakDigest } from './finality_digest.ts'
import type { VotingPolicies } from './header_state.ts'

/** An aggregate signature and what it must sign. */
export interface SignatureClaim {
  signers: BlsSigners[]
  signature: Uint8Array
}

/** Verifies one aggregate signature; slow unless it is known from before. */
export type AggregateVerifier = (claim: SignatureClaim) => boolean

/** Whether all votes of an aggregate signature are strong. */
export function isStrongSignature(signature: QcSignature): boolean {
  return signature.weak_votes === undefined
}

/** Whether a quorum certificate is strong: it has no weak votes in any of its signatures. */
export function isStrong(qc: QuorumCertificate): boolean {
  const { active_policy_sig, pending_policy_sig } = qc
  return (
    isStrongSignature(active_policy_sig) &&
    (pending_policy_sig === undefined || isStrongSignature(pending_policy_sig))
  )
}

/** The claim that a quorum certificate proves. */
export function claimOf(qc: QuorumCertificate): QcClaim {
  return { block_num: qc.block_num, is_strong_qc: isStrong(qc) }
}

/**
 * Checks everything but the signatures.
 * @throws ChainError invalid_qc
 */
export function verifyQcBasic(qc: QuorumCertificate, policies: VotingPolicies): void {
  const { active_policy_sig, pending_policy_sig, block_num } = qc
  verifyVotes(active_policy_sig, policies.active)
  if (pending_policy_sig === undefined) {
    check(
      !policies.pending,
      'invalid_qc',
      `qc ${block_num} does not contain pending policy signature for pending finalizer policy`,
    )
    return
  }
  const pending = requirePending(qc, policies)
  // The format is checked first, so that no bit outside of the bitset is read.
  verifyFormat(pending_policy_sig, pending)
  verifyDualFinalizers(qc, policies.active, pending, pending_policy_sig)
  verifyVotes(pending_policy_sig, pending)
}

/**
 * Checks the signatures.
 * @throws ChainError invalid_qc_signature
 */
export function verifyQcSignatures(
  qc: QuorumCertificate,
  policies: VotingPolicies,
  verify: AggregateVerifier,
): void {
  for (const claim of signatureClaims(qc, policies)) {
    check(verify(claim), 'invalid_qc_signature', 'qc signature validation failed')
  }
}

/** The signatures of a certificate that must be verified after the basic checks. */
export function signatureClaims(qc: QuorumCertificate, policies: VotingPolicies): SignatureClaim[] {
  const { active_policy_sig, pending_policy_sig } = qc
  const claims = [signatureClaim(active_policy_sig, policies.active, policies.finality_digest)]
  if (pending_policy_sig !== undefined) {
    const pending = requirePending(qc, policies)
    claims.push(signatureClaim(pending_policy_sig, pending, policies.finality_digest))
  }
  return claims
}

function signatureClaim(
  votes: QcSignature,
  policy: FinalizerPolicy,
  finality_digest: Uint8Array,
): SignatureClaim {
  const voters = (bits: Bitset) =>
    policy.finalizers.filter((_, i) => hasBit(bits, i)).map(({ public_key }) => public_key)
  const signers: BlsSigners[] = []
  const { strong_votes, weak_votes, sig } = votes
  if (strong_votes) signers.push({ keys: voters(strong_votes), message: finality_digest })
  if (weak_votes) signers.push({ keys: voters(weak_votes), message: weakDigest(finality_digest) })
  return { signers, signature: sig }
}

function requirePending(qc: QuorumCertificate, { pending }: VotingPolicies): FinalizerPolicy {
  check(
    pending,
    'invalid_qc',
    `qc ${qc.block_num} contains pending policy signature for nonexistent pending finalizer policy`,
  )
  return pending
}

function verifyVotes(votes: QcSignature, policy: FinalizerPolicy): void {
  verifyFormat(votes, policy)
  verifyWeights(votes, policy)
}

function verifyFormat(
  { strong_votes, weak_votes }: QcSignature,
  { finalizers, generation }: FinalizerPolicy,
): void {
  check(
    strong_votes || weak_votes,
    'invalid_qc',
    `Neither strong_votes nor weak_votes present for finalizer policy, generation ${generation}`,
  )
  for (const votes of [strong_votes, weak_votes]) {
    check(
      votes === undefined || votes.size === finalizers.length,
      'invalid_qc',
      () =>
        'vote bitset size is not the same as the number of finalizers for the policy it refers ' +
        `to, vote bitset size: ${votes?.size}, num of finalizers for the policy: ${finalizers.length}`,
    )
  }
  if (!strong_votes || !weak_votes) return
  finalizers.forEach((_, i) =>
    check(
      !(hasBit(strong_votes, i) && hasBit(weak_votes, i)),
      'invalid_qc',
      `finalizer (bit index ${i}) voted both strong and weak`,
    ),
  )
}

function verifyWeights(votes: QcSignature, policy: FinalizerPolicy): void {
  const weigh = (bits: Bitset | undefined) =>
    policy.finalizers.reduce((sum, { weight }, i) => {
      return bits && hasBit(bits, i) ? sum + weight : sum
    }, 0n)
  const strong = weigh(votes.strong_votes)
  const weak = weigh(votes.weak_votes)
  const { threshold } = policy
  if (isStrongSignature(votes)) {
    check(
      strong >= threshold,
      'invalid_qc',
      `strong quorum is not met, strong_weights: ${strong}, threshold: ${threshold}`,
    )
  } else {
    check(
      strong + weak >= threshold,
      'invalid_qc',
      `weak quorum is not met, strong_weights: ${strong}, weak_weights: ${weak}, ` +
        `threshold: ${threshold}`,
    )
  }
}

/** A finalizer in both policies must have the same vote in both. */
function verifyDualFinalizers(
  { active_policy_sig, block_num }: QuorumCertificate,
  active: FinalizerPolicy,
  pending: FinalizerPolicy,
  pending_policy_sig: QcSignature,
): void {
  active.finalizers.forEach(({ public_key }, i) => {
    const j = pending.finalizers.findIndex((other) => bytesEqual(other.public_key, public_key))
    if (j < 0) return
    check(
      vote(active_policy_sig, i) === vote(pending_policy_sig, j),
      'invalid_qc',
      () =>
        `qc ${block_num} contains a dual finalizer ${blsPublicKeyToString(public_key)} ` +
        'which does not vote the same on active and pending policies',
    )
  })
}

function vote({ strong_votes, weak_votes }: QcSignature, index: number): string {
  if (strong_votes && hasBit(strong_votes, index)) return 'strong'
  return weak_votes && hasBit(weak_votes, index) ? 'weak' : 'none'
}
