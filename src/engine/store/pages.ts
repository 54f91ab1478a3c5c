/**
 * Pages of the state store: many rows in one record, so that a start reads thousands of records
 * instead of millions.
 *
 * Invariants:
 * - A page has the rows of one table from its bound (part of its key) up to the bound of the next page
 *   of the table, in key order, as packed records without removals. The first bound of a table is zero.
 * - A page has at most MAX_PAGE bytes, or one row.
 */
import { NONE, OrderedIndex } from '../state/ordered_index.ts'
import { ChangeReader } from '../state/changes.ts'

const MAX_PAGE = 8192
/** Pages that are too large are split into pieces of about this size, with room to grow. */
export const SPLIT_PAGE = 6144
/** Words of the longest row key. */
const KEY_WORDS = 3

/** The rows that a page is for: from `bound` on, below `end` if there is one. */
export interface PageRange {
  table: number
  bound: Uint8Array
  end: Uint8Array | undefined
}

/** A packed record, taken apart. */
export interface RowChange {
  table: number
  key: Uint8Array
  record: Uint8Array
  removed: boolean
}

/** The first keys of all pages. It selects the page of a row, and is only in memory. */
export class PageDirectory {
  /** By table and bound; the values number the pages. */
  private readonly index = new OrderedIndex(1 + KEY_WORDS)
  private readonly found = new Uint32Array(1 + KEY_WORDS)
  private next_page = 0

  /** Number of pages. */
  get size(): number {
    return this.index.size
  }

  /** Adds a page that begins with a key, if it is not there. */
  add(table: number, bound: Uint8Array): void {
    setRowKey(this.index.key, table, bound)
    if (this.index.insert(this.next_page)) this.next_page++
  }

  /** Removes the page that begins with a key, if it is there. */
  remove(table: number, bound: Uint8Array): void {
    setRowKey(this.index.key, table, bound)
    const page = this.index.find()
    if (page === NONE) return
    setRowKey(this.index.key, table, bound)
    this.index.remove(page)
  }

  /** The page that has, or should have, the row. A table's first page comes into being. */
  pageOf(table: number, key: Uint8Array): PageRange {
    setRowKey(this.index.key, table, key)
    const page = this.index.notAboveWithin()
    if (page === NONE) {
      this.add(table, new Uint8Array(key.length))
      return this.pageOf(table, key)
    }
    this.index.keyOf(page, this.found)
    const bound = boundBytes(this.found, key.length)
    const next = this.index.nextWithin(page)
    if (next === NONE) return { table, bound, end: undefined }
    this.index.keyOf(next, this.found)
    return { table, bound, end: boundBytes(this.found, key.length) }
  }

  /** Removes all pages. */
  clear(): void {
    this.index.clear()
  }
}

/** Sets an ordered index's key to table and row key; row keys of a table have one length. */
export function setRowKey(out: Uint32Array, table: number, key: Uint8Array): void {
  out[0] = table
  for (let i = 0; i < KEY_WORDS; i++) {
    const at = 4 * i
    out[1 + i] =
      at >= key.length
        ? 0
        : ((key[at] as number) << 24) |
          ((key[at + 1] as number) << 16) |
          ((key[at + 2] as number) << 8) |
          (key[at + 3] as number)
  }
}

/**
 * Merges changes with ascending keys into a page. Returns the page's rows in order as pieces. The
 * first piece keeps the bound of the page; each other piece starts at its first row. No pieces
 * means that no rows are left.
 */
export function mergePage(
  page: Uint8Array | undefined,
  changes: readonly RowChange[],
): Uint8Array[] {
  const rows: Uint8Array[] = []
  const old = new ChangeReader(page ?? new Uint8Array(0))
  let has_old = old.next()
  for (const { key, record, removed } of changes) {
    let order = -1
    while (has_old && (order = Buffer.compare(old.key(), key)) < 0) {
      rows.push(old.record())
      has_old = old.next()
    }
    if (has_old && order === 0) has_old = old.next()
    if (!removed) rows.push(record)
  }
  while (has_old) {
    rows.push(old.record())
    has_old = old.next()
  }
  return split(rows)
}

function split(rows: Uint8Array[]): Uint8Array[] {
  const total = rows.reduce((sum, row) => sum + row.length, 0)
  const limit = total <= MAX_PAGE ? MAX_PAGE : SPLIT_PAGE
  const pieces: Uint8Array[] = []
  let piece: Uint8Array[] = []
  let size = 0
  for (const row of rows) {
    if (size > 0 && size + row.length > limit) {
      pieces.push(Buffer.concat(piece, size))
      piece = []
      size = 0
    }
    piece.push(row)
    size += row.length
  }
  if (size > 0) pieces.push(Buffer.concat(piece, size))
  return pieces
}

function boundBytes(words: Uint32Array, length: number): Uint8Array {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; at += 4) bytes.writeUInt32BE(words[1 + at / 4] as number, at)
  return bytes
}
