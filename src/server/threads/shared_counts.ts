/** Numbers that several threads of the server share. */
import { routes } from '../../../generated/routes.ts'
import type { RequestCounter } from '../metrics.ts'

const PATHS = Object.keys(routes)

/** Counts of one HTTP thread, by path. */
export class SharedCounts {
  private readonly counts: Float64Array<SharedArrayBuffer>

  constructor(buffer = new SharedArrayBuffer(8 * PATHS.length)) {
    this.counts = new Float64Array(buffer)
  }

  /** The counts, for another thread's {@link SharedCounts}. */
  get buffer(): SharedArrayBuffer {
    return this.counts.buffer
  }

  /** The counter of a path, which one thread alone changes. */
  counter(path: string): RequestCounter {
    const { counts } = this
    const at = PATHS.indexOf(path)
    return {
      get count() {
        return counts[at] as number
      },
      set count(count: number) {
        counts[at] = count
      },
    }
  }

  /** The counts by path. */
  entries(): [path: string, count: number][] {
    return PATHS.map((path, at) => [path, this.counts[at] as number])
  }
}

/** The number of open connections of one address, on all threads. */
export class OpenCount {
  private readonly words: Int32Array<SharedArrayBuffer>

  constructor(buffer = new SharedArrayBuffer(4)) {
    this.words = new Int32Array(buffer)
  }

  /** The count, for another thread's {@link OpenCount}. */
  get buffer(): SharedArrayBuffer {
    return this.words.buffer
  }

  /** Number of open connections. */
  get value(): number {
    return Atomics.load(this.words, 0)
  }

  /** Changes the number by this much, which may be negative. */
  add(connections: number): void {
    Atomics.add(this.words, 0, connections)
  }
}
