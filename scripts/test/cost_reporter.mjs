/**
 * A reporter of mocha that adds what each file of tests costs: seconds of processor time, of this process with its
 * threads and of the processes that it started, and the time that passed. The most expensive files come first.
 *
 *     npm test -- --reporter ./scripts/test/cost_reporter.mjs
 */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import Mocha from 'mocha'

const { EVENT_RUN_BEGIN, EVENT_SUITE_BEGIN, EVENT_SUITE_END, EVENT_RUN_END } =
  Mocha.Runner.constants
/** The unit of processor time in /proc, in seconds. */
const TICK = 0.01
/** Files that cost less seconds in all of these are not listed. */
const LEAST = 0.2

export default class CostReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options)
    const costs = new Map()
    let before
    const charge = (name) => {
      const now = spent()
      const cost = (costs.get(name) ?? [0, 0, 0]).map((sum, i) => sum + now[i] - before[i])
      costs.set(name, cost)
      before = now
    }
    runner.once(EVENT_RUN_BEGIN, () => {
      before = [0, 0, 0]
      charge('(modules)')
    })
    runner.on(EVENT_SUITE_BEGIN, (suite) => {
      if (suite.parent?.root) charge('(between files)')
    })
    runner.on(EVENT_SUITE_END, (suite) => {
      if (suite.parent?.root) charge(relative('.', suite.file))
    })
    runner.once(EVENT_RUN_END, () => {
      charge('(between files)')
      print(costs)
    })
  }
}

/** Seconds of this process, of its children that have ended, and since it began. */
function spent() {
  const { user, system } = process.cpuUsage()
  return [(user + system) / 1e6, ofChildren(), performance.now() / 1000]
}

function ofChildren() {
  if (process.platform !== 'linux') return 0
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * TICK
}

function print(costs) {
  const total = ([own, children]) => own + children
  console.log('\n  cost: CPU seconds = own + children, seconds passed')
  for (const [name, cost] of [...costs].sort(([, a], [, b]) => total(b) - total(a))) {
    if (Math.max(...cost) < LEAST) continue
    const [own, children, wall] = cost.map((seconds) => seconds.toFixed(1))
    console.log(`  cost: ${total(cost).toFixed(1)} = ${own} + ${children}, ${wall} s  ${name}`)
  }
}
