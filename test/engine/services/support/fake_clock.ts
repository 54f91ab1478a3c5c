import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../../../../src/engine/clock.ts'

interface Alarm {
  time_us: number
  callback: () => void
}

/** A clock that a test moves; each look at it takes `look_us`, so that work takes time. */
export class FakeClock implements Clock {
  time_us: number
  look_us = 0
  private alarms: Alarm[] = []

  constructor(time_us: number) {
    this.time_us = time_us
  }

  now(): number {
    this.time_us += this.look_us
    return this.time_us
  }

  wakeAt(time_us: number, callback: () => void): () => void {
    const alarm = { time_us, callback }
    this.alarms.push(alarm)
    return () => {
      this.alarms = this.alarms.filter((other) => other !== alarm)
    }
  }

  get next_alarm_us(): number {
    return Math.min(...this.alarms.map((alarm) => alarm.time_us))
  }

  /** Lets `passed_us` go by, and everything happen in it that is due. */
  async pass(passed_us: number): Promise<void> {
    const end_us = this.time_us + passed_us
    await turn()
    while (this.next_alarm_us <= end_us) {
      const [first] = this.alarms.sort((a, b) => a.time_us - b.time_us)
      this.alarms.shift()
      this.time_us = Math.max(this.time_us, first!.time_us)
      first!.callback()
      // What waits for a promise goes on.
      await turn()
    }
    this.time_us = Math.max(this.time_us, end_us)
  }
}
