/**
 * The finalizers whose keys this node has: what each of them may vote, and what it must remember.
 * spring: libraries/chain/include/eosio/chain/finalizer.hpp (my_finalizers_t)
 */
import type { FinalizerPolicy, QcSignature, QuorumCertificate } from '../../protocol/finality.ts'
import { bytesEqual, toHex } from '../../protocol/hex.ts'
import { hasBit } from '../headers/savanna/bitset.ts'
import type { BlockRef } from '../headers/savanna/finality_core.ts'
import { weakDigest } from '../headers/savanna/finality_digest.ts'
import type { FinalizerSafety } from './finalizer_safety.ts'
import { UNSET_SAFETY, decideVote, isUnset, learnStrongVote } from './finalizer_safety.ts'
import type { SafetyRecord } from './safety_file.ts'
import { packSafetyFile } from './safety_file.ts'
import type { SavannaHeaderState } from '../headers/savanna/header_state.ts'

/** Secret numbers by public key in hex. */
export type FinalizerKeys = ReadonlyMap<string, Uint8Array>

/** A vote that was decided and is not signed yet. */
export interface VoteDraft {
  block: SavannaHeaderState
  strong: boolean
  finalizer_key: Uint8Array
  secret: Uint8Array
  /** The votes to sign. */
  message: Uint8Array
}

interface Finalizer extends SafetyRecord {
  secret: Uint8Array
}

/**
 * The finalizers whose keys this node has. Decides whether each may vote for a block, signs votes,
 * and keeps the safety information that must be stored before a vote is published.
 */
export class NodeFinalizers {
  private readonly finalizers: Finalizer[]
  /**
   * The safety information of finalizers whose keys were configured earlier: kept in case they are
   * configured again.
   */
  private readonly inactive: SafetyRecord[]
  private has_voted = false

  /** @param known what the safety file holds */
  constructor(keys: FinalizerKeys, known: ReadonlyMap<string, SafetyRecord>) {
    this.finalizers = [...keys].map(([hex, secret]) => ({
      public_key: known.get(hex)?.public_key ?? Uint8Array.from(Buffer.from(hex, 'hex')),
      safety: known.get(hex)?.safety ?? UNSET_SAFETY,
      secret,
    }))
    this.inactive = [...known].filter(([hex]) => !keys.has(hex)).map(([, record]) => record)
  }

  /** Whether this node has no finalizer key. */
  get empty(): boolean {
    return this.finalizers.length === 0
  }

  /** Whether this node has the private key of a finalizer. */
  has(public_key: Uint8Array): boolean {
    return this.finalizers.some((finalizer) => bytesEqual(finalizer.public_key, public_key))
  }

  /** The safety information of a finalizer of this node. */
  safetyOf(public_key: Uint8Array): FinalizerSafety | undefined {
    return this.finalizers.find((f) => bytesEqual(f.public_key, public_key))?.safety
  }

  /** The initial safety information of finalizers that never voted or were locked. */
  setDefaultSafety(safety: FinalizerSafety): void {
    for (const finalizer of this.finalizers) {
      if (isUnset(finalizer.safety)) finalizer.safety = safety
    }
  }

  /**
   * Decides the votes: each finalizer votes on the first of the blocks that it may vote on. The
   * votes may be published only after the safety information, which includes them from now on, is
   * on disk.
   */
  draftVotes(blocks: readonly SavannaHeaderState[]): VoteDraft[] {
    const drafts = this.finalizers.flatMap((finalizer) => draftFor(finalizer, blocks) ?? [])
    if (drafts.length > 0) this.has_voted = true
    return drafts
  }

  /** The safety information of the finalizers. */
  records(): SafetyRecord[] {
    return this.finalizers.map(({ public_key, safety }) => ({ public_key, safety }))
  }

  /** Finalizers return to safety information of earlier. */
  restore(records: readonly SafetyRecord[]): void {
    for (const { public_key, safety } of records) {
      const finalizer = this.finalizers.find((f) => bytesEqual(f.public_key, public_key))
      if (finalizer) finalizer.safety = safety
    }
  }

  /** Finalizers discard their safety information, and start with this lock. */
  forget(lock: BlockRef): void {
    const safety = { ...UNSET_SAFETY, lock }
    for (const finalizer of this.finalizers) finalizer.safety = safety
  }

  /**
   * The votes on a block that finalizers cast before the process ended. They are repeated
   * unchanged, so they are not new votes. The safety information says how they were cast.
   */
  repeatVotes(block: SavannaHeaderState): VoteDraft[] {
    return this.finalizers
      .filter(({ public_key, safety }) => {
        const in_policy = votersOf(block).some((policy) => indexIn(policy, public_key) >= 0)
        return in_policy && bytesEqual(safety.last_vote.block_id, block.id)
      })
      .map((finalizer) =>
        // A strong vote forgets other branches; a weak one is weak because of one.
        draftOf(block, finalizer.safety.other_branch_latest_time === 0, finalizer),
      )
  }

  /**
   * Processes a strong certificate for `block`: a finalizer that voted for another block must keep
   * that vote in its safety information. Returns whether the safety information changed.
   */
  noticeCertificate(block: SavannaHeaderState, qc: QuorumCertificate): boolean {
    // Once this node votes, its own information is newer than that of any certificate.
    if (this.has_voted) return false
    let updated = false
    for (const finalizer of this.finalizers) {
      const { public_key } = finalizer
      const [active, pending] = votersOf(block)
      const voted =
        votedStrong(active!, qc.active_policy_sig, public_key) ||
        (pending !== undefined && votedStrong(pending, qc.pending_policy_sig, public_key))
      const safety = voted ? learnStrongVote(finalizer.safety, block) : undefined
      if (safety === undefined) continue
      finalizer.safety = safety
      updated = true
    }
    return updated
  }

  /** The bytes of the safety file. */
  pack(): Uint8Array {
    return packSafetyFile(this.inactive, this.finalizers)
  }

  /** Public keys in hex. */
  keys(): string[] {
    return this.finalizers.map(({ public_key }) => toHex(public_key))
  }
}

function draftFor(
  finalizer: Finalizer,
  blocks: readonly SavannaHeaderState[],
): VoteDraft | undefined {
  for (const block of blocks) {
    if (!votersOf(block).some((policy) => indexIn(policy, finalizer.public_key) >= 0)) continue
    const { decision, safety } = decideVote(finalizer.safety, block)
    if (decision === 'no_vote') continue
    finalizer.safety = safety
    return draftOf(block, decision === 'strong', finalizer)
  }
  return undefined
}

function draftOf(block: SavannaHeaderState, strong: boolean, finalizer: Finalizer): VoteDraft {
  const { public_key, secret } = finalizer
  const message = strong ? block.finality_digest : weakDigest(block.finality_digest)
  return { block, strong, finalizer_key: public_key, secret, message }
}

/** The policies that vote on a block: the active one, and the pending one if there is one. */
function votersOf(block: SavannaHeaderState): FinalizerPolicy[] {
  const { active_finalizer_policy: active, pending_finalizer_policy: pending } = block
  return pending === undefined ? [active] : [active, pending[1]]
}

function indexIn({ finalizers }: FinalizerPolicy, key: Uint8Array): number {
  return finalizers.findIndex(({ public_key }) => bytesEqual(public_key, key))
}

function votedStrong(
  policy: FinalizerPolicy,
  signature: QcSignature | undefined,
  key: Uint8Array,
): boolean {
  const index = indexIn(policy, key)
  return (
    index >= 0 && signature?.strong_votes !== undefined && hasBit(signature.strong_votes, index)
  )
}
