/**
 * Collects the votes on one block and the certificates for it from later blocks, and returns the
 * best certificate that they give.
 * spring: libraries/chain/qc.cpp (aggregating_qc_t, aggregating_qc_sig_t)
 */
import assert from 'node:assert'
import { blsAggregateSignatures } from '../../../crypto/bls.ts'
import type {
  Bitset,
  FinalizerPolicy,
  QcSignature,
  QuorumCertificate,
} from '../../../protocol/finality.ts'
import { bytesEqual } from '../../../protocol/hex.ts'
import { copyBitset, hasBit, makeBitset, setBit } from './bitset.ts'
import { maxWeakSum } from './policies.ts'
import { isStrongSignature } from './quorum_certificate.ts'
import type { Vote, VoteResult } from '../../../protocol/vote.ts'

/**
 * The state of the votes: `restricted` has so many weak ones that strong is impossible;
 * `weak_achieved` may still become strong, `weak_final` may not.
 */
type State = 'unrestricted' | 'restricted' | 'weak_achieved' | 'weak_final' | 'strong'

/** Votes by the finalizers of one policy. Their signatures were verified. */
class PolicyVotes {
  readonly policy: FinalizerPolicy
  private state: State = 'unrestricted'
  private readonly strong: Bitset
  private readonly weak: Bitset
  private readonly strong_signatures: Uint8Array[] = []
  private readonly weak_signatures: Uint8Array[] = []
  private strong_sum = 0n
  private weak_sum = 0n
  private readonly max_weak_sum: bigint
  private received: QcSignature | undefined

  constructor(policy: FinalizerPolicy) {
    this.policy = policy
    this.strong = makeBitset(policy.finalizers.length)
    this.weak = makeBitset(policy.finalizers.length)
    this.max_weak_sum = maxWeakSum(policy)
  }

  indexOf(key: Uint8Array): number {
    return this.policy.finalizers.findIndex(({ public_key }) => bytesEqual(public_key, key))
  }

  hasVoted(index: number): boolean {
    return hasBit(this.strong, index) || hasBit(this.weak, index)
  }

  add(index: number, { strong, signature }: Vote): void {
    const { weight } = this.policy.finalizers[index]!
    if (strong) {
      setBit(this.strong, index)
      this.strong_signatures.push(signature)
      this.strong_sum += weight
      this.state = this.afterStrong()
    } else {
      setBit(this.weak, index)
      this.weak_signatures.push(signature)
      this.weak_sum += weight
      this.state = this.afterWeak()
    }
  }

  private get quorum_met(): boolean {
    return this.weak_sum + this.strong_sum >= this.policy.threshold
  }

  private afterStrong(): State {
    const { state } = this
    const strong = this.strong_sum >= this.policy.threshold
    if (state === 'weak_final' || state === 'strong') return state
    if (strong) return 'strong'
    if (!this.quorum_met || state === 'weak_achieved') return state
    return state === 'restricted' ? 'weak_final' : 'weak_achieved'
  }

  private afterWeak(): State {
    const { state } = this
    if (state === 'weak_final' || state === 'strong') return state
    if (state === 'weak_achieved') {
      return this.weak_sum >= this.max_weak_sum ? 'weak_final' : state
    }
    const beyond = this.weak_sum > this.max_weak_sum
    if (this.quorum_met) return beyond ? 'weak_final' : 'weak_achieved'
    return beyond ? 'restricted' : state
  }

  /**
   * Stores a verified certificate unless there is an equal or better one. Returns whether it was
   * stored.
   */
  receive(signature: QcSignature): boolean {
    const better =
      this.received === undefined ||
      (!isStrongSignature(this.received) && isStrongSignature(signature))
    if (better) this.received = signature
    return better
  }

  best(): QcSignature | undefined {
    const { received } = this
    const own_strong = this.state === 'strong'
    if (!own_strong && this.state !== 'weak_achieved' && this.state !== 'weak_final') {
      return received
    }
    // Strong beats weak; between equals the received one costs nothing to make.
    if (received && (isStrongSignature(received) || !own_strong)) return received
    return this.aggregate(own_strong)
  }

  private aggregate(strong: boolean): QcSignature {
    const strong_votes = copyBitset(this.strong)
    if (strong) return { strong_votes, sig: sumOf(this.strong_signatures) }
    const signatures = [...this.strong_signatures, ...this.weak_signatures]
    return {
      strong_votes,
      weak_votes: copyBitset(this.weak),
      sig: sumOf(signatures),
    }
  }
}

/** The sum of signatures; one is its own sum, which spares reading the point. */
function sumOf(signatures: readonly Uint8Array[]): Uint8Array {
  const [only, ...others] = signatures
  return only && others.length === 0 ? only : blsAggregateSignatures(signatures)
}

/** The votes on one block. */
export class VoteAggregator {
  private readonly active: PolicyVotes
  private readonly pending: PolicyVotes | undefined

  constructor(active: FinalizerPolicy, pending: FinalizerPolicy | undefined) {
    this.active = new PolicyVotes(active)
    this.pending = pending && new PolicyVotes(pending)
  }

  /**
   * The result of a vote without a check of its signature: `success` means that it must be
   * verified.
   */
  precheck(finalizer_key: Uint8Array): VoteResult {
    let result: VoteResult = 'unknown_public_key'
    for (const votes of this.all()) {
      const index = votes.indexOf(finalizer_key)
      if (index < 0) continue
      if (votes.hasVoted(index)) return 'duplicate'
      result = 'success'
    }
    return result
  }

  /** Adds a vote whose signature is right. */
  add(vote: Vote): VoteResult {
    const result = this.precheck(vote.finalizer_key)
    if (result !== 'success') return result
    for (const votes of this.all()) {
      const index = votes.indexOf(vote.finalizer_key)
      if (index >= 0) votes.add(index, vote)
    }
    return result
  }

  /** Stores a verified certificate for the block. Returns whether any part of it was new. */
  receive(qc: QuorumCertificate): boolean {
    const active = this.active.receive(qc.active_policy_sig)
    if (this.pending === undefined) return active
    assert(qc.pending_policy_sig, 'a certificate without its pending part was not verified')
    const pending = this.pending.receive(qc.pending_policy_sig)
    return active || pending
  }

  /** The best certificate there is for the block. */
  best(block_num: number): QuorumCertificate | undefined {
    const active_policy_sig = this.active.best()
    if (active_policy_sig === undefined) return undefined
    if (this.pending === undefined) return { block_num, active_policy_sig }
    const pending_policy_sig = this.pending.best()
    return pending_policy_sig && { block_num, active_policy_sig, pending_policy_sig }
  }

  private all(): PolicyVotes[] {
    return this.pending === undefined ? [this.active] : [this.active, this.pending]
  }
}
