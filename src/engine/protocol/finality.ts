/**
 * Wire types of Savanna finality: policies, their differences, claims and certificates.
 * spring: libraries/chain/include/eosio/chain/{finality_core,finalizer_policy,proposer_policy,qc}.hpp
 */
import { check } from '../errors.ts'
import type { Reader } from './reader.ts'
import type { ProducerAuthority } from './schedule.ts'
import { packProducerAuthority, unpackProducerAuthority } from './schedule.ts'
import type { Writer } from './writer.ts'

/** Affine, little endian, without Montgomery form. */
export const BLS_PUBLIC_KEY_SIZE = 96
/** Bytes of a BLS signature: affine, little endian, without Montgomery form. */
export const BLS_SIGNATURE_SIZE = 192

/** A claim that a certificate for a block exists, and its strength. */
export interface QcClaim {
  block_num: number
  is_strong_qc: boolean
}

/** A finalizer of a policy: description, weight and BLS public key. */
export interface FinalizerAuthority {
  /** Any bytes, one a character. */
  description: string
  weight: bigint
  public_key: Uint8Array
}

/** Indexes to remove from the old list, then items with the index they get in the new list. */
export interface OrderedDiff<T> {
  remove_indexes: number[]
  insert_indexes: [number, T][]
}

/** The difference between two finalizer policies. */
export interface FinalizerPolicyDiff {
  generation: number
  threshold: bigint
  finalizers_diff: OrderedDiff<FinalizerAuthority>
}

/** The finalizers of a chain, and the weight that a certificate needs. */
export interface FinalizerPolicy {
  generation: number
  threshold: bigint
  finalizers: FinalizerAuthority[]
}

/** The difference between two proposer policies. */
export interface ProposerPolicyDiff {
  version: number
  /** Slot of the block that proposed it. */
  proposal_time: number
  producer_auth_diff: OrderedDiff<ProducerAuthority>
}

/** Bits as the wire has them: bit i is bit i % 8 of byte i / 8. */
export interface Bitset {
  size: number
  blocks: Uint8Array
}

/** An aggregate signature with the bitsets of strong and weak votes. */
export interface QcSignature {
  strong_votes?: Bitset
  weak_votes?: Bitset
  sig: Uint8Array
}

/** A certificate for a block by the active and, if there is one, the pending policy. */
export interface QuorumCertificate {
  block_num: number
  active_policy_sig: QcSignature
  pending_policy_sig?: QcSignature
}

function packSized(w: Writer, bytes: Uint8Array): void {
  w.varuint32(bytes.length)
  w.raw(bytes)
}

function unpackSized(r: Reader, size: number): Uint8Array {
  const given = r.varuint32()
  check(given === size, 'assert_exception', 'size.value == sizeof(sig._affine_non_montgomery_le): ')
  return r.bytes(size)
}

/** Writes a claim about a quorum certificate in the wire format: block number and strength. */
export function packQcClaim(w: Writer, claim: QcClaim): void {
  w.u32(claim.block_num)
  w.bool(claim.is_strong_qc)
}

/** Reads a claim about a quorum certificate in the wire format. */
export function unpackQcClaim(r: Reader): QcClaim {
  return { block_num: r.u32(), is_strong_qc: r.bool() }
}

/** Writes a finalizer of a policy in the wire format. */
export function packFinalizerAuthority(w: Writer, finalizer: FinalizerAuthority): void {
  w.byteString(finalizer.description)
  w.u64(finalizer.weight)
  packSized(w, finalizer.public_key)
}

/** Reads a finalizer of a policy in the wire format. */
export function unpackFinalizerAuthority(r: Reader): FinalizerAuthority {
  return {
    description: r.byteString(),
    weight: r.u64(),
    public_key: unpackSized(r, BLS_PUBLIC_KEY_SIZE),
  }
}

/** Writes a finalizer policy in the wire format. */
export function packFinalizerPolicy(w: Writer, policy: FinalizerPolicy): void {
  w.u32(policy.generation)
  w.u64(policy.threshold)
  w.array(policy.finalizers, packFinalizerAuthority)
}

/** Reads a finalizer policy in the wire format. */
export function unpackFinalizerPolicy(r: Reader): FinalizerPolicy {
  return {
    generation: r.u32(),
    threshold: r.u64(),
    finalizers: r.array(unpackFinalizerAuthority),
  }
}

function packDiff<T>(w: Writer, diff: OrderedDiff<T>, item: (w: Writer, v: T) => void): void {
  w.array(diff.remove_indexes, (w, i) => w.u16(i))
  w.array(diff.insert_indexes, (w, [i, v]) => {
    w.u16(i)
    item(w, v)
  })
}

function unpackDiff<T>(r: Reader, item: (r: Reader) => T): OrderedDiff<T> {
  return {
    remove_indexes: r.array((r) => r.u16()),
    insert_indexes: r.array((r): [number, T] => [r.u16(), item(r)]),
  }
}

/** Writes the difference between two finalizer policies in the wire format. */
export function packFinalizerPolicyDiff(w: Writer, diff: FinalizerPolicyDiff): void {
  w.u32(diff.generation)
  w.u64(diff.threshold)
  packDiff(w, diff.finalizers_diff, packFinalizerAuthority)
}

/** Reads the difference between two finalizer policies in the wire format. */
export function unpackFinalizerPolicyDiff(r: Reader): FinalizerPolicyDiff {
  return {
    generation: r.u32(),
    threshold: r.u64(),
    finalizers_diff: unpackDiff(r, unpackFinalizerAuthority),
  }
}

/** Writes the difference between two proposer policies in the wire format. */
export function packProposerPolicyDiff(w: Writer, diff: ProposerPolicyDiff): void {
  w.u32(diff.version)
  w.u32(diff.proposal_time)
  packDiff(w, diff.producer_auth_diff, packProducerAuthority)
}

/** Reads the difference between two proposer policies in the wire format. */
export function unpackProposerPolicyDiff(r: Reader): ProposerPolicyDiff {
  return {
    version: r.u32(),
    proposal_time: r.u32(),
    producer_auth_diff: unpackDiff(r, unpackProducerAuthority),
  }
}

function packBitset(w: Writer, bits: Bitset): void {
  w.varuint32(bits.size)
  w.raw(bits.blocks)
}

/** Reads a bitset in the wire format: its size in bits, then its bytes. */
export function unpackBitset(r: Reader): Bitset {
  const size = r.varuint32()
  return { size, blocks: r.bytes(Math.ceil(size / 8)) }
}

/** A signature with its length before it. */
export function unpackSizedSignature(r: Reader): Uint8Array {
  return unpackSized(r, BLS_SIGNATURE_SIZE)
}

/** Writes one aggregate signature of a quorum certificate, with its votes, in the wire format. */
export function packQcSignature(w: Writer, sig: QcSignature): void {
  w.optional(sig.strong_votes, packBitset)
  w.optional(sig.weak_votes, packBitset)
  packSized(w, sig.sig)
}

/** Reads one aggregate signature of a quorum certificate, with its votes, in the wire format. */
export function unpackQcSignature(r: Reader): QcSignature {
  const strong_votes = r.optional(unpackBitset)
  const weak_votes = r.optional(unpackBitset)
  return {
    ...(strong_votes && { strong_votes }),
    ...(weak_votes && { weak_votes }),
    sig: unpackSized(r, BLS_SIGNATURE_SIZE),
  }
}

/** Writes a quorum certificate in the wire format. */
export function packQuorumCertificate(w: Writer, qc: QuorumCertificate): void {
  w.u32(qc.block_num)
  packQcSignature(w, qc.active_policy_sig)
  w.optional(qc.pending_policy_sig, packQcSignature)
}

/** Reads a quorum certificate in the wire format. */
export function unpackQuorumCertificate(r: Reader): QuorumCertificate {
  const block_num = r.u32()
  const active_policy_sig = unpackQcSignature(r)
  const pending_policy_sig = r.optional(unpackQcSignature)
  return { block_num, active_policy_sig, ...(pending_policy_sig && { pending_policy_sig }) }
}
