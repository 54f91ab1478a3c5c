/**
 * The rows of one table: from row number to block, and which session last recorded each row.
 *
 * Invariants:
 * - A row number keeps its meaning until the row's removal is final; its block may change.
 * - Free row numbers form a list through their block words; their stamp and that of removed rows is
 *   REMOVED_STAMP.
 */
import assert from 'node:assert/strict'
import type { Heap } from './heap.ts'
import type { SharedBuffers } from './shared_memory.ts'
import { wordOffset } from './heap.ts'
import type { UndoLog } from './undo_log.ts'
import { REMOVED_STAMP } from './undo_log.ts'
import type { OrderedIndex } from './ordered_index.ts'

const NO_ROW = 0xffffffff
const FIRST_ROWS = 16

/**
 * The rows of one table: for each row number its block in the heap, and the session that recorded
 * it last.
 */
export class Rows implements SharedBuffers {
  /** Two words for each row: its block, and the serial of the session that recorded it last. */
  private slots = new Uint32Array(new SharedArrayBuffer(8 * FIRST_ROWS))
  private readonly heap: Heap
  private readonly undo_log: UndoLog
  /** Position of the table in the undo log. */
  private table = -1
  private top = 0
  private free_head = NO_ROW
  private readonly holder: number

  constructor(heap: Heap, undo_log: UndoLog) {
    this.heap = heap
    this.undo_log = undo_log
    this.holder = heap.memory.register(this)
  }

  /** Sets the table to which entries in the undo log refer. */
  setTable(table: number): void {
    this.table = table
  }

  /** Bytes of the arrays. */
  get bytes(): number {
    return this.slots.byteLength
  }

  /** Block of a row; of a removed one too, while its removal may be undone. */
  block(row: number): number {
    return this.slots[2 * row] as number
  }

  /** Block of a row that must exist. */
  liveBlock(row: number): number {
    assert(this.has(row), 'the row exists')
    return this.slots[2 * row] as number
  }

  /** Sets the block of a row. The old one is the caller's to free. */
  setBlock(row: number, block: number): void {
    this.slots[2 * row] = block
  }

  /** Serial of the session that created or recorded the row last. */
  stamp(row: number): number {
    return this.slots[2 * row + 1] as number
  }

  /** Sets the serial that {@link stamp} returns. */
  setStamp(row: number, stamp: number): void {
    this.slots[2 * row + 1] = stamp
  }

  /** Whether `row` exists. */
  has(row: number): boolean {
    return row >= 0 && row < this.top && this.stamp(row) !== REMOVED_STAMP
  }

  /** The blocks of all rows in the order of an index. */
  blocksOf(index: OrderedIndex): Uint32Array {
    const blocks = new Uint32Array(index.size)
    index.copyRows(blocks)
    for (let i = 0; i < blocks.length; i++) blocks[i] = this.block(blocks[i] as number)
    return blocks
  }

  /** The number that the next created row gets. */
  peek(): number {
    return this.free_head === NO_ROW ? this.top : this.free_head
  }

  /** A new row with a block of `size` bytes. */
  create(size: number): number {
    const row = this.takeNumber()
    this.setBlock(row, this.heap.alloc(size))
    this.setStamp(row, this.undo_log.serial)
    if (this.undo_log.depth > 0) this.undo_log.created(this.table, row)
    return row
  }

  /**
   * The place for the row's new content of `size` bytes: its own block if the old content is not
   * needed, otherwise a new block. The old block can be read until {@link rewritten}.
   */
  rewrite(row: number, size: number): number {
    const from = this.block(row)
    if (this.isRecorded(row) && this.heap.fits(from, size)) {
      this.heap.words(from)[wordOffset(from)] = size
      return from
    }
    return this.heap.alloc(size)
  }

  /** The row's content is at `to` now. */
  rewritten(row: number, to: number): void {
    const from = this.block(row)
    if (from === to) return
    this.setBlock(row, to)
    if (this.isRecorded(row)) return this.heap.free(from)
    this.undo_log.modified(this.table, row, from, this.stamp(row))
    this.setStamp(row, this.undo_log.serial)
  }

  /** Removes a row, which must be in no index. */
  remove(row: number): void {
    assert(this.has(row), 'the row exists')
    const stamp = this.stamp(row)
    this.setStamp(row, REMOVED_STAMP)
    if (this.undo_log.depth > 0) this.undo_log.removed(this.table, row, stamp)
    else this.release(row)
  }

  /** Frees the number and the block of a row that nothing can bring back. */
  release(row: number): void {
    this.heap.free(this.block(row))
    this.setBlock(row, this.free_head)
    this.setStamp(row, REMOVED_STAMP)
    this.free_head = row
  }

  private isRecorded(row: number): boolean {
    return this.undo_log.depth === 0 || this.stamp(row) === this.undo_log.serial
  }

  private takeNumber(): number {
    const row = this.free_head
    if (row !== NO_ROW) {
      this.free_head = this.block(row)
      return row
    }
    if (2 * this.top === this.slots.length) this.grow()
    return this.top++
  }

  private grow(): void {
    const rows = Math.ceil(this.top * 1.5)
    assert(rows < 0x7fffffff)
    const buffer = new SharedArrayBuffer(8 * rows)
    const grown = new Uint32Array(buffer)
    grown.set(this.slots)
    this.slots = grown
    this.heap.memory.changed(this.holder, 0, buffer)
  }

  buffers(): SharedArrayBuffer[] {
    return [this.slots.buffer]
  }

  /** Each row number in an index is one of these, so a reader needs no `top`. */
  attach(_position: number, buffer: SharedArrayBuffer): void {
    this.slots = new Uint32Array(buffer)
    this.top = this.slots.length / 2
  }
}
