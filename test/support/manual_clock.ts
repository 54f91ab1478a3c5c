import { systemClock, type Clock } from '../../src/engine/index.ts'

/**
 * Time that passes when a test says so: looks at the clock are a microsecond each, and {@link fire}
 * jumps to the next alarm. A node with this clock stands still in the middle of a block.
 */
export class ManualClock implements Clock {
  private time_us: number
  private readonly look_us: number
  private alarms: { time_us: number; callback: () => void }[] = []

  /** @param look_us how much a look at the clock lets pass */
  constructor(time_us = systemClock.now(), look_us = 1) {
    this.time_us = time_us
    this.look_us = look_us
  }

  now(): number {
    return (this.time_us += this.look_us)
  }

  wakeAt(time_us: number, callback: () => void): () => void {
    const alarm = { time_us, callback }
    this.alarms.push(alarm)
    return () => {
      this.alarms = this.alarms.filter((other) => other !== alarm)
    }
  }

  /** Lets the earliest alarm go off, if there is one up to `until_us`; false: there is none. */
  fire(until_us = Infinity): boolean {
    const [first] = this.alarms.toSorted((a, b) => a.time_us - b.time_us)
    if (!first || first.time_us > until_us) return false
    this.alarms = this.alarms.filter((other) => other !== first)
    this.time_us = Math.max(this.time_us, first.time_us)
    first.callback()
    return true
  }

  /** Makes it that time, whatever alarms are there. */
  set(time_us: number): void {
    this.time_us = time_us
  }
}
