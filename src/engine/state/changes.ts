import assert from 'node:assert/strict'

/**
 * What a session changed, packed: rows with their new bytes, removed rows, and the next ids of the
 * object tables. It is independent of the database and of row numbers, so it may wait until its
 * block is irreversible; applied in order, change sets give the state.
 */
export interface ChangeSet {
  /** Number of records in `bytes`. */
  readonly count: number
  /** Records: table u8, key length u8, key, then u32 size + 1 (0 = removed), bytes. */
  readonly bytes: Uint8Array
  /** `[table number, next id]` of every object table. */
  readonly next_ids: readonly (readonly [number, number])[]
}

/** A table as a source of changes: its number in the store and the stored form of its rows. */
export interface ChangeSource {
  readonly number: number
  readonly table: {
    readonly rows: { has(row: number): boolean }
    storedKey(row: number, out: Uint8Array, at: number): number
    stored(row: number): Uint8Array
  }
}

const MAX_KEY = 16

/** Collects records for a ChangeSet; the buffer is used again and again. */
export class ChangeWriter {
  private data = new Uint8Array(1 << 16)
  private pos = 0
  private records = 0

  /** Appends the row's present bytes, or its removal. */
  add(source: ChangeSource, row: number): void {
    const alive = source.table.rows.has(row)
    const value = alive ? source.table.stored(row) : undefined
    const size = value?.length ?? 0
    this.reserve(2 + MAX_KEY + 4 + size)
    const key_length = source.table.storedKey(row, this.data, this.pos + 2)
    this.data[this.pos] = source.number
    this.data[this.pos + 1] = key_length
    this.pos += 2 + key_length
    this.u32(value === undefined ? 0 : size + 1)
    if (value !== undefined) this.data.set(value, this.pos)
    this.pos += size
    this.records++
  }

  /** What was added, as a copy; begins anew. */
  finish(next_ids: ChangeSet['next_ids']): ChangeSet {
    const set = { count: this.records, bytes: this.data.slice(0, this.pos), next_ids }
    this.pos = 0
    this.records = 0
    return set
  }

  private u32(value: number): void {
    for (let i = 0; i < 4; i++) this.data[this.pos++] = value >>> (8 * i)
  }

  private reserve(bytes: number): void {
    const needed = this.pos + bytes
    if (needed <= this.data.length) return
    const grown = new Uint8Array(Math.max(needed, this.data.length * 2))
    grown.set(this.data.subarray(0, this.pos))
    this.data = grown
  }
}

/** Calls `visit` for each record in order, with views of key and value; no value = removed. */
export function eachChange(
  set: ChangeSet,
  visit: (table: number, key: Uint8Array, value: Uint8Array | undefined) => void,
): void {
  const { bytes } = set
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let pos = 0
  for (let i = 0; i < set.count; i++) {
    const table = bytes[pos] as number
    const key_end = pos + 2 + (bytes[pos + 1] as number)
    const key = bytes.subarray(pos + 2, key_end)
    const size = view.getUint32(key_end, true)
    pos = key_end + 4
    if (size === 0) visit(table, key, undefined)
    else {
      visit(table, key, bytes.subarray(pos, pos + size - 1))
      pos += size - 1
    }
  }
  assert.equal(pos, bytes.length)
}
