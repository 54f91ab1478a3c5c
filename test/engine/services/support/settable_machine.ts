import type { MachineTime } from '../../../../src/engine/clock.ts'
import type { FakeClock } from './fake_clock.ts'

/** A machine whose steady clock is one that a test moves, and whose system clock can be set. */
export class SettableMachine implements MachineTime {
  private readonly moved: FakeClock
  private set_us = 0

  constructor(moved: FakeClock) {
    this.moved = moved
  }

  /** Somebody sets the system's clock, by so much. */
  set(by_us: number): void {
    this.set_us += by_us
  }

  system(): number {
    return Math.floor((this.moved.time_us + this.set_us) / 1000) * 1000
  }

  steady(): number {
    return this.moved.time_us
  }

  after(delay_us: number, callback: () => void): () => void {
    return this.moved.wakeAt(this.moved.time_us + delay_us, callback)
  }

  every(interval_us: number, callback: () => void): void {
    this.after(interval_us, () => {
      callback()
      this.every(interval_us, callback)
    })
  }
}
