import { threadWait } from './thread_wait.ts'

/**
 * How long work took, for billing the account that caused it on this node. Never part of consensus:
 * a block carries what its producer billed.
 */
export interface Timed<T> {
  result: T
  /** Microseconds, rounded up. */
  elapsed_us: number
}

/** Runs `work` and returns its result with the time that it took. */
export function timed<T>(work: () => T): Timed<T> {
  const elapsed_us = startStopwatch()
  const result = work()
  return { result, elapsed_us: elapsed_us() }
}

/**
 * Answers for how long this thread has worked since it was started: what passed, less what it waited
 * for a processor; microseconds, rounded up.
 */
export function startStopwatch(): () => number {
  const start = performance.now()
  const waited = threadWait()
  return () => {
    // Waits are read within the time that passed: none counts that is not in it.
    const waited_us = threadWait() - waited
    const passed_us = Math.ceil((performance.now() - start) * 1000)
    return Math.max(1, passed_us - waited_us)
  }
}
