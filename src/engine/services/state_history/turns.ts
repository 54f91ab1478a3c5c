/** Microseconds that readers get before other tasks come. */
const TURN_US = 4000

/**
 * Pieces of work for readers, first come, first served: as many at a time as take 4 ms. So readers that are many and
 * fast do not hold back the chain, which runs on the same thread.
 */
export class Turns {
  private readonly now: () => number
  private waiting: (() => void)[] = []
  private is_due = false

  /** @param now microseconds */
  constructor(now: () => number) {
    this.now = now
  }

  /** Does a piece of work when it is its turn; resolves with its result. @throws its error */
  take<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.waiting.push(() => {
        try {
          resolve(work())
        } catch (error) {
          reject(error as Error)
        }
      })
      this.schedule()
    })
  }

  private schedule(): void {
    if (this.is_due) return
    this.is_due = true
    setImmediate(() => this.run())
  }

  private run(): void {
    this.is_due = false
    const end = this.now() + TURN_US
    let done = 0
    for (const work of this.waiting) {
      work()
      done++
      if (this.now() >= end) break
    }
    this.waiting = this.waiting.slice(done)
    if (this.waiting.length > 0) this.schedule()
  }
}
