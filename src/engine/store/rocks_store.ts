/**
 * The state store in RocksDB.
 *
 * A commit writes its packed change sets as they are (segments) and the head in one synced batch, so
 * a step costs no work per row. When segments become many they are merged into pages in the
 * background. Loading reads the pages, then applies the segments that are left.
 *
 * Invariants:
 * - Pages and then segments in the order of their numbers give the state at the head. Without a head
 *   record there is no state.
 * - The check has the head, all pages and all segments; each batch writes it. The numbers of the segments
 *   have no gap.
 * - Segments that are merged are removed only after all of their pages are written; merging them once
 *   more changes nothing, so a crash in between is harmless.
 */
import assert from 'node:assert/strict'
import { fail } from '../errors.ts'
import { ChangeReader } from '../state/changes.ts'
import type { ChangeSet } from '../state/changes.ts'
import { CheckedRecords } from './checked_records.ts'
import { LatestChanges, mergeIntoPages } from './compaction.ts'
import { ContentsCheck } from './contents_check.ts'
import type { RecordChange } from './contents_check.ts'
import * as layout from './layout.ts'
import type { HeadRecord } from './layout.ts'
import { PageFiller } from './page_filler.ts'
import { PageDirectory } from './pages.ts'
import { Rocks, asBuffer, oldStateText } from './rocks.ts'
import type { RowSink, Store, StoreCommit, StoredHead } from './store.ts'

/** Options of the store. */
export interface RocksStoreOptions {
  /** Segments are merged beyond this many bytes. Default 16 MiB, or a quarter of the pages. */
  segment_bytes?: number
}

const MIN_SEGMENT_BYTES = 16 << 20
const MAX_SEGMENT_BYTES = 64 << 20
/** A typical page, to guess how large the state is. */
const PAGE_BYTES = 5000

/**
 * The state store in RocksDB. Each commit is one atomic, synced batch; after a crash, the store has
 * the state of the last complete commit.
 */
export class RocksStore implements Store {
  private readonly rocks: Rocks
  private readonly records: CheckedRecords
  private readonly options: RocksStoreOptions
  private readonly directory = new PageDirectory()
  private record: HeadRecord | undefined
  /** The head as it is stored. */
  private packed_head: Buffer | undefined
  /** Whether the directory is known: the store is new, or was loaded. */
  private ready: boolean
  private next_segment = 0
  private segment_bytes = 0
  private compaction: Promise<void> | undefined
  private closing = false
  private failure: { error: unknown } | undefined

  private constructor(rocks: Rocks, options: RocksStoreOptions, head: Buffer | undefined) {
    this.rocks = rocks
    this.records = new CheckedRecords(rocks)
    this.options = options
    this.packed_head = head
    this.record = head && layout.unpackHead(head)
    this.ready = head === undefined
  }

  /**
   * Opens the store in a folder, or makes one.
   * @throws ChainError `database_exception` when it is in use, damaged or not readable;
   *   `bad_database_version_exception` when a newer program wrote it
   */
  static async open(folder: string, options: RocksStoreOptions = {}): Promise<RocksStore> {
    const rocks = await Rocks.open(folder)
    try {
      const [version, head] = await rocks.getMany([layout.VERSION_KEY, layout.HEAD_KEY])
      if (version !== undefined) checkVersion(folder, version.readUInt32LE(0))
      if (head === undefined) await empty(rocks)
      return new RocksStore(rocks, options, head)
    } catch (error) {
      await rocks.close()
      throw error
    }
  }

  get head(): StoredHead | undefined {
    return this.record
  }

  async commit(commit: StoreCommit): Promise<void> {
    this.check()
    assert(this.ready, 'a store is loaded before it is written')
    const changes: RecordChange[] = []
    let bytes = 0
    let sequence = this.next_segment
    for (const set of commit.changes) {
      if (set.count === 0) continue
      changes.push({ key: layout.segmentKey(sequence++), value: asBuffer(set.bytes) })
      bytes += set.bytes.length
    }
    const { block_num, block_id, head } = commit
    const next_ids = commit.changes.at(-1)?.next_ids ?? this.record?.next_ids ?? []
    const record = { block_num, block_id, head, next_ids }
    const packed_head = layout.packHead(record)
    changes.push({ key: layout.HEAD_KEY, value: packed_head, before: this.packed_head })
    await this.records.write(changes, true)
    this.record = record
    this.packed_head = packed_head
    this.next_segment = sequence
    this.segment_bytes += bytes
    await this.compactIfNeeded()
  }

  async fill(head: StoredHead, sets: Iterable<ChangeSet>): Promise<void> {
    this.check()
    assert(this.record === undefined && this.next_segment === 0, 'a new store is filled')
    let next_ids: ChangeSet['next_ids'] = []
    // Nothing counts as stored before the head is, so nothing is synced before.
    const filler = new PageFiller(this.records, this.directory)
    for (const set of sets) {
      await filler.add(set.bytes)
      next_ids = set.next_ids
    }
    await filler.end()
    await this.commit({ ...head, changes: [{ count: 0, bytes: new Uint8Array(0), next_ids }] })
  }

  /** @throws ChainError `database_exception` when the records are not those that were written */
  async load(sink: RowSink, onProgress?: (share: number) => void): Promise<number> {
    this.check()
    assert.equal(this.compaction, undefined, 'a store is loaded before it is written')
    this.directory.clear()
    this.segment_bytes = 0
    let rows = 0
    let records = 0
    let failure: unknown
    const all = await this.rocks.estimatedRecords()
    const found = new ContentsCheck()
    if (this.packed_head) found.add(layout.HEAD_KEY, this.packed_head)
    const take = (key: Buffer, value: Buffer): void => {
      onProgress?.(Math.min(1, ++records / all))
      found.add(key, value)
      if (failure !== undefined) return
      try {
        rows += putRecords(sink, value)
      } catch (error) {
        failure = error
      }
    }
    await this.records.each(layout.PAGES, (key, value) => {
      const { table, bound } = layout.parsePageKey(key)
      this.directory.add(table, bound)
      take(key, value)
    })
    await this.records.each(layout.SEGMENTS, (key, value) => {
      this.next_segment = layout.parseSegmentKey(key) + 1
      this.segment_bytes += value.length
      take(key, value)
    })
    if (this.record) await this.records.confirm(found)
    // The records are as they were written, so this is not damage of the store.
    if (failure !== undefined) throw failure as Error
    for (const [table, next_id] of this.record?.next_ids ?? []) sink.loadNextId(table, next_id)
    this.ready = true
    return rows
  }

  async clear(): Promise<void> {
    await this.stopCompaction()
    this.check()
    await empty(this.rocks)
    await this.records.confirm(new ContentsCheck())
    this.directory.clear()
    this.record = undefined
    this.packed_head = undefined
    this.ready = true
    this.next_segment = 0
    this.segment_bytes = 0
    this.closing = false
  }

  async close(): Promise<void> {
    await this.stopCompaction()
    await this.rocks.close()
  }

  /** Merges all segments into pages and resolves when that is done. */
  async merged(): Promise<void> {
    await this.compaction
    this.check()
    if (this.segment_bytes > 0) this.startCompaction()
    await this.compaction
    this.check()
  }

  private check(): void {
    if (this.failure) throw this.failure.error
  }

  private async stopCompaction(): Promise<void> {
    this.closing = true
    await this.compaction
  }

  /** Starts merging when there is much to merge; waits when merging falls far behind. */
  private async compactIfNeeded(): Promise<void> {
    const quarter = (this.directory.size * PAGE_BYTES) / 4
    const limit =
      this.options.segment_bytes ??
      Math.min(Math.max(MIN_SEGMENT_BYTES, quarter), MAX_SEGMENT_BYTES)
    if (this.segment_bytes < limit) return
    if (this.compaction) {
      if (this.segment_bytes > 4 * limit) await this.compaction
      return
    }
    this.startCompaction()
  }

  private startCompaction(): void {
    this.compaction = this.compact()
      .catch((error: unknown) => {
        this.failure = { error }
      })
      .finally(() => {
        this.compaction = undefined
      })
  }

  private async compact(): Promise<void> {
    const end = this.next_segment
    const changes = new LatestChanges()
    const removals: RecordChange[] = []
    let bytes = 0
    const bounds = { ...layout.SEGMENTS, lt: layout.segmentKey(end) }
    await this.records.each(bounds, (key, value) => {
      changes.add(value)
      removals.push({ key, before: value })
      bytes += value.length
    })
    const stopped = (): boolean => this.closing
    if (!(await mergeIntoPages(this.records, this.directory, changes, stopped))) return
    await this.records.write(removals, true)
    this.segment_bytes -= bytes
  }
}

function putRecords(sink: RowSink, bytes: Uint8Array): number {
  const reader = new ChangeReader(bytes)
  let count = 0
  while (reader.next()) {
    const value = reader.value()
    if (value) sink.putRow(reader.table, reader.key(), value)
    else sink.removeRow(reader.table, reader.key())
    count++
  }
  return count
}

/**
 * Removes everything. The head is removed first: records without a head are the rest of an
 * interrupted removal, and a new store has none.
 */
async function empty(rocks: Rocks): Promise<void> {
  await rocks.batch([{ type: 'del', key: layout.HEAD_KEY }], true)
  await rocks.clear()
  await rocks.batch(
    [
      { type: 'put', key: layout.VERSION_KEY, value: layout.packVersion(layout.STORE_VERSION) },
      { type: 'put', key: layout.CHECK_KEY, value: new ContentsCheck().pack() },
    ],
    true,
  )
}

function checkVersion(folder: string, version: number): void {
  if (version === layout.STORE_VERSION) return
  fail(
    'bad_database_version_exception',
    version > layout.STORE_VERSION
      ? `the state in ${folder} has version ${version}, written by a newer program; this one reads version ${layout.STORE_VERSION}`
      : oldStateText(folder),
  )
}
