/** Lines of the log about peers. */
import type { Clock } from '../engine/clock.ts'
import type { Log, LogLevel } from '../engine/log.ts'
import { SECOND_US } from '../engine/protocol/constants.ts'

/** So many lines about nodes that connected are written at once, and so many in a second after them. */
const AT_ONCE = 100
const IN_A_SECOND = 5
/** How often the log says how many lines were left out. */
const SUMMARY_US = 10 * SECOND_US

/**
 * Writes lines about peers. Any node can connect, and cause lines, as often as it likes: of those that connected,
 * a bounded number of lines in a second is written, and then how many were left out. Lines for debugging and lines
 * about peers that this node connects to are all written.
 */
export class PeerLog {
  private readonly log: Log
  private readonly clock: Clock
  private room = AT_ONCE
  private filled_us = -Infinity
  private left_out = 0
  /** When the first of them was left out. */
  private since_us = 0

  constructor(log: Log, clock: Clock) {
    this.log = log
    this.clock = clock
  }

  /** Writes a line, unless there were too many of its kind. @param is_incoming the peer opened the connection */
  write(level: LogLevel, text: string, is_incoming: boolean, fields: Record<string, number>): void {
    if (is_incoming && level !== 'debug' && !this.hasRoom()) this.leaveOut()
    else this.log(level, text, fields)
    this.summarize()
  }

  private hasRoom(): boolean {
    const now_us = this.clock.now()
    const filled = ((now_us - this.filled_us) / SECOND_US) * IN_A_SECOND
    this.room = Math.min(AT_ONCE, this.room + filled)
    this.filled_us = now_us
    if (this.room < 1) return false
    this.room -= 1
    return true
  }

  private leaveOut(): void {
    if (this.left_out === 0) this.since_us = this.clock.now()
    this.left_out += 1
  }

  private summarize(): void {
    if (this.left_out === 0 || this.clock.now() - this.since_us < SUMMARY_US) return
    this.log('warn', `${this.left_out} lines about nodes that connected were left out`)
    this.left_out = 0
  }
}
