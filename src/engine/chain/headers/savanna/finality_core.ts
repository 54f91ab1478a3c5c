/**
 * The finality core of a Savanna block: which earlier blocks may still be undone, and which claims
 * of quorum certificates link them. It determines which blocks are final.
 *
 * Values are immutable. Invariants: there is at least one link; links and refs ascend by one; the
 * last link starts at the block itself; the refs lead from the last final block to the parent (only
 * the genesis core has none).
 * spring: libraries/chain/finality_core.cpp
 */
import assert from 'node:assert'
import { sha256 } from '../../../crypto/hash.ts'
import { IncrementalMerkle } from '../../../crypto/merkle.ts'
import { blockNumFromId } from '../../../protocol/block.ts'
import type { QcClaim } from '../../../protocol/finality.ts'
import { bytesEqual } from '../../../protocol/hex.ts'
import type { Reader } from '../../../protocol/reader.ts'
import { Writer } from '../../../protocol/writer.ts'
import { PackedRefs, writeU32 } from './packed_refs.ts'
import { SharedList } from './shared_list.ts'

/** A reference to an earlier block. */
export interface BlockRef {
  readonly block_id: Uint8Array
  /** Slot. */
  readonly timestamp: number
  readonly finality_digest: Uint8Array
  /** Generations of the block's finalizer policies; 0 means that there is no pending policy. */
  readonly active_policy_generation: number
  readonly pending_policy_generation: number
}

/** Block `source` claims a certificate for block `target`. */
export interface QcLink {
  readonly source_block_num: number
  readonly target_block_num: number
  readonly is_link_strong: boolean
}

/** The finality core of one block. spring: libraries/chain/include/eosio/chain/finality_core.hpp */
export interface FinalityCore {
  readonly links: SharedList<QcLink>
  readonly refs: SharedList<BlockRef>
  /** Slot; only in the core of the genesis block of Savanna. */
  readonly genesis_timestamp: number
  /** What follows from these: kept, because the core of the next block has nearly the same. */
  readonly derived: Derived
}

/** For digests; never changed. */
interface Derived {
  readonly packed_links: PackedRefs<QcLink>
  /** Without the generations. */
  readonly packed_refs: PackedRefs<BlockRef>
  /** Has the blocks after the last final one. */
  readonly reversible: IncrementalMerkle
}

/** The properties of the core of a block that makes a claim. */
export interface CoreMetadata {
  last_final_block_num: number
  latest_qc_claim_block_num: number
}

const NO_DIGEST = new Uint8Array(32)

const NO_LINKS = PackedRefs.empty<QcLink>({
  size: 9,
  write(bytes, at, { source_block_num, target_block_num, is_link_strong }) {
    writeU32(bytes, at, source_block_num)
    writeU32(bytes, at + 4, target_block_num)
    bytes[at + 8] = is_link_strong ? 1 : 0
  },
})
const NO_REFS = PackedRefs.empty<BlockRef>({
  size: 68,
  write(bytes, at, { block_id, timestamp, finality_digest }) {
    bytes.set(block_id, at)
    writeU32(bytes, at + 32, timestamp)
    bytes.set(finality_digest, at + 36)
  },
})

/** A block reference to nothing. */
export const EMPTY_REF: BlockRef = {
  block_id: NO_DIGEST,
  timestamp: 0,
  finality_digest: NO_DIGEST,
  active_policy_generation: 0,
  pending_policy_generation: 0,
}

/** Whether a reference is to a block at all. */
export function isEmptyRef(ref: BlockRef): boolean {
  return bytesEqual(ref.block_id, NO_DIGEST)
}

/** The core of the block at which Savanna starts. */
export function genesisCore(block_id: Uint8Array, timestamp: number): FinalityCore {
  const num = blockNumFromId(block_id)
  const link = { source_block_num: num, target_block_num: num, is_link_strong: false }
  return makeCore([link], [], timestamp)
}

/** Whether the core is that of the Savanna genesis block, which has no earlier block. */
export function isGenesisCore(core: FinalityCore): boolean {
  return core.refs.length === 0
}

/** Number of the block whose core this is. */
export function currentBlockNum(core: FinalityCore): number {
  return core.links.at(-1)!.source_block_num
}

/** Number of the last block that is final for this block. */
export function lastFinalBlockNum(core: FinalityCore): number {
  return core.links.at(0)!.target_block_num
}

/** Slot of that block. */
export function lastFinalTimestamp(core: FinalityCore): number {
  return isGenesisCore(core) ? core.genesis_timestamp : core.refs.at(0)!.timestamp
}

/**
 * The latest claim of the core: block number and strength. spring:
 * libraries/chain/include/eosio/chain/finality_core.hpp
 */
export function latestQcClaim(core: FinalityCore): QcClaim {
  const { target_block_num, is_link_strong } = core.links.at(-1)!
  return { block_num: target_block_num, is_strong_qc: is_link_strong }
}

/** Slot of the block that the latest claim is about. */
export function latestQcTimestamp(core: FinalityCore): number {
  if (isGenesisCore(core)) return core.genesis_timestamp
  return blockReference(core, core.links.at(-1)!.target_block_num).timestamp
}

/** Whether `block_id` is an ancestor, not older than the last final block. */
export function extendsBlock(core: FinalityCore, block_id: Uint8Array): boolean {
  const num = blockNumFromId(block_id)
  if (num < lastFinalBlockNum(core) || num >= currentBlockNum(core)) return false
  return bytesEqual(blockReference(core, num).block_id, block_id)
}

/** Whether Savanna started at this block, which must be between the last final one and this one. */
export function isGenesisBlockNum(core: FinalityCore, block_num: number): boolean {
  const { source_block_num, target_block_num } = core.links.at(0)!
  return source_block_num === target_block_num && source_block_num === block_num
}

/** The ancestor with this number, which must be at least the last final one's. */
export function blockReference(core: FinalityCore, block_num: number): BlockRef {
  const { refs, links } = core
  const index = block_num - links.at(0)!.target_block_num
  const ref = index < 0 ? undefined : refs.at(index)
  assert(ref, `block ${block_num} is not in the finality core of block ${currentBlockNum(core)}`)
  return ref
}

/** Merkle root over the blocks after the last final one. */
export function reversibleBlocksRoot({ derived }: FinalityCore): Uint8Array {
  return derived.reversible.root()
}

const leaf = new Writer(44)

/** Adds the leaf of a block to the tree of reversible blocks. */
function appendReversible(tree: IncrementalMerkle, parent: BlockRef, ref: BlockRef): void {
  leaf.reset()
  leaf.u32(blockNumFromId(ref.block_id))
  leaf.u32(ref.timestamp)
  leaf.raw(ref.finality_digest)
  leaf.u32(parent.timestamp)
  tree.append(sha256(leaf.view()))
}

function reversibleTree(refs: readonly BlockRef[]): IncrementalMerkle {
  const tree = new IncrementalMerkle()
  for (let i = 1; i < refs.length; i++) appendReversible(tree, refs[i - 1]!, refs[i]!)
  return tree
}

/** The tree of a core with one block more, after the same last final block. */
function extendedTree({ refs, derived }: FinalityCore, ref: BlockRef): IncrementalMerkle {
  const parent = refs.at(-1)
  if (parent === undefined) return derived.reversible
  const tree = derived.reversible.clone()
  appendReversible(tree, parent, ref)
  return tree
}

/** A core of lists that are known. */
function makeCore(
  links: readonly QcLink[],
  refs: readonly BlockRef[],
  genesis_timestamp: number,
): FinalityCore {
  const derived = {
    packed_links: links.reduce((packed, link) => packed.next(0, link), NO_LINKS),
    packed_refs: refs.reduce((packed, ref) => packed.next(0, ref), NO_REFS),
    reversible: reversibleTree(refs),
  }
  return { links: SharedList.of(links), refs: SharedList.of(refs), genesis_timestamp, derived }
}

/** Numbers of the last final block and of the first link that are left after a claim. */
function afterClaim(core: FinalityCore, claim: QcClaim): { final: number; first: number } {
  const front = core.links.at(0)!
  assert(
    latestQcClaim(core).block_num <= claim.block_num && claim.block_num <= currentBlockNum(core),
    'a claim must not be older than the one before, nor about a later block',
  )
  if (!claim.is_strong_qc) return { final: front.target_block_num, first: front.source_block_num }
  // A strong certificate for a block makes final what that block claimed.
  const link = core.links.at(claim.block_num - front.source_block_num)!
  return { final: link.target_block_num, first: link.source_block_num }
}

/** The properties of the next block's core if it makes `claim`. */
export function nextCoreMetadata(core: FinalityCore, claim: QcClaim): CoreMetadata {
  return {
    last_final_block_num: afterClaim(core, claim).final,
    latest_qc_claim_block_num: claim.block_num,
  }
}

/** The core of the block after `current` (whose core is `core`) that makes `claim`. */
export function nextCore(core: FinalityCore, current: BlockRef, claim: QcClaim): FinalityCore {
  const num = currentBlockNum(core)
  assert.equal(blockNumFromId(current.block_id), num, 'the reference is to the block of the core')
  const { final, first } = afterClaim(core, claim)
  const link = {
    source_block_num: num + 1,
    target_block_num: claim.block_num,
    is_link_strong: claim.is_strong_qc,
  }
  const unlinked = first - core.links.at(0)!.source_block_num
  const finalized = final - lastFinalBlockNum(core)
  const { packed_links, packed_refs } = core.derived
  const refs = core.refs.next(finalized, current)
  return {
    links: core.links.next(unlinked, link),
    refs,
    genesis_timestamp: 0,
    derived: {
      packed_links: packed_links.next(unlinked, link),
      packed_refs: packed_refs.next(finalized, current),
      reversible: finalized === 0 ? extendedTree(core, current) : reversibleTree(refs.toArray()),
    },
  }
}

/** The form for base digests, without the generations. */
export function packCoreForDigest(w: Writer, core: FinalityCore): void {
  const { packed_links, packed_refs } = core.derived
  w.varuint32(core.links.length)
  w.raw(packed_links.bytes)
  w.varuint32(core.refs.length)
  w.raw(packed_refs.bytes)
  w.u32(core.genesis_timestamp)
}

/** The form of snapshots. */
export function packCore(w: Writer, core: FinalityCore): void {
  w.varuint32(core.links.length)
  w.raw(core.derived.packed_links.bytes)
  w.array(core.refs.toArray(), (w, ref) => {
    w.raw(ref.block_id)
    w.u32(ref.timestamp)
    w.raw(ref.finality_digest)
    w.u32(ref.active_policy_generation)
    w.u32(ref.pending_policy_generation)
  })
  w.u32(core.genesis_timestamp)
}

/** Reads a finality core in the format of the reference's snapshots. */
export function unpackCore(r: Reader): FinalityCore {
  const links = r.array((r) => ({
    source_block_num: r.u32(),
    target_block_num: r.u32(),
    is_link_strong: r.bool(),
  }))
  assert(links.length > 0, 'a finality core has no link')
  const refs = r.array((r) => ({
    block_id: r.checksum256().slice(),
    timestamp: r.u32(),
    finality_digest: r.checksum256().slice(),
    active_policy_generation: r.u32(),
    pending_policy_generation: r.u32(),
  }))
  return makeCore(links, refs, r.u32())
}
