/** Callers that continue in one turn of the event loop, if few more wait. */
const AT_ONCE = 4
/** The part of the waiting callers that continues in one turn, so that long turns make none wait for many turns. */
const PART = 8

/**
 * Spreads work over turns of the event loop. Keys of many transactions are recovered at the same time. If all of these
 * were executed in one turn, what arrives meanwhile would be read only afterwards, and the threads that recover keys
 * would have no work until then.
 */
export class Turns {
  private readonly waiting: (() => void)[] = []
  /** How many more callers may continue in this turn. */
  private room = AT_ONCE
  private is_scheduled = false

  /** Resolves when the caller may continue; callers continue in their order. */
  next(): Promise<void> {
    if (!this.is_scheduled) {
      this.is_scheduled = true
      setImmediate(() => this.begin())
    }
    if (this.room > 0) {
      this.room--
      return Promise.resolve()
    }
    return new Promise((resolve) => this.waiting.push(resolve))
  }

  /** A new turn. */
  private begin(): void {
    const count = Math.max(AT_ONCE, Math.ceil(this.waiting.length / PART))
    const continuing = this.waiting.splice(0, count)
    this.room = Math.max(0, AT_ONCE - continuing.length)
    this.is_scheduled = continuing.length > 0
    if (this.is_scheduled) setImmediate(() => this.begin())
    for (const resume of continuing) resume()
  }
}
