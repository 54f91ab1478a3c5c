/**
 * Merkle roots of digests.
 * spring: libraries/chain/include/eosio/chain/{merkle,merkle_legacy,incremental_merkle_legacy}.hpp
 */
import assert from 'node:assert'
import { check } from '../errors.ts'
import type { Reader } from '../protocol/reader.ts'
import type { Writer } from '../protocol/writer.ts'
import { DigestList } from './digest_list.ts'
import { sha256, sha256Into } from './hash.ts'

const pair = new Uint8Array(64)

/** Hash of two digests whose first bits mark the left and the right one. */
function legacyPair(left: Uint8Array, right: Uint8Array): Uint8Array {
  fillPair(left, right)
  pair[0] = (pair[0] as number) & 0x7f
  pair[32] = (pair[32] as number) | 0x80
  return sha256(pair)
}

function plainPair(left: Uint8Array, right: Uint8Array): Uint8Array {
  fillPair(left, right)
  return sha256(pair)
}

function fillPair(left: Uint8Array, right: Uint8Array): void {
  pair.set(left, 0)
  pair.set(right, 32)
}

/** The root before Savanna: the last digest of an odd level counts twice; zeros for no digests. */
export function legacyMerkle(digests: readonly Uint8Array[]): Uint8Array {
  return DigestList.of(digests).legacyRoot()
}

/** The root since Savanna: the greatest power of two on the left, the rest on the right. */
export function savannaMerkle(digests: readonly Uint8Array[]): Uint8Array {
  return DigestList.of(digests).savannaRoot()
}

/** The number of levels of the smallest full tree for `count` nodes. */
function maxDepth(count: bigint): number {
  return count === 0n ? 0 : (count - 1n).toString(2).length + (count === 1n ? 0 : 1)
}

/**
 * The legacy root of a growing list, keeping only the nodes that later appends need.
 *
 * `active_nodes` are the roots of full subtrees that wait for their right sibling, from low to
 * high; the last one is always the current root.
 */
export class IncrementalMerkleLegacy {
  node_count = 0n
  active_nodes: Uint8Array[] = []

  /** Adds a digest and gives the new root. */
  append(digest: Uint8Array): Uint8Array {
    const updated: Uint8Array[] = []
    let partial = false
    let index = this.node_count
    let top = digest
    let next = 0
    for (let depth = maxDepth(index + 1n) - 1; depth > 0; depth--) {
      if ((index & 1n) === 0n) {
        // The right side does not exist yet and counts as a copy of the left.
        if (!partial) updated.push(top)
        top = legacyPair(top, top)
        partial = true
      } else {
        const left = this.active_nodes[next++]
        assert(left !== undefined, 'an active node is missing')
        if (partial) updated.push(left)
        top = legacyPair(left, top)
      }
      index >>= 1n
    }
    updated.push(top)
    this.active_nodes = updated
    this.node_count += 1n
    return top
  }

  /** The current root; zeros when empty. */
  root(): Uint8Array {
    return this.active_nodes.at(-1) ?? new Uint8Array(32)
  }

  /** A copy that grows on its own. */
  clone(): IncrementalMerkleLegacy {
    const copy = new IncrementalMerkleLegacy()
    copy.node_count = this.node_count
    copy.active_nodes = [...this.active_nodes]
    return copy
  }

  /** Writes the form of snapshots: the active nodes, then the number of digests (u64). */
  pack(w: Writer): void {
    w.array(this.active_nodes, (w, node) => w.raw(node))
    w.u64(this.node_count)
  }

  /**
   * Reads what {@link pack} wrote.
   * @throws ChainError out_of_range_exception if bytes are missing
   */
  static unpack(r: Reader): IncrementalMerkleLegacy {
    const merkle = new IncrementalMerkleLegacy()
    merkle.active_nodes = r.array((r) => r.checksum256().slice())
    merkle.node_count = r.u64()
    return merkle
  }
}

/**
 * The Savanna root of a growing list, keeping the roots of its full subtrees alone.
 * spring: libraries/chain/include/eosio/chain/incremental_merkle.hpp
 */
export class IncrementalMerkle {
  /** Number of digests. Each set bit represents a full subtree. */
  count = 0
  /** Roots of full subtrees, the greatest first. */
  trees: Uint8Array[] = []

  /** Adds a digest. It costs one hash for each full subtree that becomes part of a greater one. */
  append(digest: Uint8Array): void {
    let node = digest
    for (let rest = this.count; rest % 2 === 1; rest = (rest - 1) / 2) {
      node = plainPair(this.trees.pop() as Uint8Array, node)
    }
    this.trees.push(node)
    this.count += 1
  }

  /** The current root; zeros when empty. */
  root(): Uint8Array {
    const { trees } = this
    const last = trees.at(-1)
    if (last === undefined) return new Uint8Array(32)
    if (trees.length === 1) return last
    // The right side of the pair becomes the root: an array for each node would take as long as its hash.
    pair.set(last, 32)
    for (let i = trees.length - 2; i >= 0; i--) {
      pair.set(trees[i]!, 0)
      sha256Into(pair, pair, 32)
    }
    return pair.slice(32)
  }

  /** A copy that grows on its own. */
  clone(): IncrementalMerkle {
    const copy = new IncrementalMerkle()
    copy.count = this.count
    copy.trees = [...this.trees]
    return copy
  }

  /** Writes the form of snapshots: the number of digests (u64), then the roots of the subtrees. */
  pack(w: Writer): void {
    w.u64(BigInt(this.count))
    w.array(this.trees, (w, node) => w.raw(node))
  }

  /**
   * Reads what {@link pack} wrote.
   * @throws ChainError out_of_range_exception if bytes are missing, assert_exception if the number is too large
   */
  static unpack(r: Reader): IncrementalMerkle {
    const merkle = new IncrementalMerkle()
    merkle.count = Number(r.u64())
    check(
      Number.isSafeInteger(merkle.count),
      'assert_exception',
      'a Merkle tree has too many digests',
    )
    merkle.trees = r.array((r) => r.checksum256().slice())
    return merkle
  }
}
