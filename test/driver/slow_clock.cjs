/**
 * Loaded before the node, in each of its threads: a clock that hardly moves while a task is at work,
 * so that CPU time counts little. The driver asks what transactions do, not how fast this machine is,
 * and a transaction that ran out of time would take all that follow with it.
 *
 * No module and no TypeScript: threads load this before they know of either.
 */

/** One that never ends is still stopped after a twentieth of a second, where it may take a millisecond. */
const TIMES_SLOWER = 50

const now = performance.now.bind(performance)
/** When the turn of the event loop began; each begins with the right time. */
let turn_began

performance.now = () => {
  const time = now()
  if (turn_began === undefined) {
    turn_began = time
    setImmediate(() => (turn_began = undefined))
  }
  return turn_began + (time - turn_began) / TIMES_SLOWER
}
