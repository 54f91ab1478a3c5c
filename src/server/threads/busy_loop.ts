import { performance } from 'node:perf_hooks'

/** The least time that is looked at: a start and a single large request take less. */
const LEAST_MS = 1000
const BUSY_SHARE = 0.8

/** Milliseconds of the event loop of this thread, since its start. */
interface LoopTimes {
  active: number
  idle: number
}

/** Tells whether the event loop of this thread has had little idle time. */
export class BusyLoop {
  private readonly measure: () => LoopTimes
  private last: LoopTimes

  constructor(measure: () => LoopTimes = () => performance.eventLoopUtilization()) {
    this.measure = measure
    this.last = measure()
  }

  /** Whether it was busy since the last look. Looks at times of a second or more. */
  wasBusy(): boolean {
    const now = this.measure()
    const active = now.active - this.last.active
    const all = active + now.idle - this.last.idle
    if (all < LEAST_MS) return false
    this.last = now
    return active > BUSY_SHARE * all
  }
}
