import { performance } from 'node:perf_hooks'
import { collectGarbage } from '../collect_garbage.ts'

/** A thread that works for a smaller share of the time rests. */
const LITTLE = 0.25

/**
 * Collects the garbage of the warm-up when this thread rests. The step after a busy one shows whether it does.
 * @param busyShare of the time since the last call, for which this thread has worked
 */
export function* restSteps(
  busyShare = busyShares(),
  collect = collectGarbage,
): Generator<undefined> {
  while (busyShare() > LITTLE) yield
  collect()
}

function busyShares(): () => number {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}
