/** A store in memory that can be copied, and is loaded as it comes: there are many of them. */
import { ChangeReader } from '../../src/engine/state/changes.ts'
import type { ChangeSet } from '../../src/engine/state/changes.ts'
import type { RowSink, Store, StoreCommit, StoredHead } from '../../src/engine/store/store.ts'

interface Row {
  table: number
  key: Uint8Array
  value: Uint8Array
}

export class Rows implements Store {
  head: StoredHead | undefined
  private rows = new Map<string, Row>()
  private next_ids: readonly (readonly [number, number])[] = []

  copy(): Rows {
    const copy = new Rows()
    copy.head = this.head
    copy.rows = new Map(this.rows)
    copy.next_ids = this.next_ids
    return copy
  }

  commit({ changes, block_num, block_id, head }: StoreCommit): Promise<void> {
    for (const set of changes) {
      const reader = new ChangeReader(set.bytes)
      while (reader.next()) {
        const { table } = reader
        const key = reader.key().slice()
        const value = reader.value()
        const name = `${table} ${Buffer.from(key).toString('latin1')}`
        if (value) this.rows.set(name, { table, key, value: value.slice() })
        else this.rows.delete(name)
      }
      this.next_ids = set.next_ids
    }
    this.head = { block_num, block_id: block_id.slice(), head: head.slice() }
    return Promise.resolve()
  }

  fill(head: StoredHead, sets: Iterable<ChangeSet>): Promise<void> {
    return this.commit({ ...head, changes: [...sets] })
  }

  load(sink: RowSink): Promise<number> {
    for (const { table, key, value } of this.rows.values()) sink.putRow(table, key, value)
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
