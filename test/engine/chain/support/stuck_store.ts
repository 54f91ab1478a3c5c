import { MemoryStore } from '../../../../src/engine/store/memory_store.ts'
import type { Store, StoreCommit } from '../../../../src/engine/store/store.ts'

/** A store whose steps get through only while it is let: as if the process ended before the rest. */
export class StuckStore implements Store {
  private readonly inner: MemoryStore
  private left: number

  constructor(inner: MemoryStore, steps: number) {
    this.inner = inner
    this.left = steps
  }
  get head(): Store['head'] {
    return this.inner.head
  }
  commit(step: StoreCommit): Promise<void> {
    return this.left-- > 0 ? this.inner.commit(step) : new Promise(() => undefined)
  }
  fill(...args: Parameters<Store['fill']>): Promise<void> {
    return this.inner.fill(...args)
  }
  load(sink: Parameters<Store['load']>[0]): Promise<number> {
    return this.inner.load(sink)
  }
  clear(): Promise<void> {
    return this.inner.clear()
  }
  close(): Promise<void> {
    return Promise.resolve()
  }
}
