import { sha256Into } from './hash.ts'

/** Bytes of a digest. */
export const DIGEST = 32

/** How the nodes of a Merkle tree are hashed: before Savanna, or since. */
export type TreeKind = 'legacy' | 'savanna'

const WORDS = DIGEST / 4
const pair = new Uint8Array(2 * DIGEST)
const pair_words = new Uint32Array(pair.buffer)

/**
 * Writes the nodes of the next level over those of a level, which are one after the other from the start of `nodes`.
 * The last node of an odd level counts twice in a legacy tree, and goes up as it is in one of Savanna.
 * spring: libraries/chain/include/eosio/chain/{merkle,merkle_legacy}.hpp
 * @param words the same memory
 * @returns the number of nodes of the next level
 */
export function nextLevel(
  kind: TreeKind,
  nodes: Uint8Array,
  words: Uint32Array,
  count: number,
): number {
  const is_legacy = kind === 'legacy'
  for (let i = 0; i + 1 < count; i += 2) writeParent(is_legacy, nodes, words, i, i + 1)
  if ((count & 1) === 1) {
    if (is_legacy) writeParent(true, nodes, words, count - 1, count - 1)
    else nodes.copyWithin(((count - 1) >>> 1) * DIGEST, (count - 1) * DIGEST, count * DIGEST)
  }
  return (count + 1) >>> 1
}

function writeParent(
  is_legacy: boolean,
  nodes: Uint8Array,
  words: Uint32Array,
  left: number,
  right: number,
): void {
  // Word by word: that takes less time than `set`.
  for (let i = 0; i < WORDS; i++) {
    pair_words[i] = words[left * WORDS + i] as number
    pair_words[WORDS + i] = words[right * WORDS + i] as number
  }
  if (is_legacy) {
    // The first bits mark the left and the right one.
    pair[0] = (pair[0] as number) & 0x7f
    pair[DIGEST] = (pair[DIGEST] as number) | 0x80
  }
  sha256Into(pair, nodes, (left >>> 1) * DIGEST)
}
