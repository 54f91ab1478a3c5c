/** Runs a thousand steps in a process in which little happens for ten seconds, and prints how many were run by then. */
import { BackgroundSteps } from '../../../src/engine/warm_up/background_steps.ts'

const STEPS = 1000
let count = 0
const alive = setTimeout(end, 10_000)

function end(): void {
  clearTimeout(alive)
  background.stop()
  console.log(`${count} steps`)
}

function* steps(): Generator<undefined> {
  while (count < STEPS) {
    count++
    yield
  }
  end()
}

const background = new BackgroundSteps(() => {})
background.run(steps(), 0)
