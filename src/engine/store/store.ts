import type { ChangeSet } from '../state/changes.ts'

/** The block of the stored rows, and the data with which the chain continues from it. */
export interface StoredHead {
  block_num: number
  block_id: Uint8Array
  /** The chain's own packed head state. */
  head: Uint8Array
}

/** A step of the stored state: all of it is on disk afterwards, or nothing. */
export interface StoreCommit extends StoredHead {
  /** In the order in which they were made. */
  changes: readonly ChangeSet[]
}

/**
 * The receiver of rows at the start: the database. `key` and `value` are views, which it must copy.
 */
export interface RowSink {
  putRow(table: number, key: Uint8Array, value: Uint8Array): void
  removeRow(table: number, key: Uint8Array): void
  loadNextId(table: number, next_id: number): void
}

/** State rows as of the last irreversible block that was committed. */
export interface Store {
  /** Undefined in a new store. */
  readonly head: StoredHead | undefined
  /** Resolves when the step is synced to disk. Calls must not overlap. */
  commit(commit: StoreCommit): Promise<void>
  /**
   * Fills a new store with all rows of a state, which come table by table and in key order as
   * `Database.allRows` gives them. It is a new store until the promise
   * resolves: a crash in between leaves nothing.
   */
  fill(head: StoredHead, sets: Iterable<ChangeSet>): Promise<void>
  /**
   * Passes all rows to `sink`. Later rows replace earlier ones with the same key. Returns the number
   * of rows.
   * @param onProgress is called from time to time with the approximate share that is done; it may throw
   *   to stop the loading
   */
  load(sink: RowSink, onProgress?: (share: number) => void): Promise<number>
  /** Removes everything, before a replay or the loading of a snapshot. */
  clear(): Promise<void>
  /** Ends the work of the store; it cannot be used afterwards. */
  close(): Promise<void>
}
