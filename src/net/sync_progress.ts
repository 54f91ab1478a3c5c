import { SECOND_US } from '../engine/protocol/constants.ts'
import type { Log } from '../engine/log.ts'

/** Lines are written at this interval. */
const INTERVAL_US = 5_000_000

/** Logs the progress of a synchronization: blocks in a second, and the time that is left. */
export class SyncProgress {
  private readonly log: Log
  private begin_block = 0
  private begin_us = 0
  private next_us = 0

  constructor(log: Log) {
    this.log = log
  }

  /** A synchronization begins after this block. */
  begin(block_num: number, now_us: number): void {
    this.begin_block = block_num
    this.begin_us = now_us
    this.next_us = now_us + INTERVAL_US
  }

  /** A block was executed. @param target the last block that is known to be irreversible */
  applied(block_num: number, target: number, now_us: number): void {
    if (now_us < this.next_us || block_num >= target) return
    this.next_us = now_us + INTERVAL_US
    const rate = ((block_num - this.begin_block) * SECOND_US) / (now_us - this.begin_us)
    if (!(rate > 0)) return
    const left_s = Math.ceil((target - block_num) / rate)
    this.log(
      'info',
      `synchronization: block ${block_num} of ${target}, ${rate.toFixed(1)} blocks in a second, ` +
        `about ${left_s} s left`,
      { block_num, target },
    )
  }
}
