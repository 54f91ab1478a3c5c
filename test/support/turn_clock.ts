import { systemClock, type Clock } from '../../src/engine/index.ts'

/**
 * The clock of the machine, but within one turn of the event loop only looks at it let time pass, a
 * microsecond or `look_us` each. So what a transaction is billed, and whether it meets its deadline, depends on
 * what it does and not on how busy this machine is.
 */
export function turnClock(look_us = 1): Clock {
  let now = systemClock.now()
  let fresh = false
  return {
    now() {
      if (fresh) return (now += look_us)
      fresh = true
      setImmediate(() => (fresh = false))
      now = Math.max(now + 1, systemClock.now())
      return now
    },
    wakeAt: (time_us, callback) =>
      systemClock.wakeAt(time_us, () => {
        fresh = false
        callback()
      }),
  }
}
