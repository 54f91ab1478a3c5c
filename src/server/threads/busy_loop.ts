import { performance } from 'node:perf_hooks'

/** The least time that is looked at: a start and a single large request take less. */
const LEAST_MS = 1000
const BUSY_SHARE = 0.8

/** The event loop of this thread, since its start. */
interface LoopTimes {
  /** Milliseconds. */
  active: number
  idle: number
  turns: number
}

/** Tells whether the event loop of this thread has had little idle time, and its turns were long. */
export class BusyLoop {
  private readonly least_turn_ms: number
  private readonly measure: () => LoopTimes
  private last: LoopTimes

  /** @param least_turn_ms the mean of shorter turns is not busy */
  constructor(least_turn_ms = 0, measure: () => LoopTimes = loopTimes) {
    this.least_turn_ms = least_turn_ms
    this.measure = measure
    this.last = measure()
  }

  /** Whether it was busy since the last look. Looks at times of a second or more. */
  wasBusy(): boolean {
    const now = this.measure()
    const active = now.active - this.last.active
    const all = active + now.idle - this.last.idle
    if (all < LEAST_MS) return false
    const turns = now.turns - this.last.turns
    this.last = now
    return active > BUSY_SHARE * all && active >= this.least_turn_ms * turns
  }
}

function loopTimes(): LoopTimes {
  const { active, idle } = performance.eventLoopUtilization()
  return { active, idle, turns: performance.nodeTiming.uvMetricsInfo.loopCount }
}
