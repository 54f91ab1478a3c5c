import type { ChangeSet } from '../state/changes.ts'

/** The block that stored rows are at, and what the chain needs to go on from it. */
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

/** What takes rows at the start: the database. `key` and `value` are views, to be copied. */
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
  /** Gives all rows; later ones replace earlier ones with the same key. Answers how many were given.
   *  @param heard hears now and then which share about was given; it may throw to end the work */
  load(sink: RowSink, heard?: (share: number) => void): Promise<number>
  /** Removes everything, to begin anew (replay, snapshot). */
  clear(): Promise<void>
  /** Ends the work of the store; it cannot be used afterwards. */
  close(): Promise<void>
}
