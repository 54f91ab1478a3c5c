/**
 * The rows of one table: from row number to block, and which session last journaled each row.
 *
 * Invariants:
 * - A row number keeps its meaning until the row's removal is final; its block may change.
 * - Free row numbers form a list through `address`; their stamp and that of removed rows is
 *   REMOVED_STAMP.
 */
import assert from 'node:assert/strict'
import type { Heap } from './heap.ts'
import { wordOffset } from './heap.ts'
import type { Journal } from './journal.ts'
import { REMOVED_STAMP } from './journal.ts'

const NO_ROW = 0xffffffff
const FIRST_ROWS = 16

export class Rows {
  /** Block of each row. */
  address = new Uint32Array(FIRST_ROWS)
  /** Serial of the session that created or journaled each row last. */
  stamp = new Uint32Array(FIRST_ROWS)
  private readonly heap: Heap
  private readonly journal: Journal
  /** Position of the table in the journal. */
  private table = -1
  private top = 0
  private free_head = NO_ROW

  constructor(heap: Heap, journal: Journal) {
    this.heap = heap
    this.journal = journal
  }

  /** Tells which table the entries in the journal are for. */
  attach(table: number): void {
    this.table = table
  }

  /** Bytes of the arrays. */
  get bytes(): number {
    return this.address.byteLength + this.stamp.byteLength
  }

  /** Whether `row` exists. */
  has(row: number): boolean {
    return row >= 0 && row < this.top && this.stamp[row] !== REMOVED_STAMP
  }

  /** Row numbers are below this. */
  get end(): number {
    return this.top
  }

  /** The number that the next created row gets. */
  peek(): number {
    return this.free_head === NO_ROW ? this.top : this.free_head
  }

  /** A new row with a block of `size` bytes. */
  create(size: number): number {
    const row = this.takeNumber()
    this.address[row] = this.heap.alloc(size)
    this.stamp[row] = this.journal.serial
    if (this.journal.depth > 0) this.journal.created(this.table, row)
    return row
  }

  /**
   * Where to write the row's new content of `size` bytes: its own block where nobody needs the old
   * content, else a new block. The old block can be read until {@link rewritten}.
   */
  rewrite(row: number, size: number): number {
    const from = this.address[row] as number
    if (this.isJournaled(row) && this.heap.fits(from, size)) {
      this.heap.words(from)[wordOffset(from)] = size
      return from
    }
    return this.heap.alloc(size)
  }

  /** The row's content is at `to` now. */
  rewritten(row: number, to: number): void {
    const from = this.address[row] as number
    if (from === to) return
    this.address[row] = to
    if (this.isJournaled(row)) return this.heap.free(from)
    this.journal.modified(this.table, row, from, this.stamp[row] as number)
    this.stamp[row] = this.journal.serial
  }

  /** Ends a row, which is in no index any more. */
  remove(row: number): void {
    assert(this.has(row), 'the row exists')
    const stamp = this.stamp[row] as number
    this.stamp[row] = REMOVED_STAMP
    if (this.journal.depth > 0) this.journal.removed(this.table, row, stamp)
    else this.release(row)
  }

  /** Frees the number and the block of a row that nothing can bring back. */
  release(row: number): void {
    this.heap.free(this.address[row] as number)
    this.address[row] = this.free_head
    this.stamp[row] = REMOVED_STAMP
    this.free_head = row
  }

  private isJournaled(row: number): boolean {
    return this.journal.depth === 0 || this.stamp[row] === this.journal.serial
  }

  private takeNumber(): number {
    const row = this.free_head
    if (row !== NO_ROW) {
      this.free_head = this.address[row] as number
      return row
    }
    if (this.top === this.address.length) this.grow()
    return this.top++
  }

  private grow(): void {
    const length = Math.ceil(this.top * 1.5)
    assert(length < 0x7fffffff)
    const address = new Uint32Array(length)
    address.set(this.address)
    this.address = address
    const stamp = new Uint32Array(length)
    stamp.set(this.stamp)
    this.stamp = stamp
  }
}
