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
  const waited = threadWait()
  const start = performance.now()
  return () => {
    const passed_us = Math.ceil((performance.now() - start) * 1000)
    return Math.max(0, passed_us - (threadWait() - waited))
  }
}
