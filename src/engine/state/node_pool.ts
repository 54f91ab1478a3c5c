/**
 * Nodes of an ordered index in pages of one typed array each. A node is a number, from 1 on; its
 * words are a header and entries (key words and a value). The page with the first nodes grows by
 * doubling, so that a small index is small. Node 0 is not a node: words of it describe the tree, so that
 * pages in shared memory are all that a reader on another thread needs.
 */
import assert from 'node:assert/strict'
import type { SharedBuffers, SharedMemory } from './shared_memory.ts'

/** Words of a node's header, and what they mean. */
export const HEADER = 4
/** Number of entries. */
export const COUNT = 0
/** The previous leaf; 0 means none. */
export const PREV = 1
/** The next leaf; 0 means none. In a free node: the next free node. */
export const NEXT = 2
/** The kind of the node: {@link FREE}, {@link LEAF} or {@link INNER}. */
export const KIND = 3

/**
 * The word of node 0 with the root. Node 0 is not a node of the tree: its header stays zero, and its other words are the
 * following.
 */
export const ROOT = HEADER
/** The word with the last leaf. */
export const LAST_LEAF = HEADER + 1
/** The word with the number of levels above the leaves. */
export const DEPTH = HEADER + 2
/** The word with the number of rows. */
export const SIZE = HEADER + 3

/** Kinds of nodes. */
export const FREE = 0
/** A node whose values are rows. */
export const LEAF = 1
/** A node whose values are nodes. */
export const INNER = 2

const PAGE_WORDS = 1 << 16
const FIRST_NODES = 4

/** Allocates the nodes of an ordered index in pages of typed arrays. Freed nodes are used again. */
export class NodePool implements SharedBuffers {
  private readonly node_words: number
  private readonly page_bits: number
  private readonly page_mask: number
  private readonly pages: Uint32Array[] = []
  /** The first page, with the words of node 0. */
  head: Uint32Array = new Uint32Array(0)
  /** The next node that was never used. */
  private top = 1
  private free_head = 0
  private readonly memory: SharedMemory | undefined
  private readonly holder: number

  /** @param memory shares the pages with other threads */
  constructor(node_words: number, memory?: SharedMemory) {
    this.node_words = node_words
    this.memory = memory
    this.holder = memory?.register(this) ?? 0
    const nodes = Math.max(FIRST_NODES, PAGE_WORDS / node_words)
    this.page_bits = 31 - Math.clz32(nodes)
    this.page_mask = (1 << this.page_bits) - 1
    this.setPage(0, FIRST_NODES * node_words)
  }

  /** Bytes of the pages. */
  get bytes(): number {
    return this.pages.reduce((sum, page) => sum + page.byteLength, 0)
  }

  /** The page that a node is in; see {@link offset}. */
  page(node: number): Uint32Array {
    return this.pages[node >>> this.page_bits] as Uint32Array
  }

  /** Index of a node's first word in its page. */
  offset(node: number): number {
    return (node & this.page_mask) * this.node_words
  }

  /** A word of a node; `word` counts from the start of its header. */
  get(node: number, word: number): number {
    return this.page(node)[this.offset(node) + word] as number
  }

  /** Writes a word of a node; `word` counts from the start of its header. */
  set(node: number, word: number, value: number): void {
    this.page(node)[this.offset(node) + word] = value
  }

  /**
   * A node without entries and neighbours.
   * @param kind LEAF or INNER
   */
  alloc(kind: number): number {
    let node = this.free_head
    if (node !== 0) this.free_head = this.get(node, NEXT)
    else node = this.newNode()
    const page = this.page(node)
    const at = this.offset(node)
    page[at + COUNT] = 0
    page[at + PREV] = 0
    page[at + NEXT] = 0
    page[at + KIND] = kind
    return node
  }

  /** Makes a node available to {@link alloc}. */
  free(node: number): void {
    assert(this.get(node, KIND) !== FREE)
    this.set(node, COUNT, 0)
    this.set(node, KIND, FREE)
    this.set(node, NEXT, this.free_head)
    this.free_head = node
  }

  /** Drops all nodes and the words of node 0. */
  clear(): void {
    this.pages.length = 0
    this.setPage(0, FIRST_NODES * this.node_words)
    this.top = 1
    this.free_head = 0
  }

  /** Inserts the key and the value at `slot`. */
  insertEntry(node: number, slot: number, key: Uint32Array, value: number, stride: number): void {
    const page = this.page(node)
    const base = this.offset(node)
    const count = page[base + COUNT] as number
    const at = base + HEADER + slot * stride
    const end = base + HEADER + count * stride
    moveUp(page, at, end, stride)
    for (let i = 0; i < stride - 1; i++) page[at + i] = key[i] as number
    page[at + stride - 1] = value
    page[base + COUNT] = count + 1
  }

  /** Removes entries from `slot` on; later ones move down. */
  removeEntries(node: number, slot: number, entries: number, stride: number): void {
    const page = this.page(node)
    const base = this.offset(node)
    const count = page[base + COUNT] as number
    const at = base + HEADER + slot * stride
    moveDown(page, at + entries * stride, base + HEADER + count * stride, entries * stride)
    page[base + COUNT] = count - entries
  }

  /** Moves entries from one node to `to_slot` of another; entries from there on are shifted. */
  moveEntries(
    from: number,
    from_slot: number,
    to: number,
    to_slot: number,
    entries: number,
    stride: number,
  ): void {
    if (entries === 0) return
    const page = this.page(to)
    const base = this.offset(to)
    const count = page[base + COUNT] as number
    const at = base + HEADER + to_slot * stride
    moveUp(page, at, base + HEADER + count * stride, entries * stride)
    const source = this.page(from)
    const start = this.offset(from) + HEADER + from_slot * stride
    page.set(source.subarray(start, start + entries * stride), at)
    page[base + COUNT] = count + entries
    this.removeEntries(from, from_slot, entries, stride)
  }

  /** Writes the key of an entry over that of another one. */
  copyKey(from: number, from_slot: number, to: number, to_slot: number, stride: number): void {
    const source = this.page(from)
    const start = this.offset(from) + HEADER + from_slot * stride
    const page = this.page(to)
    const at = this.offset(to) + HEADER + to_slot * stride
    for (let i = 0; i < stride - 1; i++) page[at + i] = source[start + i] as number
  }

  private newNode(): number {
    const node = this.top++
    const index = node >>> this.page_bits
    const page_words = (1 << this.page_bits) * this.node_words
    if (index === this.pages.length) this.setPage(index, page_words)
    const { length } = this.pages[index] as Uint32Array
    if (this.offset(node) >= length) this.setPage(index, Math.min(length * 2, page_words))
    return node
  }

  /** Gives a page this many words; it keeps its content. */
  private setPage(index: number, words: number): void {
    const { memory, pages } = this
    const buffer = memory ? new SharedArrayBuffer(4 * words) : new ArrayBuffer(4 * words)
    const page = new Uint32Array(buffer)
    const old = pages[index]
    if (old) page.set(old)
    pages[index] = page
    if (index === 0) this.head = page
    if (buffer instanceof SharedArrayBuffer) memory?.changed(this.holder, index, buffer)
  }

  buffers(): SharedArrayBuffer[] {
    return this.pages.map(({ buffer }) => buffer as SharedArrayBuffer)
  }

  attach(index: number, buffer: SharedArrayBuffer): void {
    this.pages[index] = new Uint32Array(buffer)
    if (index === 0) this.head = this.pages[0] as Uint32Array
  }
}

// In shared memory, loops take half of the time of copyWithin.

function moveUp(page: Uint32Array, start: number, end: number, words: number): void {
  for (let i = end - 1; i >= start; i--) page[i + words] = page[i] as number
}

function moveDown(page: Uint32Array, start: number, end: number, words: number): void {
  for (let i = start; i < end; i++) page[i - words] = page[i] as number
}
