import { systemClock, type Clock } from '../../src/engine/index.ts'

/**
 * A clock that always shows one time, so that a node with it stands still between two blocks; only
 * within one turn of the event loop time passes, as fast as on this machine, so that what never ends
 * is stopped by its deadline.
 */
export function stillClock(time_us: number): Clock {
  let turn_began: number | undefined
  return {
    now() {
      if (turn_began === undefined) {
        turn_began = systemClock.now()
        setImmediate(() => (turn_began = undefined))
      }
      return time_us + systemClock.now() - turn_began
    },
    wakeAt(at_us, callback) {
      if (at_us > time_us) return () => {}
      const due = setImmediate(callback)
      return () => clearImmediate(due)
    },
  }
}
