/**
 * A table of objects.
 *
 * Invariants:
 * - The authoritative row is a packed row in the heap: [size u32][id u64][packed row]. `objects`
 *   has decoded copies of some rows, equal to their bytes except inside `modify`. The copy of a row
 *   is the same object until {@link ObjectTable.trim} drops it, so callers must not keep rows
 *   across blocks.
 * - Every row is in `by_id` and in each declared index under its current key.
 * - During the undo of a session two rows may have the same key, because not every change of a key
 *   has an entry in the undo log. The restored row then gets the key. The other row has an older
 *   entry, which restores its own key: keys were unique at the start of the session, and a row has
 *   its key of that time until its first entry.
 * - Ids grow by one; undoing a creation makes its id the next one again.
 */
import assert from 'node:assert/strict'
import { Writer } from '../protocol/writer.ts'
import { DecodingSpace } from './decoding_space.ts'
import type { Heap } from './heap.ts'
import { byteOffset, wordOffset } from './heap.ts'
import type { IndexDefinition, KeyPrefix } from './index_key.ts'
import { writeKey } from './index_key.ts'
import type { UndoLog, UndoableTable } from './undo_log.ts'
import { ObjectIndex } from './object_index.ts'
import { NONE } from './ordered_index.ts'
import { refuseDuplicate } from './refuse_duplicate.ts'
import type { RowCodec } from './row_codecs.ts'
import { Rows } from './row_numbers.ts'
import { RowWatchers } from './row_watchers.ts'

/** Decoded rows that a table keeps when its cache is trimmed. */
export const CACHED_ROWS = 20_000

/** A live row: the same object for the same row until the caches are trimmed. */
export type Row<T> = T & { readonly id: number }

/** Key values of each index of a table; every table has `by_id`. */
export type IndexKeys = Record<string, readonly unknown[]> & { by_id: readonly [number] }

/** Bytes of a block before the packed row. */
export const CONTENT = 12
/** Places for numbers of rows that were found last; a power of two. */
const FOUND_ROWS = 64
/** Bytes of a stored key: the id, big end first so that bytes sort as ids. */
const STORED_KEY = 8

/**
 * A table of objects with unique ordered indices. All changes are recorded in the undo log.
 * Objects from the table must not be kept over blocks, and change only within `modify`.
 */
export class ObjectTable<T, K extends IndexKeys> implements UndoableTable {
  readonly rows: Rows
  private readonly heap: Heap
  private readonly codec: RowCodec<T>
  private readonly by_id: ObjectIndex<T>
  private readonly others: ObjectIndex<T>[]
  private readonly indices = new Map<keyof K, ObjectIndex<T>>()
  private readonly objects = new Map<number, Row<T>>()
  private readonly writer = new Writer(1024)
  private readonly space: DecodingSpace
  /**
   * Numbers of the rows that were found last, by their ids: rows are mostly changed soon after they were found. Others
   * may have the same place, so `objects` tells whether a number is right.
   */
  private readonly found_numbers = new Uint32Array(FOUND_ROWS)
  private next_row_id = 0
  private modifying = false
  /** The only row, if it is known that there is one. */
  private only: Row<T> | undefined
  readonly watchers = new RowWatchers<Row<T>>()
  /** This table joins this set when it has more than {@link CACHED_ROWS} decoded rows. */
  crowded = new Set<{ trim(limit: number): void }>()

  constructor(
    heap: Heap,
    undo_log: UndoLog,
    codec: RowCodec<T>,
    definitions: Record<string, IndexDefinition<T>>,
  ) {
    this.heap = heap
    this.codec = codec
    this.space = new DecodingSpace(codec.has_views ?? false)
    const by_id: IndexDefinition<T> = { parts: ['uint53'], key: (row) => [row.id] }
    this.by_id = new ObjectIndex(by_id, heap.memory)
    this.rows = new Rows(heap, undo_log)
    this.rows.setTable(undo_log.add(this))
    this.indices.set('by_id', this.by_id)
    for (const [name, definition] of Object.entries(definitions)) {
      this.indices.set(name, new ObjectIndex(definition, heap.memory))
    }
    this.others = [...this.indices.values()].slice(1)
  }

  /** Number of rows. */
  get size(): number {
    return this.by_id.tree.size
  }

  /** Bytes of the indices. */
  get index_bytes(): number {
    return [...this.indices.values()].reduce((sum, { tree }) => sum + tree.bytes, 0)
  }

  /** Id of the next row created. */
  get next_id(): number {
    return this.next_row_id
  }

  /** The row with this id; undefined if there is none. */
  byId(id: number): Row<T> | undefined {
    return this.objectOf(this.numberOf(id))
  }

  /** The row with this id, which must exist. */
  getById(id: number): Row<T> {
    return this.byId(id) ?? assert.fail(`there is no row ${id}`)
  }

  /** The row with exactly this key. */
  find<N extends keyof K>(index: N, ...key: K[N]): Row<T> | undefined {
    const { tree, parts, recent } = this.index(index)
    writeKey(parts, key, tree.key)
    const known = recent.get(tree.key)
    if (known !== undefined) return known
    const row = this.objectOf(tree.find())
    if (row !== undefined) recent.put(tree.key, row)
    return row
  }

  /** The id of the row with exactly this key; the row is not decoded. */
  findId<N extends keyof K>(index: N, ...key: K[N]): number | undefined {
    const { tree, parts } = this.index(index)
    writeKey(parts, key, tree.key)
    const number = tree.find()
    return number === NONE ? undefined : this.idOf(number)
  }

  /** The row with this key, which must exist. */
  get<N extends keyof K>(index: N, ...key: K[N]): Row<T> {
    return this.find(index, ...key) ?? assert.fail(`there is no row with key ${key.join(', ')}`)
  }

  /** The only row of a table that has exactly one. */
  single(): Row<T> {
    return this.only ?? this.findOnly()
  }

  private findOnly(): Row<T> {
    assert.equal(this.size, 1, 'the table has one row')
    return (this.only = this.objectOf(this.by_id.tree.first()) as Row<T>)
  }

  /**
   * Adds a row and answers it: a copy of `fields` with its id.
   * @throws ChainError `std_exception` if a key exists already, as the reference's logic_error
   */
  create(fields: T): Row<T> {
    this.writer.reset()
    this.codec.pack(this.writer, fields)
    const row = this.decode(this.writer.view(), this.next_row_id)
    const number = this.rows.peek()
    this.insertIntoOthers(row, number)
    this.by_id.insert(row, number)
    this.next_row_id++
    assert.equal(this.rows.create(CONTENT + this.writer.length), number)
    this.writeBlock(this.rows.block(number), row.id, this.writer)
    this.cache(number, row)
    this.only = undefined
    this.watchers.added(row)
    return row
  }

  /**
   * Adds a row like {@link create}, for rows that are rarely read again: no decoded copy is kept.
   * @param row gets the id; other fields must not change afterwards
   * @throws ChainError `std_exception` if a key exists already
   */
  add(row: T & { id: number }): void {
    this.writer.reset()
    this.codec.pack(this.writer, row)
    const number = this.rows.peek()
    row.id = this.next_row_id
    this.insertIntoOthers(row, number)
    this.by_id.insert(row, number)
    this.next_row_id++
    assert.equal(this.rows.create(CONTENT + this.writer.length), number)
    this.writeBlock(this.rows.block(number), row.id, this.writer)
    this.forget(number)
    this.only = undefined
    if (this.watchers.areThere) this.watchers.added(this.objectOf(number) as Row<T>)
  }

  /** Adds `count` equal rows to a table that has no index but that of ids, without an object for each. */
  createEqual(fields: T, count: number): void {
    assert(this.others.length === 0 && !this.watchers.areThere, 'only ids are indexed')
    if (count === 0) return
    const { by_id, heap, rows } = this
    const first = rows.block(this.liveNumberOf(this.create(fields)))
    const size = heap.size(first)
    this.only = undefined
    for (let i = 1; i < count; i++) {
      const id = this.next_row_id++
      const number = rows.create(size)
      by_id.insertId(id, number)
      const address = rows.block(number)
      this.writeId(address, id)
      copyWords(heap, first, address)
    }
  }

  /**
   * Changes a row through `change`; if that throws, the row is as before. The answer is the row.
   * @throws ChainError `std_exception` if the new key belongs to another row
   */
  modify(row: Row<T>, change: (row: T) => void): Row<T> {
    const number = this.liveNumberOf(row)
    assert(!this.modifying, 'rows of a table are modified one at a time')
    this.modifying = true
    for (const index of this.others) index.saveKey(row)
    this.watchers.removed(row)
    let changed = false
    try {
      change(row)
      this.checkMoved(row)
      this.writer.reset()
      this.codec.pack(this.writer, row)
      changed = true
    } finally {
      this.modifying = false
      if (!changed) this.refresh(row, this.rows.block(number))
      this.watchers.added(row)
    }
    const to = this.rows.rewrite(number, CONTENT + this.writer.length)
    this.writeBlock(to, row.id, this.writer)
    this.rows.rewritten(number, to)
    for (const index of this.others) index.update(row, number)
    return row
  }

  /**
   * Like {@link modify}, for changes of the fields that the codec calls hot, and no others: the rest of the row is
   * not packed again, and no index is looked at.
   */
  modifyHot(row: Row<T>, change: (row: T) => void): void {
    const number = this.liveNumberOf(row)
    const { codec, heap, rows } = this
    assert(codec.packHot !== undefined && !this.watchers.areThere, 'the row has hot fields')
    const from = rows.block(number)
    let changed = false
    try {
      change(row)
      changed = true
    } finally {
      if (!changed) this.refresh(row, from)
    }
    const size = heap.size(from)
    const to = rows.rewrite(number, size)
    if (to !== from) {
      copyWords(heap, from, to)
      this.writeId(to, row.id)
    }
    codec.packHot(heap.words(to), wordOffset(to) + CONTENT / 4, row)
    rows.rewritten(number, to)
  }

  /** Removes a row; an undo session keeps it until it is decided. */
  remove(row: Row<T>): void {
    const number = this.liveNumberOf(row)
    for (const index of this.indices.values()) index.remove(row, number)
    this.rows.remove(number)
    this.only = undefined
    this.watchers.removed(row)
  }

  /** The first row whose key is not below the prefix. */
  lowerBound<N extends keyof K>(index: N, ...prefix: KeyPrefix<K[N]>): Row<T> | undefined {
    const { tree, parts } = this.index(index)
    writeKey(parts, prefix, tree.key)
    return this.objectOf(tree.lowerBound())
  }

  /** The first row whose key is above every key that starts with the prefix. */
  upperBound<N extends keyof K>(index: N, ...prefix: KeyPrefix<K[N]>): Row<T> | undefined {
    const { tree, parts } = this.index(index)
    writeKey(parts, prefix, tree.key, 0xffffffff)
    return this.objectOf(tree.upperBound())
  }

  /** The first row in the order of an index. */
  first(index: keyof K): Row<T> | undefined {
    return this.objectOf(this.index(index).tree.first())
  }

  /** The last row in the order of an index. */
  last(index: keyof K): Row<T> | undefined {
    return this.objectOf(this.index(index).tree.last())
  }

  /** The row after a row of the table; undefined after the last one. */
  next(index: keyof K, row: Row<T>): Row<T> | undefined {
    return this.objectOf(this.index(index).next(row, this.liveNumberOf(row)))
  }

  /** The row before a row of the table; undefined before the first one. */
  prev(index: keyof K, row: Row<T>): Row<T> | undefined {
    return this.objectOf(this.index(index).prev(row, this.liveNumberOf(row)))
  }

  /**
   * Rows from the first key not below `lower` to the last that is not above `upper` (keys that start
   * with `upper` included), or backwards. The table may change meanwhile, the row just given too.
   */
  *range<N extends keyof K>(
    index: N,
    lower: KeyPrefix<K[N]>,
    upper: KeyPrefix<K[N]>,
    reverse = false,
  ): Generator<Row<T>> {
    const numbers = this.index(index).range(lower, upper, reverse)
    for (const number of numbers) yield this.objectOf(number) as Row<T>
  }

  /** All rows in the order of an index; the table may change during the iteration. */
  *all(index: keyof K = 'by_id', reverse = false): Generator<Row<T>> {
    const numbers = this.index(index).range([], [], reverse)
    for (const number of numbers) yield this.objectOf(number) as Row<T>
  }

  /** Packed rows in the order of ids; each is a view, valid until the next write to the database. */
  *allPacked(): Generator<{ id: number; packed: Uint8Array }> {
    for (const number of this.by_id.range([], [], false)) {
      yield { id: this.idOf(number), packed: this.packedRow(number) }
    }
  }

  /** Row numbers in the order of ids. */
  *numbers(): Generator<number> {
    yield* this.by_id.range([], [], false)
  }

  /** The rows' present blocks in the order of ids. */
  blocks(): Uint32Array {
    return this.rows.blocksOf(this.by_id.tree)
  }

  /** Bytes of a row as `allPacked` and the store have them: a view. */
  stored(number: number): Uint8Array {
    return this.packedRow(number)
  }

  /** Bytes of {@link stored}. */
  storedSize(number: number): number {
    return this.heap.size(this.rows.block(number)) - CONTENT
  }

  /** Writes what {@link stored} has to `out`. */
  copyStored(number: number, out: Uint8Array, at: number): void {
    this.heap.copyTo(out, at, this.rows.block(number), CONTENT)
  }

  /** The same for a row's content in a block, which may be an older one. */
  storedIn(block: number): Uint8Array {
    return this.heap.view(block, CONTENT)
  }

  /** Writes the row's stored key to `out`; also for a row whose removal may still be undone. */
  storedKey(number: number, out: Uint8Array, at: number): number {
    const address = this.rows.block(number)
    const bytes = this.heap.bytes(address)
    const from = byteOffset(address) + 4
    for (let i = 0; i < STORED_KEY; i++) out[at + i] = bytes[from + 7 - i] as number
    return STORED_KEY
  }

  /** Adds or replaces a row from its stored key and bytes, outside of sessions. */
  putStored(key: Uint8Array, value: Uint8Array): void {
    const id = storedId(key)
    if (!this.by_id.tryInsertId(id, this.rows.peek())) {
      this.removeStored(key)
      this.by_id.insertId(id, this.rows.peek())
    }
    const number = this.rows.create(CONTENT + value.length)
    this.putBlock(this.rows.block(number), id, value)
    this.forget(number)
    this.only = undefined
    const { others } = this
    if (others.length === 0) return
    // Only the keys of the row are needed.
    const row = this.decode(value, id)
    for (const index of others) index.insert(row, number)
  }

  /** Removes a row, if it exists, by its stored key, outside of sessions. */
  removeStored(key: Uint8Array): void {
    const row = this.byId(storedId(key))
    if (row !== undefined) this.remove(row)
  }

  /** Sets the id of the next row, after loading rows. */
  loadNextId(next_id: number): void {
    const last = this.last('by_id')
    assert(last === undefined || last.id < next_id, 'ids are below the next id')
    this.next_row_id = next_id
  }

  /** Drops decoded rows beyond `limit`, oldest first: rows that callers still hold become dead. */
  trim(limit: number): void {
    let excess = this.objects.size - limit
    if (excess <= 0) return
    for (const number of this.objects.keys()) {
      if (excess-- <= 0) break
      this.forget(number)
      this.only = undefined
    }
  }

  undoCreate(number: number): void {
    const row = this.objectOf(number) as Row<T>
    for (const index of this.others) index.withdraw(row, number)
    this.by_id.remove(row, number)
    this.forget(number)
    this.only = undefined
    assert.equal(this.next_row_id, row.id + 1)
    this.next_row_id = row.id
    this.watchers.removed(row)
  }

  undoModify(number: number, _from: number, to: number): void {
    const row = this.objects.get(number)
    if (row === undefined && this.others.length === 0) return
    const current = row ?? (this.objectOf(number) as Row<T>)
    for (const index of this.others) index.saveKey(current)
    this.watchers.removed(current)
    this.refresh(current, to)
    this.watchers.added(current)
    for (const index of this.others) index.restoreFromSaved(current, number)
  }

  undoRemove(number: number): void {
    const row = this.objectOf(number) as Row<T>
    this.by_id.insert(row, number)
    this.only = undefined
    for (const index of this.others) index.restore(row, number)
    this.watchers.added(row)
  }

  private index(name: keyof K): ObjectIndex<T> {
    return this.indices.get(name) ?? assert.fail(`there is no index ${String(name)}`)
  }

  private numberOf(id: number): number {
    const { tree } = this.by_id
    tree.key[0] = id / 0x1_0000_0000
    tree.key[1] = id >>> 0
    return tree.find()
  }

  private liveNumberOf(row: Row<T>): number {
    const hint = this.found_numbers[row.id & (FOUND_ROWS - 1)] as number
    // A removed row keeps its object, because an undo may bring it back.
    if (this.objects.get(hint) === row && this.rows.has(hint)) return hint
    const number = this.numberOf(row.id)
    assert(this.objects.get(number) === row, 'the row is the live one')
    return this.found(number, row)
  }

  /** Remembers where a row is. */
  private found(number: number, { id }: Row<T>): number {
    return (this.found_numbers[id & (FOUND_ROWS - 1)] = number)
  }

  private objectOf(number: number): Row<T> | undefined {
    if (number === NONE) return undefined
    const known = this.objects.get(number)
    if (known !== undefined) {
      this.found(number, known)
      return known
    }
    const row = this.unpackBlock(this.rows.block(number)) as T & { id: number }
    row.id = this.idOf(number)
    this.cache(number, row)
    this.found(number, row)
    return row
  }

  private cache(number: number, row: Row<T>): void {
    this.objects.set(number, row)
    if (this.objects.size > CACHED_ROWS) this.crowded.add(this)
  }

  private decode(packed: Uint8Array, id: number): Row<T> {
    const row = this.unpack(packed) as T & { id: number }
    row.id = id
    return row
  }

  /** Sets a decoded row to the content of a block. */
  private refresh(row: Row<T>, address: number): void {
    Object.assign(row as object, this.unpackBlock(address))
  }

  private unpack(packed: Uint8Array): T {
    const { space } = this
    space.reserve(packed.length)
    space.bytes.set(packed, space.at)
    return this.unpackReserved(packed.length)
  }

  private unpackBlock(address: number): T {
    const { heap, space } = this
    const length = heap.size(address) - CONTENT
    space.reserve(length)
    heap.copyTo(space.bytes, space.at, address, CONTENT)
    return this.unpackReserved(length)
  }

  private unpackReserved(length: number): T {
    const { at, reader } = this.space
    reader.pos = at
    const row = this.codec.unpack(reader)
    assert.equal(reader.pos - at, length, 'a row is packed as it is unpacked')
    return row
  }

  /** Adds a new row to all indices except that of ids, or to none. */
  private insertIntoOthers(row: Row<T>, number: number): void {
    const { others } = this
    for (let i = 0; i < others.length; i++) {
      if ((others[i] as ObjectIndex<T>).tryInsert(row, number)) continue
      while (--i >= 0) (others[i] as ObjectIndex<T>).remove(row, number)
      refuseDuplicate('insert')
    }
  }

  private checkMoved(row: Row<T>): void {
    for (const index of this.others) {
      if (index.hasMoved(row) && index.tree.find() !== NONE) refuseDuplicate('modify')
    }
  }

  /** Drops the decoded copy of a row, if there is one. */
  private forget(number: number): void {
    if (!this.objects.delete(number)) return
    for (const { recent } of this.indices.values()) recent.clear()
  }

  private packedRow(number: number): Uint8Array {
    return this.heap.view(this.rows.block(number), CONTENT)
  }

  private idOf(number: number): number {
    const address = this.rows.block(number)
    const words = this.heap.words(address)
    const at = wordOffset(address)
    return (words[at + 2] as number) * 0x1_0000_0000 + (words[at + 1] as number)
  }

  private writeBlock(address: number, id: number, writer: Writer): void {
    this.writeId(address, id)
    writer.copyTo(this.heap.bytes(address), byteOffset(address) + CONTENT)
  }

  private putBlock(address: number, id: number, packed: Uint8Array): void {
    this.writeId(address, id)
    this.heap.bytes(address).set(packed, byteOffset(address) + CONTENT)
  }

  private writeId(address: number, id: number): void {
    const words = this.heap.words(address)
    const at = wordOffset(address)
    words[at + 1] = id >>> 0
    words[at + 2] = id / 0x1_0000_0000
  }
}

/** Copies the packed row of a block to another block of the same size. */
function copyWords(heap: Heap, from: number, to: number): void {
  const words = heap.words(to)
  const old_words = heap.words(from)
  const at = wordOffset(to)
  const old = wordOffset(from)
  const end = (heap.size(from) + 3) >>> 2
  for (let i = CONTENT / 4; i < end; i++) words[at + i] = old_words[old + i] as number
}

function storedId(key: Uint8Array): number {
  assert(key.length === STORED_KEY, 'a stored key has eight bytes')
  return wordAt(key, 0) * 0x1_0000_0000 + wordAt(key, 4)
}

/** An u32, big end first. */
function wordAt(bytes: Uint8Array, at: number): number {
  let word = 0
  for (let i = at; i < at + 4; i++) word = (word << 8) | (bytes[i] as number)
  return word >>> 0
}
