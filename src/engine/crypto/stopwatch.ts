import { threadWork, threadWorkAfterPause } from './thread_wait.ts'

/**
 * Measures the time of work, for billing the account that caused it on this node. It is never part
 * of consensus: a block contains the time that its producer billed.
 *
 * All times are those that this thread has worked: elapsed time minus the time that it did not run, in microseconds,
 * rounded up.
 */
export class Stopwatch {
  private start_us = threadWorkAfterPause()

  /** The time since the start. */
  elapsed(): number {
    return passed(this.start_us, threadWork())
  }

  /** The time since the start, and starts again at this moment. A reading of the time takes system calls. */
  lap(): number {
    const now_us = threadWork()
    const elapsed_us = passed(this.start_us, now_us)
    this.start_us = now_us
    return elapsed_us
  }
}

function passed(start_us: number, end_us: number): number {
  return Math.max(1, Math.ceil(end_us - start_us))
}
