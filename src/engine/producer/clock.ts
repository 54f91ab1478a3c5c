/** The wall clock and its alarms: passed in, so that tests decide what time it is. */
export interface Clock {
  /** Microseconds since 1970. */
  now(): number
  /** Calls back once, at or after `time_us`; the answer cancels it. */
  wakeAt(time_us: number, callback: () => void): () => void
}

/** The clock of the machine. `performance` gives microseconds and never steps back. */
export const systemClock: Clock = {
  now: () => Math.round((performance.timeOrigin + performance.now()) * 1000),
  wakeAt(time_us, callback) {
    const delay_ms = Math.ceil((time_us - systemClock.now()) / 1000)
    if (delay_ms <= 0) {
      // What is due now gets its turn at once; a timer would take another millisecond.
      const immediate = setImmediate(callback)
      return () => clearImmediate(immediate)
    }
    const timer = setTimeout(callback, delay_ms)
    return () => clearTimeout(timer)
  },
}
