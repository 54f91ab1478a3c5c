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

/** Answers how long ago it was started; microseconds, rounded up. */
export function startStopwatch(): () => number {
  const start = performance.now()
  return () => Math.ceil((performance.now() - start) * 1000)
}
