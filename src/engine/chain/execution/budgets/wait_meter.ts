/** Readings up to this old are taken for new: a reading takes 4 µs, a small transaction 30. */
const FRESH_US = 250

/**
 * Measures how long the thread waited for a processor, with as few system calls as possible. All
 * times in microseconds.
 */
export class WaitMeter {
  private readonly source: () => number
  private waited_us = 0
  private read_at_us = -Infinity

  /** @param source the thread's waits so far, to some microseconds */
  constructor(source: () => number) {
    this.source = source
  }

  /** The waits up to now. */
  read(now: number): number {
    this.read_at_us = now
    return (this.waited_us = this.source())
  }

  /** No less than the waits up to `now`, and more by 250 µs at most. */
  upTo(now: number): number {
    const age_us = now - this.read_at_us
    // A clock that a test set back makes no reading new.
    return age_us >= 0 && age_us <= FRESH_US ? this.waited_us + age_us : this.read(now)
  }
}
