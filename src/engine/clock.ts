import { threadWait } from './crypto/thread_wait.ts'

/** Time and its alarms: passed in, so that tests decide what time it is. */
export interface Clock {
  /** Microseconds since 1970; never less than before, and without a jump within one task. */
  now(): number
  /** Calls back once, at or after `time_us`; the answer cancels it. */
  wakeAt(time_us: number, callback: () => void): () => void
  /**
   * Microseconds for which this thread has waited for a processor so far. Undefined if the system
   * does not report it.
   */
  waited?(): number
}

/**
 * The clocks of a machine: the system's time, which may be set, and a steady one, which may not.
 */
export interface MachineTime {
  /** Microseconds since 1970 by the system's clock; its resolution may be milliseconds. */
  system(): number
  /** Microseconds since an arbitrary moment; does not advance while the machine is suspended. */
  steady(): number
  /**
   * Calls back once, in a separate task, after this many microseconds of the steady clock. Calling
   * the returned function cancels it.
   */
  after(delay_us: number, callback: () => void): () => void
  /** Calls back repeatedly, in separate tasks, as long as the process has other work. */
  every(interval_us: number, callback: () => void): void
}

/** Differences up to this are what a system's clock of milliseconds, and rounding, may show. */
const TOLERANCE_US = 2000
/** The maximum interval between two reads of the system's clock. */
const LOOK_US = 250_000
/** The speed while the clock is ahead of the system's. */
const SLOW = 0.5

/**
 * The system's time, for a chain whose time must never go back.
 *
 * Between two reads of the system's clock it follows the steady clock, so a task sees no jumps: the
 * duration of a transaction and its deadline are steady. The system's clock is read at the start of
 * tasks. If it was set forwards (or the machine was suspended), this clock jumps too. If it was set
 * backwards, this clock runs at half speed until both agree, and block production continues, each
 * block in a later slot. The reference uses the system's clock directly, and produces nothing
 * during that time.
 */
export class SystemClock implements Clock {
  private readonly machine: MachineTime
  /** The time of this clock at the last read, and the steady time then. */
  private shown_us: number
  private steady_us: number
  private speed = 1

  constructor(machine: MachineTime) {
    this.machine = machine
    this.shown_us = machine.system()
    this.steady_us = machine.steady()
    machine.every(LOOK_US, () => this.look())
  }

  now(): number {
    return Math.round(this.at(this.machine.steady()))
  }

  private at(steady_us: number): number {
    return this.shown_us + (steady_us - this.steady_us) * this.speed
  }

  wakeAt(time_us: number, callback: () => void): () => void {
    let cancel = (): void => {}
    const wait = (): void => {
      const left_us = Math.max(0, time_us - this.now()) / this.speed
      // The system's clock may be set meanwhile.
      cancel = this.machine.after(Math.min(left_us, LOOK_US), () => {
        this.look()
        if (this.now() >= time_us) callback()
        else wait()
      })
    }
    wait()
    return () => cancel()
  }

  waited(): number {
    return threadWait()
  }

  /** Follows the system's clock. Only at the beginning of a task. */
  private look(): void {
    const steady_us = this.machine.steady()
    const now_us = this.at(steady_us)
    const system_us = this.machine.system()
    const ahead_us = now_us - system_us
    this.steady_us = steady_us
    this.shown_us = ahead_us < -TOLERANCE_US ? system_us : now_us
    this.speed = ahead_us > TOLERANCE_US ? SLOW : 1
  }
}

/** This machine, through Node.js, whose `performance` follows the steady clock alone. */
const machine: MachineTime = {
  system: () => Date.now() * 1000,
  steady: () => performance.now() * 1000,
  after(delay_us, callback) {
    if (delay_us <= 0) {
      // A call that is due now is made at once; a timer would take another millisecond.
      const immediate = setImmediate(callback)
      return () => clearImmediate(immediate)
    }
    const timer = setTimeout(callback, Math.ceil(delay_us / 1000))
    return () => clearTimeout(timer)
  },
  every: (interval_us, callback) => void setInterval(callback, interval_us / 1000).unref(),
}

/** The clock of this machine. */
export const systemClock: Clock = new SystemClock(machine)
