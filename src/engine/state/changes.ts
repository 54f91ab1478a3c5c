/**
 * The changes of a session in packed form: rows with their new bytes and removed rows. They are
 * independent of the database and of row numbers, so they may wait until their block is
 * irreversible. Applying all change sets in order gives the state.
 */
export interface ChangeSet {
  /** Number of records in `bytes`. */
  readonly count: number
  /** Records: table u8, key length u8, key, u32 size + 1 (0 = removed), bytes. */
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
    storedSize(row: number): number
    copyStored(row: number, out: Uint8Array, at: number): void
  }
}

/** No stored key is longer; bytes. */
export const MAX_KEY = 16

const FIRST_BYTES = 1 << 16
/** A buffer that a session made longer, as the rows of a new chain do, is usually not needed again. */
const MOST_KEPT_BYTES = 1 << 20

/** Collects records for a ChangeSet; the buffer is used again and again. */
export class ChangeWriter {
  private data = new Uint8Array(FIRST_BYTES)
  private pos = 0
  private records = 0
  private readonly most_kept: number

  /** @param most_kept a buffer of more bytes is dropped after its set */
  constructor(most_kept = MOST_KEPT_BYTES) {
    this.most_kept = most_kept
  }

  /** Bytes of the buffer. */
  get bytes(): number {
    return this.data.length
  }

  /** Appends the row's present bytes, or its removal. */
  add(source: ChangeSource, row: number): void {
    const { table } = source
    const size = table.rows.has(row) ? table.storedSize(row) + 1 : 0
    this.reserve(2 + MAX_KEY + 4 + size)
    const { data } = this
    const key_end = this.pos + 2 + table.storedKey(row, data, this.pos + 2)
    data[this.pos] = source.number
    data[this.pos + 1] = key_end - this.pos - 2
    for (let i = 0; i < 4; i++) data[key_end + i] = size >>> (8 * i)
    this.pos = key_end + 4
    if (size > 0) {
      table.copyStored(row, data, this.pos)
      this.pos += size - 1
    }
    this.records++
  }

  /** Returns a copy of what was added, and empties the collection. */
  finish(next_ids: ChangeSet['next_ids']): ChangeSet {
    const set = { count: this.records, bytes: this.data.slice(0, this.pos), next_ids }
    this.pos = 0
    this.records = 0
    if (this.data.length > this.most_kept) this.data = new Uint8Array(FIRST_BYTES)
    return set
  }

  private reserve(bytes: number): void {
    const needed = this.pos + bytes
    if (needed <= this.data.length) return
    const grown = new Uint8Array(Math.max(needed, this.data.length * 2))
    grown.set(this.data.subarray(0, this.pos))
    this.data = grown
  }
}

/** A cursor over packed records. Bytes come from our own files, so they are checked as such. */
export class ChangeReader {
  /** The start and the end of the current record. */
  start = 0
  end = 0
  table = 0
  private key_end = 0
  private readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /**
   * Moves to the next record; false at the end.
   * @throws RangeError the bytes are cut off
   */
  next(): boolean {
    const { bytes } = this
    const start = this.end
    if (start === bytes.length) return false
    const key_end = start + 2 + (bytes[start + 1] as number)
    let size = 0
    for (let i = 3; i >= 0; i--) size = size * 256 + (bytes[key_end + i] as number)
    const end = key_end + 4 + (size === 0 ? 0 : size - 1)
    if (!(end <= bytes.length)) throw new RangeError('packed changes are cut off')
    this.start = start
    this.table = bytes[start] as number
    this.key_end = key_end
    this.end = end
    return true
  }

  /** A view. */
  key(): Uint8Array {
    return this.bytes.subarray(this.start + 2, this.key_end)
  }

  /** A view; undefined = removed. */
  value(): Uint8Array | undefined {
    const { bytes, key_end } = this
    const at = key_end + 4
    const removed =
      bytes[key_end] === 0 &&
      bytes[key_end + 1] === 0 &&
      bytes[key_end + 2] === 0 &&
      bytes[key_end + 3] === 0
    return removed ? undefined : bytes.subarray(at, this.end)
  }

  /** The whole record: a view. */
  record(): Uint8Array {
    return this.bytes.subarray(this.start, this.end)
  }
}
