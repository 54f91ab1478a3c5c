import { sha256Into } from './hash.ts'

const SIZE = 32
const FIRST = 8
const WORDS = SIZE / 4
const pair = new Uint8Array(2 * SIZE)
const pair_words = new Uint32Array(pair.buffer)

/**
 * A growing list of SHA-256 digests, and its Merkle roots. The digests are in one array of bytes: a block has
 * thousands, and an array for each costs more than the hash.
 * spring: libraries/chain/include/eosio/chain/{merkle,merkle_legacy}.hpp
 */
export class DigestList {
  private bytes = new Uint8Array(FIRST * SIZE)
  private count = 0

  static of(digests: readonly Uint8Array[]): DigestList {
    const list = new DigestList()
    for (const digest of digests) list.push(digest)
    return list
  }

  get length(): number {
    return this.count
  }

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
    const nodes = this.bytes.slice(0, this.count * SIZE)
    const words = new Uint32Array(nodes.buffer)
    for (let count = this.count; count > 1; count = (count + 1) >>> 1) {
      for (let i = 0; i < count; i += 2) {
        fillPair(words, i, i + 1 < count ? i + 1 : i)
        // The first bits mark the left and the right one.
        pair[0] = (pair[0] as number) & 0x7f
        pair[SIZE] = (pair[SIZE] as number) | 0x80
        sha256Into(pair, nodes, (i >>> 1) * SIZE)
      }
    }
    return this.first(nodes)
  }

  /** The root since Savanna: the greatest power of two on the left, the rest on the right. */
  savannaRoot(): Uint8Array {
    const nodes = this.bytes.slice(0, this.count * SIZE)
    const words = new Uint32Array(nodes.buffer)
    for (let count = this.count; count > 1; count = (count + 1) >>> 1) {
      for (let i = 0; i + 1 < count; i += 2) {
        fillPair(words, i, i + 1)
        sha256Into(pair, nodes, (i >>> 1) * SIZE)
      }
      // The last of an odd level is the root of the rest.
      if ((count & 1) === 1) {
        nodes.copyWithin(((count - 1) >>> 1) * SIZE, (count - 1) * SIZE, count * SIZE)
      }
    }
    return this.first(nodes)
  }

  private first(nodes: Uint8Array): Uint8Array {
    return this.count === 0 ? new Uint8Array(SIZE) : nodes.slice(0, SIZE)
  }

  /** Makes room for one more. Returns its place. */
  private grow(): number {
    const at = this.count++ * SIZE
    if (at + SIZE > this.bytes.length) {
      const grown = new Uint8Array(this.bytes.length * 2)
      grown.set(this.bytes)
      this.bytes = grown
    }
    return at
  }
}

/** Copies two digests, word by word: that takes less time than `set`. */
function fillPair(words: Uint32Array, left: number, right: number): void {
  for (let i = 0; i < WORDS; i++) {
    pair_words[i] = words[left * WORDS + i] as number
    pair_words[WORDS + i] = words[right * WORDS + i] as number
  }
}
