/**
 * The finality tree: a Merkle tree with one leaf for each block since the start of Savanna, which
 * commits to the results of their execution. Headers contain the root as of the block for which
 * they claim a certificate.
 * spring: libraries/chain/block_state.cpp (new_valid, get_validation_mroot,
 * get_finality_mroot_claim, create_if_genesis_block)
 */
import assert from 'node:assert'
import { check } from '../../../errors.ts'
import { sha256 } from '../../../crypto/hash.ts'
import { IncrementalMerkle } from '../../../crypto/merkle.ts'
import { blockNumOf } from '../../../protocol/block.ts'
import type { QcClaim } from '../../../protocol/finality.ts'
import type { Reader } from '../../../protocol/reader.ts'
import { Writer } from '../../../protocol/writer.ts'
import {
  isGenesisBlockNum,
  lastFinalBlockNum,
  latestQcClaim,
  nextCoreMetadata,
} from './finality_core.ts'
import { LIGHT_HEADER_MAJOR, LIGHT_HEADER_MINOR } from './finality_digest.ts'
import type { SavannaHeaderState } from './header_state.ts'
import { SharedList } from './shared_list.ts'

/** The tree up to a block, and its roots as of the last final block and of each block since. */
export interface ValidStructure {
  readonly tree: IncrementalMerkle
  readonly roots: SharedList<Uint8Array>
}

const NO_DIGEST = new Uint8Array(32)
const leaf = new Writer(96)

/** The structure of the block at which Savanna starts; `action_mroot` is the Savanna form. */
export function genesisValid(state: SavannaHeaderState, action_mroot: Uint8Array): ValidStructure {
  const tree = new IncrementalMerkle()
  // There is no earlier block, so the parent's time is the earliest.
  tree.append(leafDigest(state, 0, action_mroot))
  return { tree, roots: SharedList.of([tree.root()]) }
}

/** The structure of `next`, whose execution gave `action_mroot`. */
export function nextValid(
  prev: SavannaHeaderState,
  valid: ValidStructure,
  next: SavannaHeaderState,
  action_mroot: Uint8Array,
): ValidStructure {
  const tree = valid.tree.clone()
  tree.append(leafDigest(next, prev.header.timestamp, action_mroot))
  const final = lastFinalBlockNum(next.core)
  const roots = valid.roots.next(final - lastFinalBlockNum(prev.core), tree.root())
  assert.equal(roots.length, blockNumOf(next.header) - final + 1)
  return { tree, roots }
}

function leafDigest(
  state: SavannaHeaderState,
  parent_timestamp: number,
  action_mroot: Uint8Array,
): Uint8Array {
  leaf.reset()
  leaf.u32(LIGHT_HEADER_MAJOR)
  leaf.u32(LIGHT_HEADER_MINOR)
  leaf.u32(blockNumOf(state.header))
  leaf.u32(state.header.timestamp)
  leaf.u32(parent_timestamp)
  leaf.raw(state.finality_digest)
  leaf.raw(action_mroot)
  return sha256(leaf.view())
}

/** The root of the tree up to a block between the last final one and this one. */
function validationRoot(
  state: SavannaHeaderState,
  valid: ValidStructure,
  block_num: number,
): Uint8Array {
  const low = lastFinalBlockNum(state.core)
  const root = block_num < low ? undefined : valid.roots.at(block_num - low)
  check(
    root,
    'block_validate_exception',
    () =>
      `target_block_num ${block_num} is outside of range of ${low} and ${low + valid.roots.length}`,
  )
  return root
}

/**
 * The root that the header of the next block must contain with a claim; zeros for blocks that still
 * claim the block at which Savanna started.
 */
export function finalityRootClaim(
  state: SavannaHeaderState,
  valid: ValidStructure,
  claim: QcClaim,
): Uint8Array {
  const { latest_qc_claim_block_num: claimed } = nextCoreMetadata(state.core, claim)
  if (isGenesisBlockNum(state.core, claimed)) return NO_DIGEST
  return validationRoot(state, valid, claimed)
}

/** The root that this block's own header must contain. */
export function ownFinalityRoot(state: SavannaHeaderState, valid: ValidStructure): Uint8Array {
  const claimed = latestQcClaim(state.core).block_num
  if (isGenesisBlockNum(state.core, claimed)) return NO_DIGEST
  return validationRoot(state, valid, claimed)
}

/** Writes the finality tree of a block with its recent roots. */
export function packValid(w: Writer, valid: ValidStructure): void {
  valid.tree.pack(w)
  w.array(valid.roots.toArray(), (w, root) => w.raw(root))
}

/** Reads the finality tree of a block with its recent roots. */
export function unpackValid(r: Reader): ValidStructure {
  const tree = IncrementalMerkle.unpack(r)
  return { tree, roots: SharedList.of(r.array((r) => r.checksum256().slice())) }
}
