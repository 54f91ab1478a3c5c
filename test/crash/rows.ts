import { MemoryStore } from '../../src/engine/store/memory_store.ts'

/** A store in memory that can be copied, as a disk can. */
export class Rows extends MemoryStore {
  copy(): Rows {
    const copy = new Rows()
    copy.head = this.head
    copy.rows = new Map(this.rows)
    copy.next_ids = this.next_ids
    return copy
  }
}
