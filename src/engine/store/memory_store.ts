import { ChangeReader } from '../state/changes.ts'
import type { ChangeSet } from '../state/changes.ts'
import type { RowSink, Store, StoreCommit, StoredHead } from './store.ts'

/** A store in memory, for tests and for chains that are not kept. */
export class MemoryStore implements Store {
  head: StoredHead | undefined
  /** Values by table and key in latin1. */
  protected rows = new Map<string, Uint8Array>()
  protected next_ids: readonly (readonly [number, number])[] = []

  commit(commit: StoreCommit): Promise<void> {
    for (const set of commit.changes) {
      const reader = new ChangeReader(set.bytes)
      while (reader.next()) {
        const key = String.fromCharCode(reader.table, ...reader.key())
        const value = reader.value()
        if (value) this.rows.set(key, value.slice())
        else this.rows.delete(key)
      }
      this.next_ids = set.next_ids
    }
    const { block_num, block_id, head } = commit
    this.head = { block_num, block_id: block_id.slice(), head: head.slice() }
    return Promise.resolve()
  }

  fill(head: StoredHead, sets: Iterable<ChangeSet>): Promise<void> {
    return this.commit({ ...head, changes: [...sets] })
  }

  load(sink: RowSink): Promise<number> {
    let views: Uint8Array[] = []
    let bytes = Buffer.alloc(0)
    for (const [key, value] of this.rows) {
      if (key.length > bytes.length) {
        bytes = Buffer.alloc(key.length)
        views = []
      }
      bytes.write(key, 'latin1')
      const view = (views[key.length] ??= bytes.subarray(1, key.length))
      sink.putRow(bytes[0] as number, view, value)
    }
    for (const [table, next_id] of this.next_ids) sink.loadNextId(table, next_id)
    return Promise.resolve(this.rows.size)
  }

  clear(): Promise<void> {
    this.rows.clear()
    this.next_ids = []
    this.head = undefined
    return Promise.resolve()
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}
