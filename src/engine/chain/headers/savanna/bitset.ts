/** Sets of finalizers by their position in a policy, in the wire's form. */
import type { Bitset } from '../../../protocol/finality.ts'

/** A bitset of `size` bits, all 0. */
export function makeBitset(size: number): Bitset {
  return { size, blocks: new Uint8Array(Math.ceil(size / 8)) }
}

/** Whether a bit is set; false beyond the size. */
export function hasBit({ size, blocks }: Bitset, index: number): boolean {
  return index < size && ((blocks[index >> 3]! >> (index & 7)) & 1) === 1
}

/** Sets a bit in place. */
export function setBit({ blocks }: Bitset, index: number): void {
  blocks[index >> 3]! |= 1 << (index & 7)
}

/** A copy that no later {@link setBit} changes. */
export function copyBitset({ size, blocks }: Bitset): Bitset {
  return { size, blocks: blocks.slice() }
}
