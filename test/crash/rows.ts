import { ChangeReader, type ChangeSet } from '../../src/engine/state/changes.ts'
import type { RowSink, Store, StoreCommit, StoredHead } from '../../src/engine/store/store.ts'

/** A store in memory that can be copied at once, as a disk can: it keeps the changes, and applies them when it is read. */
export class Rows implements Store {
  head: StoredHead | undefined
  private sets: ChangeSet[] = []

  copy(): Rows {
    const copy = new Rows()
    copy.head = this.head
    copy.sets = [...this.sets]
    return copy
  }

  commit({ changes, block_num, block_id, head }: StoreCommit): Promise<void> {
    for (const set of changes) this.sets.push({ ...set, bytes: set.bytes.slice() })
    this.head = { block_num, block_id: block_id.slice(), head: head.slice() }
    return Promise.resolve()
  }

  fill(head: StoredHead, sets: Iterable<ChangeSet>): Promise<void> {
    return this.commit({ ...head, changes: [...sets] })
  }

  load(sink: RowSink): Promise<number> {
    let count = 0
    for (const { bytes } of this.sets) {
      const reader = new ChangeReader(bytes)
      while (reader.next()) {
        count++
        const value = reader.value()
        if (value) sink.putRow(reader.table, reader.key(), value)
        else sink.removeRow(reader.table, reader.key())
      }
    }
    for (const [table, next_id] of this.sets.at(-1)?.next_ids ?? []) {
      sink.loadNextId(table, next_id)
    }
    return Promise.resolve(count)
  }

  clear(): Promise<void> {
    this.sets = []
    this.head = undefined
    return Promise.resolve()
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}
