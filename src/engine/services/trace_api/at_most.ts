import type { Clock } from '../../clock.ts'
import { BusyError } from '../../errors.ts'
import { SECOND_US } from '../../protocol/constants.ts'

/** What an {@link AtMost} permits. */
export interface AtMostLimits {
  /** Pieces of work at a time. */
  readonly most: number
  /** Further ones that wait for their turn. */
  readonly max_waiting: number
  /** Seconds that one waits. */
  readonly max_wait_s: number
}

/** Lets so many pieces of work run at a time; others wait for their turn, first come, first served. */
export class AtMost {
  private readonly what: string
  private readonly limits: AtMostLimits
  private readonly clock: Clock
  private running = 0
  private readonly waiting = new Set<() => void>()

  /** @param what the work, for the error */
  constructor(what: string, limits: AtMostLimits, clock: Clock) {
    this.what = what
    this.limits = limits
    this.clock = clock
  }

  /** Does work when it is its turn. @throws its error; BusyError if too many wait, or this one waits too long */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.limits.most) await this.turn()
    else this.running++
    try {
      return await work()
    } finally {
      const [next] = this.waiting
      if (next) next()
      else this.running--
    }
  }

  private turn(): Promise<void> {
    const { waiting, clock, what } = this
    const { most, max_waiting, max_wait_s } = this.limits
    if (waiting.size >= max_waiting) {
      throw new BusyError(`Too many ${what} in flight: ${most + max_waiting}`)
    }
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        waiting.delete(begin)
        cancel()
        resolve()
      }
      const cancel = clock.wakeAt(clock.now() + max_wait_s * SECOND_US, () => {
        waiting.delete(begin)
        reject(new BusyError(`Too many ${what} in flight: this one waited ${max_wait_s} s`))
      })
      waiting.add(begin)
    })
  }
}
