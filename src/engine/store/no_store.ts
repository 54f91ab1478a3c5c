import type { Store } from './store.ts'

/** A store that keeps nothing, for chains that end with their process. */
export class NoStore implements Store {
  readonly head = undefined
  commit(): Promise<void> {
    return Promise.resolve()
  }
  fill(): Promise<void> {
    return Promise.resolve()
  }
  load(): Promise<number> {
    return Promise.resolve(0)
  }
  clear(): Promise<void> {
    return Promise.resolve()
  }
  close(): Promise<void> {
    return Promise.resolve()
  }
}
