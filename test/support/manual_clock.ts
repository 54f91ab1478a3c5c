import { systemClock, type Clock } from '../../src/engine/index.ts'

/**
 * Time that passes when a test says so: looks at the clock are a microsecond each, and {@link fire}
 * jumps to the next alarm. A node with this clock stands still in the middle of a block.
 */
export class ManualClock implements Clock {
  private time_us = systemClock.now()
  private alarms: { time_us: number; callback: () => void }[] = []

  now(): number {
    return ++this.time_us
  }

  wakeAt(time_us: number, callback: () => void): () => void {
    const alarm = { time_us, callback }
    this.alarms.push(alarm)
    return () => {
      this.alarms = this.alarms.filter((other) => other !== alarm)
    }
  }

  /** Lets the earliest alarm go off, if there is one. */
  fire(): void {
    const [first] = this.alarms.toSorted((a, b) => a.time_us - b.time_us)
    if (!first) return
    this.alarms = this.alarms.filter((other) => other !== first)
    this.time_us = Math.max(this.time_us, first.time_us)
    first.callback()
  }
}
