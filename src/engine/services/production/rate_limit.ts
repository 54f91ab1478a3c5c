import { BusyError } from '../../errors.ts'
import type { Clock } from '../../clock.ts'

/**
 * Permits a number of requests per second, evenly distributed; the number for one second may arrive
 * at once.
 */
export class RateLimit {
  private readonly interval_us: number
  private readonly clock: Clock
  private readonly per_second: number
  private free_at_us = -Infinity

  /** @param per_second Infinity means no limit; 0 permits nothing */
  constructor(per_second: number, clock: Clock) {
    this.per_second = per_second
    this.interval_us = 1_000_000 / per_second
    this.clock = clock
  }

  /** @throws BusyError when the request is one too many */
  take(what: string): void {
    if (this.per_second === Infinity) return
    const now_us = this.clock.now()
    const next_us = Math.max(this.free_at_us, now_us - 1_000_000) + this.interval_us
    if (!(next_us <= now_us)) {
      throw new BusyError(`${what} is served ${this.per_second} times in a second at most`)
    }
    this.free_at_us = next_us
  }
}
