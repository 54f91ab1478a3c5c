/**
 * Turns in which messages of peers are processed. A peer has a turn of a few milliseconds, all peers together have a
 * round of some turns; then the rest of the node works. Of the peers that wait, the one goes first whose messages took
 * the least time lately, so those that flood wait for those that do not.
 */
import { SECOND_US } from '../engine/protocol/constants.ts'

/** Other peers are served after so much time of messages of one peer. */
export const TURN_US = 4000
/** The rest of the node works after so much time of messages of all peers. */
const ROUND_US = 12_000

/** Something with messages to process. */
export interface Reading {
  /** Processes messages for a turn. */
  read(): void
  /** Takes no more messages until its next turn. */
  hold(): void
}

/** Time of processing, of which half is forgotten each second. */
interface Work {
  us: number
  at_us: number
}

/** Decides whose messages are processed next. */
export class ReadTurns {
  private readonly now: () => number
  private readonly waiting = new Set<Reading>()
  private readonly works = new WeakMap<Reading, Work>()
  private spent_us = 0
  private is_scheduled = false

  /** @param now the time in microseconds */
  constructor(now: () => number) {
    this.now = now
  }

  /** Whether it waits for its turn. */
  isWaiting(reading: Reading): boolean {
    return this.waiting.has(reading)
  }

  /** Processes messages now if it may, else when its turn comes. */
  take(reading: Reading): void {
    if (this.waiting.has(reading)) return
    if (this.waiting.size > 0 || this.spent_us >= ROUND_US) this.wait(reading)
    else this.run(reading)
  }

  /** Its turn is over, and it has more messages. */
  wait(reading: Reading): void {
    this.waiting.add(reading)
    reading.hold()
    this.schedule()
  }

  /** It has no more messages. */
  leave(reading: Reading): void {
    this.waiting.delete(reading)
  }

  private run(reading: Reading): void {
    const begin_us = this.now()
    const before_us = this.workOf(reading, begin_us)
    reading.read()
    const end_us = this.now()
    this.spent_us += end_us - begin_us
    this.works.set(reading, { us: before_us + end_us - begin_us, at_us: end_us })
    this.schedule()
  }

  private workOf(reading: Reading, now_us: number): number {
    const work = this.works.get(reading)
    return work === undefined ? 0 : work.us * 0.5 ** ((now_us - work.at_us) / SECOND_US)
  }

  private schedule(): void {
    if (this.is_scheduled) return
    this.is_scheduled = true
    setImmediate(() => this.round())
  }

  private round(): void {
    this.is_scheduled = false
    this.spent_us = 0
    if (this.waiting.size === 0) return
    const now_us = this.now()
    const works = new Map([...this.waiting].map((one) => [one, this.workOf(one, now_us)]))
    for (const [reading] of [...works].toSorted(([, a], [, b]) => a - b)) {
      if (this.spent_us >= ROUND_US) break
      if (this.waiting.delete(reading)) this.run(reading)
    }
    if (this.waiting.size > 0) this.schedule()
  }
}
