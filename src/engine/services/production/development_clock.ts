import type { Clock } from '../../clock.ts'

interface Alarm {
  readonly time_us: number
  readonly callback: () => void
  cancel: () => void
}

/**
 * A clock that runs as another one does, ahead of it by what it was moved. For development chains, whose blocks may
 * be ahead of the machine's time. It goes back only when the chain goes back to a checkpoint.
 */
export class DevelopmentClock implements Clock {
  private readonly base: Clock
  private offset_us_ = 0
  private readonly alarms = new Set<Alarm>()
  /** Alarms were set before the clock was moved. */
  private is_moved = false
  readonly waited?: () => number

  constructor(base: Clock) {
    this.base = base
    if (base.waited) this.waited = () => base.waited!()
  }

  now(): number {
    return this.base.now() + this.offset_us_
  }

  /** How far it is ahead of the other clock; microseconds. */
  get offset_us(): number {
    return this.offset_us_
  }

  wakeAt(time_us: number, callback: () => void): () => void {
    const alarm: Alarm = { time_us, callback, cancel: () => {} }
    this.alarms.add(alarm)
    this.set(alarm)
    return () => {
      this.alarms.delete(alarm)
      alarm.cancel()
    }
  }

  /** Makes it that time, unless it is later already. Alarms that are due then go off in their own tasks. */
  advanceTo(time_us: number): void {
    const missing_us = time_us - this.now()
    if (missing_us > 0) this.shift(missing_us)
  }

  /** Makes it that time, also an earlier one: the chain went back to when it was so. */
  returnTo(time_us: number): void {
    this.shift(time_us - this.now())
  }

  /** Alarms are set anew in a task of their own, once for many moves. */
  private shift(by_us: number): void {
    this.offset_us_ += by_us
    if (this.is_moved || this.alarms.size === 0) return
    this.is_moved = true
    this.base.wakeAt(this.base.now(), () => {
      this.is_moved = false
      for (const alarm of this.alarms) {
        alarm.cancel()
        this.set(alarm)
      }
    })
  }

  private set(alarm: Alarm): void {
    alarm.cancel = this.base.wakeAt(alarm.time_us - this.offset_us_, () => {
      // The clock may have gone back since.
      if (this.now() < alarm.time_us) return this.set(alarm)
      this.alarms.delete(alarm)
      alarm.callback()
    })
  }
}
