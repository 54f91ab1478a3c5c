/**
 * The common part of all contract tables: rows by `(t_id, primary)`, stored in blocks of [size
 * u32][t_id u32][primary u64][payer u64][content].
 */
import assert from 'node:assert/strict'
import { scratchU32, scratchU64 } from '../protocol/scratch.ts'
import type { Heap } from './heap.ts'
import { byteOffset, unitOffset, wordOffset } from './heap.ts'
import type { UndoLog, UndoableTable } from './undo_log.ts'
import { MISS, NONE, OrderedIndex } from './ordered_index.ts'
import { refuseDuplicate } from './refuse_duplicate.ts'
import { Rows } from './row_numbers.ts'

/** Bytes of a block before its content. */
export const CONTENT = 24
/** Bytes of a stored key: t_id u32 and primary u64, big end first so that bytes sort as keys. */
export const STORED_KEY = 12

/**
 * Rows of a contract table. A row is a number: valid until the row is removed, and undo of a removal
 * brings the same number back. -1 = no row.
 */
export abstract class ContractRows implements UndoableTable {
  readonly rows: Rows
  protected readonly heap: Heap
  protected readonly by_primary: OrderedIndex

  constructor(heap: Heap, undo_log: UndoLog) {
    this.heap = heap
    this.by_primary = new OrderedIndex(3, undefined, heap.memory)
    this.rows = new Rows(heap, undo_log)
    this.rows.setTable(undo_log.add(this))
  }

  /** Number of rows of all tables. */
  get size(): number {
    return this.by_primary.size
  }

  /** Bytes of the indices. */
  get index_bytes(): number {
    return this.by_primary.bytes
  }

  /** The row with this primary key in table `t_id`. */
  find(t_id: number, primary: bigint): number {
    this.setKey(t_id, primary)
    return this.by_primary.find()
  }

  /** First row of table `t_id` whose primary key is not below `primary`. */
  lowerBound(t_id: number, primary: bigint): number {
    this.setKey(t_id, primary)
    return this.by_primary.lowerBoundWithin()
  }

  /** First row of table `t_id` whose primary key is above `primary`. */
  upperBound(t_id: number, primary: bigint): number {
    this.setKey(t_id, primary)
    return this.by_primary.upperBoundWithin()
  }

  /** The row with the lowest primary key of table `t_id`. */
  first(t_id: number): number {
    return this.lowerBound(t_id, 0n)
  }

  /** The row with the highest primary key of table `t_id`. */
  last(t_id: number): number {
    this.setKey(t_id, 0xffffffffffffffffn)
    return this.by_primary.notAboveWithin()
  }

  /** The next row of the same table. */
  next(row: number): number {
    assert(this.rows.has(row), 'the row exists')
    const found = this.by_primary.nextWithin(row)
    if (found !== MISS) return found
    this.keyOf(row)
    return this.by_primary.upperBoundWithin()
  }

  /** The previous row of the same table. */
  prev(row: number): number {
    assert(this.rows.has(row), 'the row exists')
    const found = this.by_primary.prevWithin(row)
    if (found !== MISS) return found
    this.keyOf(row)
    return this.by_primary.belowWithin()
  }

  /** The number of the row's table. */
  t_id(row: number): number {
    const address = this.rows.liveBlock(row)
    return this.heap.words(address)[wordOffset(address) + 1] as number
  }

  /** The row's primary key. */
  primary(row: number): bigint {
    const address = this.rows.liveBlock(row)
    return this.heap.units(address)[unitOffset(address) + 1] as bigint
  }

  /** The name of the account that pays for the row. */
  payer(row: number): bigint {
    const address = this.rows.liveBlock(row)
    return this.heap.units(address)[unitOffset(address) + 2] as bigint
  }

  /** Row numbers of all tables in the order of (t_id, primary); no row may go away meanwhile. */
  *numbers(): Generator<number> {
    const { by_primary } = this
    for (let row = by_primary.first(); row !== NONE;) {
      yield row
      row = by_primary.nextHinted(row)
      if (row === MISS) assert.fail('nothing else walks through the index meanwhile')
    }
  }

  /** The rows' present blocks in the order of `(t_id, primary)`. */
  blocks(): Uint32Array {
    return this.rows.blocksOf(this.by_primary)
  }

  /** The row's payer and stored content, as a view. */
  stored(row: number): Uint8Array {
    return this.storedIn(this.rows.liveBlock(row))
  }

  /** Bytes of {@link stored}. */
  storedSize(row: number): number {
    return this.heap.size(this.rows.liveBlock(row)) - (CONTENT - 8)
  }

  /** Writes what {@link stored} has to `out`. */
  copyStored(row: number, out: Uint8Array, at: number): void {
    this.heap.copyTo(out, at, this.rows.liveBlock(row), CONTENT - 8)
  }

  /** The same for a row's content in a block, which may be an older one. */
  storedIn(block: number): Uint8Array {
    return this.heap.view(block, CONTENT - 8)
  }

  /** Writes the row's stored key to `out`; also for a row whose removal may still be undone. */
  storedKey(row: number, out: Uint8Array, at: number): number {
    const address = this.rows.block(row)
    const bytes = this.heap.bytes(address)
    const from = byteOffset(address)
    for (let i = 0; i < 4; i++) out[at + i] = bytes[from + 7 - i] as number
    for (let i = 0; i < 8; i++) out[at + 4 + i] = bytes[from + 15 - i] as number
    return STORED_KEY
  }

  /** Adds or replaces a row from its stored key and bytes, outside of sessions. */
  putStored(key: Uint8Array, value: Uint8Array): void {
    this.setStoredKey(key)
    const row = this.rows.peek()
    if (!this.by_primary.insert(row)) {
      this.removeStored(key)
      return this.putStored(key, value)
    }
    assert.equal(this.rows.create(CONTENT - 8 + value.length), row)
    const address = this.rows.block(row)
    const bytes = this.heap.bytes(address)
    const to = byteOffset(address)
    for (let i = 0; i < 4; i++) bytes[to + 7 - i] = key[i] as number
    for (let i = 0; i < 8; i++) bytes[to + 15 - i] = key[4 + i] as number
    bytes.set(value, to + CONTENT - 8)
    this.indexOthers(row)
  }

  /** Removes a row, if it exists, by its stored key, outside of sessions. */
  removeStored(key: Uint8Array): void {
    this.setStoredKey(key)
    const row = this.by_primary.find()
    if (row !== NONE) this.remove(row)
  }

  /** Removes a row. The session's undo brings it back under the same number. */
  remove(row: number): void {
    this.unindex(row)
    this.rows.remove(row)
  }

  undoCreate(row: number): void {
    this.unindex(row)
  }

  undoRemove(row: number): void {
    this.index(row)
  }

  abstract undoModify(row: number, from: number, to: number): void

  /**
   * A new row with a block of `size` bytes, in the primary index already.
   * @throws ChainError `std_exception` if the key exists already, as the reference's logic_error
   */
  protected createRow(t_id: number, primary: bigint, size: number): number {
    assert(t_id >= 0 && t_id <= 0xffffffff, 'ids of tables are 32 bits wide here')
    const row = this.rows.peek()
    this.setKey(t_id, primary)
    if (!this.by_primary.insert(row)) refuseDuplicate('insert')
    assert.equal(this.rows.create(size), row)
    return row
  }

  /** Puts the row into every index. */
  protected index(row: number): void {
    this.keyOf(row)
    assert(this.by_primary.insert(row), 'primary keys are unique')
    this.indexOthers(row)
  }

  /** Puts the row into the indices that only some tables have. */
  protected indexOthers(_row: number): void {}

  /** Removes the row from all indices. */
  protected unindex(row: number): void {
    this.keyOf(row)
    this.by_primary.remove(row)
  }

  /** Writes what all rows have into the block at `address`. */
  protected writeHead(address: number, t_id: number, primary: bigint, payer: bigint): void {
    const units = this.heap.units(address)
    const at = unitOffset(address)
    this.heap.words(address)[wordOffset(address) + 1] = t_id
    units[at + 1] = primary
    units[at + 2] = payer
  }

  private setKey(t_id: number, primary: bigint): void {
    const key = this.by_primary.key
    scratchU64[0] = primary
    key[0] = t_id
    key[1] = scratchU32[1] as number
    key[2] = scratchU32[0] as number
  }

  private setStoredKey(stored: Uint8Array): void {
    assert.equal(stored.length, STORED_KEY)
    const key = this.by_primary.key
    for (let i = 0; i < 3; i++) {
      key[i] =
        ((stored[4 * i] as number) << 24) |
        ((stored[4 * i + 1] as number) << 16) |
        ((stored[4 * i + 2] as number) << 8) |
        (stored[4 * i + 3] as number)
    }
  }

  /** Sets the key to that of a row. */
  private keyOf(row: number): void {
    const key = this.by_primary.key
    const address = this.rows.block(row)
    const words = this.heap.words(address)
    const at = wordOffset(address)
    key[0] = words[at + 1] as number
    key[1] = words[at + 3] as number
    key[2] = words[at + 2] as number
  }
}
