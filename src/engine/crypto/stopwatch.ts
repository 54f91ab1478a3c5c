import { threadWork } from './thread_wait.ts'

/**
 * Measures the time of work, for billing the account that caused it on this node. It is never part
 * of consensus: a block contains the time that its producer billed.
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
 * Returns a function that gives the time that this thread has worked since the call: elapsed time
 * minus the time that it did not run, in microseconds, rounded up.
 */
export function startStopwatch(): () => number {
  const start = threadWork()
  return () => Math.max(1, Math.ceil(threadWork() - start))
}
