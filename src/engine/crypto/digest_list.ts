import { sha256Into } from './hash.ts'
import { DIGEST, nextLevel } from './merkle_levels.ts'
import type { TreeKind } from './merkle_levels.ts'
import { NO_BYTES } from '../protocol/hex.ts'

const FIRST = 8

/**
 * A growing list of SHA-256 digests, and its Merkle roots. The digests are in one array of bytes: a block has
 * thousands, and an array for each costs more than the hash.
 * spring: libraries/chain/include/eosio/chain/{merkle,merkle_legacy}.hpp
 */
export class DigestList {
  private bytes = NO_BYTES
  private count = 0

  /** A list of these digests. */
  static of(digests: readonly Uint8Array[]): DigestList {
    const list = new DigestList()
    for (const digest of digests) list.push(digest)
    return list
  }

  /** Number of digests. */
  get length(): number {
    return this.count
  }

  /** Adds a digest of 32 bytes. */
  push(digest: Uint8Array): void {
    const at = this.grow()
    this.bytes.set(digest, at)
  }

  /** Adds the digest of `data`. */
  pushHashOf(data: Uint8Array): void {
    const at = this.grow()
    sha256Into(data, this.bytes, at)
  }

  /** Removes the digests from position `length` on. */
  cut(length: number): void {
    this.count = Math.min(this.count, length)
  }

  /** The root before Savanna: the last digest of an odd level counts twice; zeros for no digests. */
  legacyRoot(): Uint8Array {
    return this.root('legacy')
  }

  /** The root since Savanna: the greatest power of two on the left, the rest on the right. */
  savannaRoot(): Uint8Array {
    return this.root('savanna')
  }

  /** Zeros for no digests. */
  protected root(kind: TreeKind): Uint8Array {
    if (this.count === 0) return new Uint8Array(DIGEST)
    if (this.count === 1) return this.bytes.slice(0, DIGEST)
    return this.level(kind, Infinity).nodes.slice(0, DIGEST)
  }

  /**
   * The nodes of a level of the tree.
   * @param height levels above the digests; the root is at the last one that there is
   */
  protected level(kind: TreeKind, height: number): { nodes: Uint8Array; count: number } {
    const nodes = this.bytes.slice(0, this.count * DIGEST)
    const words = new Uint32Array(nodes.buffer)
    let { count } = this
    for (let i = 0; i < height && (count > 1 || height !== Infinity); i++) {
      count = nextLevel(kind, nodes, words, count)
    }
    return { nodes, count }
  }

  /** Makes room for one more. Returns its place. */
  private grow(): number {
    const at = this.count++ * DIGEST
    if (at + DIGEST > this.bytes.length) {
      const grown = new Uint8Array(Math.max(this.bytes.length * 2, FIRST * DIGEST))
      grown.set(this.bytes)
      this.bytes = grown
    }
    return at
  }
}
