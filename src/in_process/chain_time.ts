import type { BlockMaker } from './block_maker.ts'
import { LAST_TIME_US } from './block_maker.ts'

/** The parts of a duration, in milliseconds. */
const PARTS_MS = {
  days: 86_400_000,
  hours: 3_600_000,
  minutes: 60_000,
  seconds: 1000,
  milliseconds: 1,
}

/** A span of time: milliseconds, or the sum of its parts. */
export type Duration =
  | number
  | {
      days?: number
      hours?: number
      minutes?: number
      seconds?: number
      milliseconds?: number
    }

/** A moment: a date, milliseconds since 1970, or ISO 8601 text, which is in UTC without a zone. */
export type Moment = Date | number | string

/** The time of a chain. It moves when blocks are made, and when a test moves it. */
export class ChainTime {
  private readonly maker: BlockMaker

  /** @internal */
  constructor(maker: BlockMaker) {
    this.maker = maker
  }

  /** The time that the next action sees: that of its block. */
  get now(): Date {
    return new Date(this.maker.time_us / 1000)
  }

  /**
   * Moves the time forwards, to the next half second at or after it.
   * @throws RangeError the duration is negative or no number
   * @throws TypeError it has a part of another name
   */
  advance(duration: Duration): void {
    const ms = milliseconds(duration)
    if (!(ms >= 0)) {
      throw new RangeError(`time goes forwards alone, not by ${ms} ms: go back to a checkpoint`)
    }
    this.moveTo(this.maker.time_us / 1000 + ms)
  }

  /**
   * Moves the time to a moment, or to the next half second after it.
   * @throws RangeError the moment is before {@link now}, or no moment
   */
  set(moment: Moment): void {
    const ms = momentMs(moment)
    if (Number.isNaN(ms)) throw new RangeError(`${String(moment)} is not a time`)
    if (!(ms * 1000 >= this.maker.time_us)) {
      const now = this.now.toISOString()
      const wanted = new Date(ms).toISOString()
      throw new RangeError(
        `time goes forwards alone: it is ${now}, ${wanted} is not after it; go back to a checkpoint`,
      )
    }
    this.moveTo(ms)
  }

  private moveTo(ms: number): void {
    if (!(ms * 1000 <= LAST_TIME_US)) {
      throw new RangeError('a chain has no times after the year 2068')
    }
    this.maker.setTime(ms * 1000)
  }
}

/** Milliseconds since 1970; NaN for what is not a moment. */
export function momentMs(moment: Moment): number {
  if (typeof moment === 'number') return moment
  if (typeof moment === 'string') {
    return Date.parse(/Z|[+-]\d\d:?\d\d$/.test(moment) ? moment : `${moment}Z`)
  }
  return moment.getTime()
}

function milliseconds(duration: Duration): number {
  if (typeof duration === 'number') return duration
  let sum = 0
  for (const [name, value] of Object.entries(duration)) {
    if (!Object.hasOwn(PARTS_MS, name)) {
      throw new TypeError(
        `${name} is not a part of a duration: ${Object.keys(PARTS_MS).join(', ')}`,
      )
    }
    // A part may be there and undefined.
    sum += (value ?? 0) * PARTS_MS[name as keyof typeof PARTS_MS]
  }
  return sum
}
