/**
 * The nodes of an ordered index: a B+tree in which entries are found, added and removed. See
 * OrderedIndex for what keys and values mean.
 *
 * Invariants:
 * - A node is `node_words` words in a page: header (count, previous leaf, next leaf, kind), then
 *   entries of `width` key words and a value. In a leaf the value is a row number. In an inner node
 *   it is a child; the child's keys are not below the entry's key and below the next entry's key. The
 *   first entry's key is not used: it stands for the lowest key.
 * - Leaves are linked in key order; every node has at least one entry, except an empty root leaf.
 * - A change of the tree may overwrite `key`.
 */
import assert from 'node:assert/strict'
import { lowerSlot, upperSlot } from './key_search.ts'
import {
  COUNT,
  DEPTH,
  HEADER,
  INNER,
  KIND,
  LAST_LEAF,
  LEAF,
  NEXT,
  NodePool,
  PREV,
  ROOT,
  SIZE,
} from './node_pool.ts'
import type { SharedMemory } from './shared_memory.ts'

const MAX_DEPTH = 16

/**
 * A B+tree with keys of `width` words and row numbers as values. Keys are unique. Search, insertion
 * and removal take logarithmic time.
 */
export class NodeTree {
  /** Words of a key. */
  readonly width: number
  /** The key that the next operation is about: filled in by the caller. */
  readonly key: Uint32Array
  readonly pool: NodePool
  /** Words of an entry. */
  readonly stride: number
  private readonly capacity: number
  /** Inner nodes from the root to the leaf found last, and which child was taken in each. */
  private readonly path_node = new Int32Array(MAX_DEPTH)
  private readonly path_slot = new Int32Array(MAX_DEPTH)

  /** `capacity` (entries of a node) is for tests; by default a node is 1 or 2 KiB. */
  constructor(width: number, capacity?: number, memory?: SharedMemory) {
    this.width = width
    this.key = new Uint32Array(width)
    this.stride = width + 1
    const words = this.stride <= 4 ? 256 : 512
    this.capacity = capacity ?? Math.floor((words - HEADER) / this.stride)
    assert(this.capacity >= 4, 'a node has room for at least four entries')
    const node_words = capacity === undefined ? words : HEADER + capacity * this.stride
    this.pool = new NodePool(node_words, memory)
    this.plant()
  }

  /** Number of rows. */
  get size(): number {
    return this.pool.head[SIZE] as number
  }

  /** The leaf with the highest keys. */
  get last_leaf(): number {
    return this.pool.head[LAST_LEAF] as number
  }

  private get root(): number {
    return this.pool.head[ROOT] as number
  }

  /** Levels above the leaves. */
  private get depth(): number {
    return this.pool.head[DEPTH] as number
  }

  private set size(size: number) {
    this.pool.head[SIZE] = size
  }

  private set last_leaf(leaf: number) {
    this.pool.head[LAST_LEAF] = leaf
  }

  private set root(node: number) {
    this.pool.head[ROOT] = node
  }

  private set depth(levels: number) {
    this.pool.head[DEPTH] = levels
  }

  /** An empty root. */
  private plant(): void {
    this.root = this.last_leaf = this.pool.alloc(LEAF)
    this.depth = 0
  }

  /** Adds the key with this row. Returns false if the key exists. */
  insert(row: number): boolean {
    if (this.append(row)) return true
    const leaf = this.descendWithPath()
    const slot = this.lower(leaf)
    if (this.matches(leaf, slot)) return false
    this.insertEntry(this.depth, leaf, slot, row)
    this.size++
    return true
  }

  /** Adds the key with this row, or gives the key to this row. */
  put(row: number): void {
    if (this.insert(row)) return
    const leaf = this.descend()
    this.pool.set(leaf, this.valueWord(this.lower(leaf)), row)
  }

  /** Removes the key if it exists with this row. Returns false if it does not. */
  removeIf(row: number): boolean {
    const leaf = this.descendWithPath()
    const slot = this.lower(leaf)
    if (!this.matches(leaf, slot) || this.value(leaf, slot) !== row) return false
    this.pool.removeEntries(leaf, slot, 1, this.stride)
    this.size--
    if (this.pool.get(leaf, COUNT) < this.capacity >> 2) this.rebalance(this.depth, leaf)
    return true
  }

  /** Removes everything. */
  clear(): void {
    this.pool.clear()
    this.plant()
  }

  /** The leaf with the lowest keys. */
  firstLeaf(): number {
    let node = this.root
    for (let level = 0; level < this.depth; level++) node = this.child(node, 0)
    return node
  }

  /** Word `word` of the key of entry `slot`. */
  keyWord(node: number, slot: number, word: number): number {
    return this.pool.get(node, HEADER + slot * this.stride + word)
  }

  /** The row number of an entry of a leaf, or the child of an entry of an inner node. */
  value(node: number, slot: number): number {
    return this.pool.get(node, this.valueWord(slot))
  }

  private valueWord(slot: number): number {
    return HEADER + slot * this.stride + this.width
  }

  private child(node: number, slot: number): number {
    return this.value(node, slot)
  }

  /** The first slot of the leaf whose key is not below `key`; the number of its entries if there is none. */
  lower(leaf: number): number {
    const page = this.pool.page(leaf)
    return lowerSlot(page, this.pool.offset(leaf), this.key, this.width)
  }

  /** The first slot of the leaf whose key is above `key`; the number of its entries if there is none. */
  upper(leaf: number): number {
    const page = this.pool.page(leaf)
    return upperSlot(page, this.pool.offset(leaf), this.key, this.width, 0)
  }

  /** Whether an entry of the leaf is at `slot`, and has the key `key`. */
  matches(leaf: number, slot: number): boolean {
    if (slot >= this.pool.get(leaf, COUNT)) return false
    return this.compareAt(leaf, slot) === 0
  }

  /** Sign of key − entry key. */
  private compareAt(node: number, slot: number): number {
    const page = this.pool.page(node)
    const at = this.pool.offset(node) + HEADER + slot * this.stride
    for (let i = 0; i < this.width; i++) {
      const a = this.key[i] as number
      const b = page[at + i] as number
      if (a !== b) return a < b ? -1 : 1
    }
    return 0
  }

  /** The leaf where the key is, or would be. */
  descend(): number {
    const { pool, key, width, stride } = this
    let node = this.root
    for (let level = this.depth; level > 0; level--) {
      const page = pool.page(node)
      const at = pool.offset(node)
      const slot = upperSlot(page, at, key, width, 1) - 1
      node = page[at + HEADER + slot * stride + width] as number
    }
    return node
  }

  private descendWithPath(): number {
    const { pool, key, width } = this
    let node = this.root
    for (let level = 0; level < this.depth; level++) {
      const slot = upperSlot(pool.page(node), pool.offset(node), key, width, 1) - 1
      this.path_node[level] = node
      this.path_slot[level] = slot
      node = this.child(node, slot)
    }
    return node
  }

  /**
   * Adds a key above all others to the last leaf if it has space, so that rows in order are cheap.
   */
  private append(row: number): boolean {
    const leaf = this.last_leaf
    const count = this.pool.get(leaf, COUNT)
    if (count === 0 || count === this.capacity) return false
    if (this.compareAt(leaf, count - 1) <= 0) return false
    this.pool.insertEntry(leaf, count, this.key, row, this.stride)
    this.size++
    return true
  }

  /** Puts the entry (key, value) at `slot` of a node of `level`, splitting nodes that are full. */
  private insertEntry(level: number, node: number, slot: number, value: number): void {
    const { pool, capacity, stride } = this
    const count = pool.get(node, COUNT)
    if (count < capacity) {
      pool.insertEntry(node, slot, this.key, value, stride)
      return
    }
    const right = pool.alloc(pool.get(node, KIND))
    // Entries that come in ascending order leave full nodes behind.
    const keep = slot === count ? count : count >> 1
    pool.moveEntries(node, keep, right, 0, count - keep, stride)
    if (pool.get(node, KIND) === LEAF) this.linkAfter(node, right)
    const into_right = slot > keep || slot === count
    if (into_right) pool.insertEntry(right, slot - keep, this.key, value, stride)
    else pool.insertEntry(node, slot, this.key, value, stride)
    this.insertParent(level, node, right)
  }

  private insertParent(level: number, left: number, right: number): void {
    if (level === 0) {
      const root = this.pool.alloc(INNER)
      this.pool.insertEntry(root, 0, this.key, left, this.stride)
      this.root = root
      this.depth++
      assert(this.depth < MAX_DEPTH)
      this.path_node[0] = root
      this.path_slot[0] = 0
      level = 1
    }
    const parent = this.path_node[level - 1] as number
    const slot = (this.path_slot[level - 1] as number) + 1
    for (let i = 0; i < this.width; i++) this.key[i] = this.keyWord(right, 0, i)
    this.insertEntry(level - 1, parent, slot, right)
  }

  private linkAfter(leaf: number, right: number): void {
    const { pool } = this
    const next = pool.get(leaf, NEXT)
    pool.set(right, PREV, leaf)
    pool.set(right, NEXT, next)
    pool.set(leaf, NEXT, right)
    if (next === 0) this.last_leaf = right
    else pool.set(next, PREV, right)
  }

  private unlink(leaf: number): void {
    const { pool } = this
    const prev = pool.get(leaf, PREV)
    const next = pool.get(leaf, NEXT)
    if (prev !== 0) pool.set(prev, NEXT, next)
    if (next !== 0) pool.set(next, PREV, prev)
    else this.last_leaf = prev
  }

  /** Joins a node that became small with a neighbour, or takes entries over from it. */
  private rebalance(level: number, node: number): void {
    const { pool, capacity, stride } = this
    if (level === 0) return this.shrinkRoot()
    const parent = this.path_node[level - 1] as number
    const slot = this.path_slot[level - 1] as number
    const siblings = pool.get(parent, COUNT)
    if (siblings === 1) {
      if (pool.get(node, COUNT) === 0) this.dropChild(level, node, slot)
      return
    }
    const right_slot = slot + 1 < siblings ? slot + 1 : slot
    const left = this.child(parent, right_slot - 1)
    const right = this.child(parent, right_slot)
    const inner = pool.get(node, KIND) === INNER
    // The separator is the true lower bound of an inner node's first child.
    if (inner) pool.copyKey(parent, right_slot, right, 0, stride)
    const left_count = pool.get(left, COUNT)
    const right_count = pool.get(right, COUNT)
    if (left_count + right_count <= capacity) {
      pool.moveEntries(right, 0, left, left_count, right_count, stride)
      this.dropChild(level, right, right_slot)
      return
    }
    const half = (left_count + right_count) >> 1
    if (left_count < half) {
      pool.moveEntries(right, 0, left, left_count, half - left_count, stride)
    } else {
      pool.moveEntries(left, half, right, 0, left_count - half, stride)
    }
    pool.copyKey(right, 0, parent, right_slot, stride)
  }

  /** Frees an empty node and removes it from its parent. */
  private dropChild(level: number, node: number, slot: number): void {
    const { pool } = this
    if (pool.get(node, KIND) === LEAF) this.unlink(node)
    pool.free(node)
    const parent = this.path_node[level - 1] as number
    pool.removeEntries(parent, slot, 1, this.stride)
    if (pool.get(parent, COUNT) < this.capacity >> 2) this.rebalance(level - 1, parent)
  }

  private shrinkRoot(): void {
    const { pool } = this
    while (this.depth > 0 && pool.get(this.root, COUNT) === 1) {
      const child = this.child(this.root, 0)
      pool.free(this.root)
      this.root = child
      this.depth--
    }
    if (this.depth > 0 && pool.get(this.root, COUNT) === 0) {
      pool.free(this.root)
      this.plant()
    }
  }
}
