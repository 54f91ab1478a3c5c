import { systemClock, type Clock } from '../../src/engine/index.ts'

/** A machine that is busy with something else takes this much longer for what it does. */
const TIMES_SLOWER = 5

/**
 * A clock that always shows one time, so that a node with it stands still between two blocks; only
 * within one turn of the event loop time passes, slowly, so that what never ends is stopped by its
 * deadline, and nothing else is.
 */
export function stillClock(time_us: number): Clock {
  let turn_began: number | undefined
  return {
    now() {
      if (turn_began === undefined) {
        turn_began = systemClock.now()
        setImmediate(() => (turn_began = undefined))
      }
      return time_us + Math.round((systemClock.now() - turn_began) / TIMES_SLOWER)
    },
    wakeAt(at_us, callback) {
      if (at_us > time_us) return () => {}
      const due = setImmediate(callback)
      return () => clearImmediate(due)
    },
  }
}
