/**
 * An ordered index: unique keys of a fixed number of u32 words, compared word by word, unsigned, first
 * word first; each with a row number. It is a B+tree in typed arrays (NodeTree), and hints where the
 * rows of the last searches are, so that walking costs no search.
 *
 * A row number is at most once in an index, so an entry with a given row number found anywhere in a
 * leaf is that row's entry: hints need no invalidation.
 */
import assert from 'node:assert/strict'
import { COUNT, HEADER, KIND, LEAF, NEXT, PREV } from './node_pool.ts'
import { NodeTree } from './node_tree.ts'
import type { SharedMemory } from './shared_memory.ts'

/** No row. */
export const NONE = -1
/** The hint does not know the row: set the key and search. */
export const MISS = -2

const HINTS = 16

/**
 * An ordered index from unique keys of u32 words to row numbers, with hints that make steps to the
 * next row cheap.
 */
export class OrderedIndex {
  /** The key that the next search, insert or remove is about: filled in by the caller. */
  readonly key: Uint32Array
  private readonly tree: NodeTree
  private readonly hint_leaf = new Int32Array(HINTS)
  private readonly hint_slot = new Int32Array(HINTS)
  /** Leaf of the entry that slotFrom or slotBefore found. */
  private found_leaf = 0

  /** `width`: words of a key; `capacity`: entries of a node, for tests; `memory`: shares the nodes. */
  constructor(width: number, capacity?: number, memory?: SharedMemory) {
    this.tree = new NodeTree(width, capacity, memory)
    this.key = this.tree.key
  }

  /** Words of a key. */
  get width(): number {
    return this.tree.width
  }

  /** Number of rows. */
  get size(): number {
    return this.tree.size
  }

  /** Bytes of the nodes. */
  get bytes(): number {
    return this.tree.pool.bytes
  }

  /** The row with the key, or NONE. */
  find(): number {
    const leaf = this.tree.descend()
    const slot = this.tree.lower(leaf)
    if (!this.tree.matches(leaf, slot)) return NONE
    return this.rowAt(leaf, slot)
  }

  /** The first row whose key is not below the key. */
  lowerBound(): number {
    const leaf = this.tree.descend()
    return this.found(this.slotFrom(leaf, this.tree.lower(leaf)))
  }

  /** The first row whose key is above the key. */
  upperBound(): number {
    const leaf = this.tree.descend()
    return this.found(this.slotFrom(leaf, this.tree.upper(leaf)))
  }

  /** The last row whose key is below the key. */
  below(): number {
    const leaf = this.tree.descend()
    return this.found(this.slotBefore(leaf, this.tree.lower(leaf)))
  }

  /** The last row whose key is not above the key. */
  notAbove(): number {
    const leaf = this.tree.descend()
    return this.found(this.slotBefore(leaf, this.tree.upper(leaf)))
  }

  /**
   * The same searches, limited to keys with the same first word as the key (or the row's key): NONE
   * where that word changes. Contract tables use them; their first word is the table.
   */
  lowerBoundWithin(): number {
    const leaf = this.tree.descend()
    return this.within(this.key[0] as number, this.slotFrom(leaf, this.tree.lower(leaf)))
  }

  /** As {@link upperBound}, limited as {@link lowerBoundWithin}. */
  upperBoundWithin(): number {
    const leaf = this.tree.descend()
    return this.within(this.key[0] as number, this.slotFrom(leaf, this.tree.upper(leaf)))
  }

  /** As {@link below}, limited as {@link lowerBoundWithin}. */
  belowWithin(): number {
    const leaf = this.tree.descend()
    return this.within(this.key[0] as number, this.slotBefore(leaf, this.tree.lower(leaf)))
  }

  /** As {@link notAbove}, limited as {@link lowerBoundWithin}. */
  notAboveWithin(): number {
    const leaf = this.tree.descend()
    return this.within(this.key[0] as number, this.slotBefore(leaf, this.tree.upper(leaf)))
  }

  /** As {@link nextHinted}, limited as {@link lowerBoundWithin}. */
  nextWithin(row: number): number {
    const hint = row & (HINTS - 1)
    const leaf = this.hint_leaf[hint] as number
    const slot = this.hint_slot[hint] as number
    if (!this.isAt(row, leaf, slot)) return MISS
    return this.within(this.tree.keyWord(leaf, slot, 0), this.slotFrom(leaf, slot + 1))
  }

  /** As {@link prevHinted}, limited as {@link lowerBoundWithin}. */
  prevWithin(row: number): number {
    const hint = row & (HINTS - 1)
    const leaf = this.hint_leaf[hint] as number
    const slot = this.hint_slot[hint] as number
    if (!this.isAt(row, leaf, slot)) return MISS
    return this.within(this.tree.keyWord(leaf, slot, 0), this.slotBefore(leaf, slot))
  }

  /** The row with the lowest key, or NONE. */
  first(): number {
    return this.found(this.slotFrom(this.tree.firstLeaf(), 0))
  }

  /** The row with the highest key, or NONE. */
  last(): number {
    const leaf = this.tree.last_leaf
    return this.found(this.slotBefore(leaf, this.tree.pool.get(leaf, COUNT)))
  }

  /** The row after `row` if the hints know where `row` is, NONE at the end, else MISS. */
  nextHinted(row: number): number {
    const hint = row & (HINTS - 1)
    const leaf = this.hint_leaf[hint] as number
    const slot = this.hint_slot[hint] as number
    if (!this.isAt(row, leaf, slot)) return MISS
    return this.found(this.slotFrom(leaf, slot + 1))
  }

  /** The row before `row` if the hints know where `row` is, NONE at the start, else MISS. */
  prevHinted(row: number): number {
    const hint = row & (HINTS - 1)
    const leaf = this.hint_leaf[hint] as number
    const slot = this.hint_slot[hint] as number
    if (!this.isAt(row, leaf, slot)) return MISS
    return this.found(this.slotBefore(leaf, slot))
  }

  /** Copies the key of `row` to `out`; `row` must be the result of the last search. */
  keyOf(row: number, out: Uint32Array): void {
    const hint = row & (HINTS - 1)
    const leaf = this.hint_leaf[hint] as number
    const slot = this.hint_slot[hint] as number
    assert(this.isAt(row, leaf, slot))
    for (let i = 0; i < this.width; i++) out[i] = this.tree.keyWord(leaf, slot, i)
  }

  /** Adds the key with this row. Returns false if the key exists. The key may be overwritten. */
  insert(row: number): boolean {
    return this.tree.insert(row)
  }

  /** Adds the key with this row, or gives the key to this row. The key may be overwritten. */
  put(row: number): void {
    this.tree.put(row)
  }

  /** Removes the key, which must be there with this row. */
  remove(row: number): void {
    assert(this.removeIf(row), 'a row is in its indices')
  }

  /** Removes the key if it exists with this row. Returns false if it does not. */
  removeIf(row: number): boolean {
    return this.tree.removeIf(row)
  }

  /** Writes the row numbers in key order to `out`, which must be large enough. */
  copyRows(out: Uint32Array): void {
    const { pool, stride, width } = this.tree
    let to = 0
    for (let leaf = this.tree.firstLeaf(); leaf !== 0; leaf = pool.get(leaf, NEXT)) {
      const page = pool.page(leaf)
      const first = pool.offset(leaf) + HEADER + width
      const end = first + pool.get(leaf, COUNT) * stride
      for (let at = first; at < end; at += stride) out[to++] = page[at] as number
    }
  }

  /** Removes everything. */
  clear(): void {
    this.tree.clear()
    this.hint_leaf.fill(0)
  }

  private isAt(row: number, leaf: number, slot: number): boolean {
    return (
      this.tree.pool.get(leaf, KIND) === LEAF &&
      slot < this.tree.pool.get(leaf, COUNT) &&
      this.tree.value(leaf, slot) === row
    )
  }

  private rowAt(leaf: number, slot: number): number {
    const row = this.tree.value(leaf, slot)
    const hint = row & (HINTS - 1)
    this.hint_leaf[hint] = leaf
    this.hint_slot[hint] = slot
    return row
  }

  /** Finds the entry at `slot` or the first of the next leaf: its slot, and `found_leaf`; or NONE. */
  private slotFrom(leaf: number, slot: number): number {
    this.found_leaf = leaf
    if (slot < this.tree.pool.get(leaf, COUNT)) return slot
    const next = this.tree.pool.get(leaf, NEXT)
    this.found_leaf = next
    return next === 0 ? NONE : 0
  }

  /** Finds the entry before `slot` or the last of the leaf before, as slotFrom. */
  private slotBefore(leaf: number, slot: number): number {
    this.found_leaf = leaf
    if (slot > 0) return slot - 1
    const prev = this.tree.pool.get(leaf, PREV)
    this.found_leaf = prev
    return prev === 0 ? NONE : this.tree.pool.get(prev, COUNT) - 1
  }

  private found(slot: number): number {
    return slot === NONE ? NONE : this.rowAt(this.found_leaf, slot)
  }

  private within(word: number, slot: number): number {
    if (slot === NONE || this.tree.keyWord(this.found_leaf, slot, 0) !== word) return NONE
    return this.rowAt(this.found_leaf, slot)
  }
}
