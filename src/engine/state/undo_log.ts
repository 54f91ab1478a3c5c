/**
 * The undo log of all tables: what to do to take changes back, in the order of the changes.
 *
 * Invariants:
 * - A session is a mark in the undo log. Entries behind the last mark belong to the innermost session.
 * - `serial` is the number of the innermost session: that of the session around it plus one. A row's
 *   stamp is the serial of the innermost session that created or recorded it; it never exceeds
 *   `serial`. A row whose stamp is `serial` needs no further entry in this session.
 * - A modified row gets a new block and the entry keeps the old one, so undo copies nothing. A removed
 *   row keeps its number and its block until the removal is final, so undo brings the same number
 *   back.
 * - Undo replays backwards, so the oldest of several entries for a row wins.
 *
 * Work: start pushes a mark. Squash drops entries that the outer session's make superfluous, and stamps the
 * rows of the others. Undo and commit visit each entry once.
 */
import assert from 'node:assert/strict'
import type { Heap } from './heap.ts'

/** The operations on the rows of a table that the undo log needs; see class Rows. */
export interface UndoableRows {
  block(row: number): number
  setBlock(row: number, block: number): void
  stamp(row: number): number
  setStamp(row: number, stamp: number): void
  release(row: number): void
}

/** The operations of a table that undo calls. */
export interface UndoableTable {
  readonly rows: UndoableRows
  /** A created row goes away: takes it out of the indices. */
  undoCreate(row: number): void
  /** The row's block changes back from `from` to `to`: adapts the indices. */
  undoModify(row: number, from: number, to: number): void
  /** A removed row comes back: puts it into the indices. */
  undoRemove(row: number): void
}

const CREATE = 0
const MODIFY = 1
const REMOVE = 2

/** An entry is four words: table position and operation, row, old block, old stamp. */
const ENTRY = 4
const OP_BITS = 2
const OP_MASK = 3

const FIRST_WORDS = 1024
/** 1 MiB. Longer arrays, as of a new chain, are replaced when their entries are final. */
const MOST_KEPT_WORDS = 1 << 18

/** Stamp of rows that are removed or free. */
export const REMOVED_STAMP = 0xffffffff

/**
 * The undo log of all tables, with nested sessions. Undo restores the rows as they were at the
 * start of the session; squash and commit keep the changes.
 */
export class UndoLog {
  /** Number of the innermost session; see above. */
  serial = 1
  private readonly heap: Heap
  private readonly tables: UndoableTable[] = []
  private entries = new Uint32Array(FIRST_WORDS)
  /** The first entry that may still be undone, and the end; in words. */
  private head = 0
  private tail = 0
  /** The start of each open session, outermost first; in words. */
  private starts: number[] = []

  constructor(heap: Heap) {
    this.heap = heap
  }

  /** Number of open sessions. */
  get depth(): number {
    return this.starts.length
  }

  /** Bytes of the array of entries. */
  get bytes(): number {
    return this.entries.byteLength
  }

  /** Registers a table; answers its position, which its entries carry. */
  add(table: UndoableTable): number {
    return this.tables.push(table) - 1
  }

  /**
   * Records that a row was created.
   * @param table its position, which {@link add} returned
   */
  created(table: number, row: number): void {
    this.push(table, CREATE, row, 0, 0)
  }

  /**
   * Records that a row got another block.
   * @param old_block its block before, which the log frees when it is no longer needed
   * @param old_stamp its stamp before
   */
  modified(table: number, row: number, old_block: number, old_stamp: number): void {
    this.push(table, MODIFY, row, old_block, old_stamp)
  }

  /**
   * Records that a row was removed. Its block stays until the removal is final.
   * @param old_stamp its stamp before
   */
  removed(table: number, row: number, old_stamp: number): void {
    this.push(table, REMOVE, row, 0, old_stamp)
  }

  /** Begins a session inside of the innermost one. */
  start(): void {
    this.starts.push(this.tail)
    this.serial++
    assert(this.serial < REMOVED_STAMP)
  }

  /** Undoes the innermost session. */
  undo(): void {
    const start = this.starts.pop()
    assert(start !== undefined, 'a session is open')
    while (this.tail > start) {
      this.tail -= ENTRY
      this.undoEntry(this.tail)
    }
    this.serial--
  }

  /** Makes the innermost session a part of the one around it, or final. */
  squash(): void {
    assert(this.starts.length > 0, 'a session is open')
    if (this.starts.length === 1) return this.commit(1)
    const start = this.starts.pop() as number
    this.serial--
    const end = this.tail
    this.tail = start
    for (let at = start; at < end; at += ENTRY) {
      if (this.keepAtSquash(at)) {
        this.entries.copyWithin(this.tail, at, at + ENTRY)
        this.tail += ENTRY
      }
    }
  }

  /** Makes the outermost `sessions` final. */
  commit(sessions: number): void {
    if (sessions === 0) return
    const end = this.starts[sessions] ?? this.tail
    for (let at = this.head; at < end; at += ENTRY) this.disposeEntry(at)
    this.starts.splice(0, sessions)
    this.head = end
    this.compact()
  }

  /** Calls `visit` for each entry of the innermost session, in order. A row may come up again. */
  eachChange(visit: (table: number, row: number) => void): void {
    for (let at = this.innermost(); at < this.tail; at += ENTRY) {
      visit((this.entries[at] as number) >>> OP_BITS, this.entries[at + 1] as number)
    }
  }

  /** The rows that the innermost session touched, each once, with the block of their content before
   *  it (undefined: the row did not exist). A removed row comes in the order of the removals, other
   *  rows in the order in which they were first touched. Nothing may be written meanwhile.
   *  @param is_wanted by table: others are passed over */
  *touchedRows(
    is_wanted: readonly boolean[],
  ): Generator<{ table: number; row: number; old_block: number | undefined }> {
    const first = new Map<number, number | undefined>()
    const { tail } = this
    for (let at = this.innermost(); at < tail; at += ENTRY) {
      assert(this.tail === tail, 'the session is read before more is written')
      const word = this.entries[at] as number
      const table = word >>> OP_BITS
      if (!is_wanted[table]) continue
      const row = this.entries[at + 1] as number
      const key = row * 2 ** 16 + table
      const is_first = !first.has(key)
      if (is_first) first.set(key, this.oldBlock(at))
      const { rows } = this.tables[table] as UndoableTable
      const is_removed = rows.stamp(row) === REMOVED_STAMP
      const is_due = is_removed ? (word & OP_MASK) === REMOVE : is_first
      if (is_due) yield { table, row, old_block: first.get(key) }
    }
  }

  /** The position of the first entry of the innermost session. */
  private innermost(): number {
    const start = this.starts.at(-1)
    assert(start !== undefined, 'a session is open')
    return start
  }

  /** Block of the row's content before the entry; undefined where the entry created the row. */
  private oldBlock(at: number): number | undefined {
    const op = (this.entries[at] as number) & OP_MASK
    if (op === CREATE) return undefined
    if (op === MODIFY) return this.entries[at + 2] as number
    const { rows } = this.tables[(this.entries[at] as number) >>> OP_BITS] as UndoableTable
    return rows.block(this.entries[at + 1] as number)
  }

  private push(table: number, op: number, row: number, block: number, stamp: number): void {
    if (this.tail + ENTRY > this.entries.length) this.grow()
    const at = this.tail
    this.entries[at] = (table << OP_BITS) | op
    this.entries[at + 1] = row
    this.entries[at + 2] = block
    this.entries[at + 3] = stamp
    this.tail = at + ENTRY
  }

  private undoEntry(at: number): void {
    const entries = this.entries
    const word = entries[at] as number
    const row = entries[at + 1] as number
    const table = this.tables[word >>> OP_BITS] as UndoableTable
    const rows = table.rows
    switch (word & OP_MASK) {
      case CREATE:
        table.undoCreate(row)
        rows.release(row)
        break
      case MODIFY: {
        const from = rows.block(row)
        const to = entries[at + 2] as number
        table.undoModify(row, from, to)
        rows.setBlock(row, to)
        rows.setStamp(row, entries[at + 3] as number)
        this.heap.free(from)
        break
      }
      default:
        assert.equal(rows.stamp(row), REMOVED_STAMP)
        rows.setStamp(row, entries[at + 3] as number)
        table.undoRemove(row)
    }
  }

  /** Whether an entry is needed in the outer session, whose serial is `serial` already. */
  private keepAtSquash(at: number): boolean {
    const word = this.entries[at] as number
    const row = this.entries[at + 1] as number
    const { rows } = this.tables[word >>> OP_BITS] as UndoableTable
    if (rows.stamp(row) !== REMOVED_STAMP) rows.setStamp(row, this.serial)
    if ((word & OP_MASK) !== MODIFY || (this.entries[at + 3] as number) < this.serial) return true
    // The outer session created the row or has an older value.
    this.heap.free(this.entries[at + 2] as number)
    return false
  }

  private disposeEntry(at: number): void {
    const word = this.entries[at] as number
    const op = word & OP_MASK
    if (op === MODIFY) this.heap.free(this.entries[at + 2] as number)
    else if (op === REMOVE) {
      const { rows } = this.tables[word >>> OP_BITS] as UndoableTable
      rows.release(this.entries[at + 1] as number)
    }
  }

  private grow(): void {
    if (this.head > this.entries.length >> 1) return this.compact()
    const grown = new Uint32Array(this.entries.length * 2)
    grown.set(this.entries.subarray(0, this.tail))
    this.entries = grown
  }

  /** Moves what is left to the front when at least half of the undo log is final. */
  private compact(): void {
    if (this.head < this.tail >> 1) return
    this.entries.copyWithin(0, this.head, this.tail)
    this.starts = this.starts.map((start) => start - this.head)
    this.tail -= this.head
    this.head = 0
    if (this.tail === 0 && this.entries.length > MOST_KEPT_WORDS) {
      this.entries = new Uint32Array(FIRST_WORDS)
    }
  }
}
