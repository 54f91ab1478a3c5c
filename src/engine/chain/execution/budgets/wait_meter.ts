/** Readings up to this old are taken for new: a reading takes 4 µs, a small transaction 30. */
const FRESH_US = 250

/** A reading of the waits takes less; if it took longer, the thread has waited again. */
const READING_US = 100
const MAX_READINGS = 4

/**
 * The time after a reading of the waits, which is repeated if the thread has waited since: that would be billed. Often
 * a thread has to wait when the system calls of a reading end.
 * @param read gets the time before
 */
export function clockAfter(clock: () => number, read: (now: number) => void): number {
  let now = clock()
  for (let reading = 0; reading < MAX_READINGS; reading++) {
    read(now)
    const before = now
    now = clock()
    if (now - before <= READING_US) break
  }
  return now
}

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

  /** The time now, up to which the waits are known. */
  now(clock: () => number): number {
    const now = clock()
    return this.isFresh(now) ? now : clockAfter(clock, (at) => this.read(at))
  }

  /** No less than the waits up to `now`, and more by 250 µs at most. */
  upTo(now: number): number {
    return this.isFresh(now) ? this.waited_us + now - this.read_at_us : this.read(now)
  }

  private isFresh(now: number): boolean {
    const age_us = now - this.read_at_us
    // A clock that a test set back makes no reading new.
    return age_us >= 0 && age_us <= FRESH_US
  }
}
