/**
 * The program from its sources, on a clock that hardly moves while a task is at work, so that CPU time
 * counts little. The driver asks what transactions do, not how fast this machine is, and a transaction
 * that ran out of time would take all that follow with it.
 */
import { systemClock } from '../../src/engine/index.ts'
import { main } from '../../src/main.ts'

/** One that never ends is still stopped after a twentieth of a second, where it may take a millisecond. */
const TIMES_SLOWER = 50

/** Within one turn of the event loop time goes slower; each turn begins with the right time. */
function slowedWithinTurns(now: () => number): () => number {
  let turn_began: number | undefined
  return () => {
    const time = now()
    if (turn_began === undefined) {
      turn_began = time
      setImmediate(() => (turn_began = undefined))
    }
    return Math.round(turn_began + (time - turn_began) / TIMES_SLOWER)
  }
}

systemClock.now = slowedWithinTurns(systemClock.now)
await main(process.argv.slice(2))
