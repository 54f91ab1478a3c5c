import { execFile } from 'node:child_process'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { BackgroundSteps } from '../../../src/engine/warm_up/background_steps.ts'
import { FROM_SOURCES } from '../../support/from_sources.ts'

const execute = promisify(execFile)

describe('steps in the background', () => {
  it('let other tasks run between any two of them, and end when they are stopped', async () => {
    const background = new BackgroundSteps(() => {})
    const events: string[] = []
    background.run(endless(events), 0)
    for (let i = 0; i < 3; i++) {
      await setImmediate()
      events.push('other')
    }
    background.stop()
    await setImmediate()
    expect(events).deep.equal(['step', 'other', 'step', 'other', 'step', 'other'])
  })

  // In a process of its own: the event loop of mocha is woken all the time.
  it('run to their end while nothing else wakes the event loop', async () => {
    const program = fileURLToPath(new URL('idle_process.ts', import.meta.url))
    const { stdout } = await execute(process.execPath, [...FROM_SOURCES, program])
    expect(stdout).equal('1000 steps\n')
  }).timeout(60_000)

  it('begin after a delay, unless they are stopped before', async () => {
    const events: string[] = []
    const stopped = new BackgroundSteps(() => {})
    stopped.run(endless(events), 1)
    stopped.stop()
    const begun = new Promise((resolve) => {
      const steps = reporting(resolve)
      new BackgroundSteps(() => {}).run(steps, 5)
    })
    // The steps alone do not keep the process alive.
    const alive = setInterval(() => {}, 1000)
    expect(await begun).equal('begun')
    clearInterval(alive)
    expect(events).deep.equal([])
  })

  it('wait while other work has the processors', async () => {
    const events: string[] = []
    let is_busy = true
    const answers: boolean[] = []
    const background = new BackgroundSteps(
      () => {},
      () => {
        answers.push(is_busy)
        return is_busy
      },
    )
    background.run(endless(events), 0)
    const alive = setInterval(() => {}, 1000)
    while (answers.length < 2) await setImmediate()
    expect(events).deep.equal([])
    is_busy = false
    while (events.length === 0) await setImmediate()
    background.stop()
    clearInterval(alive)
    expect(answers.slice(0, 3)).deep.equal([true, true, false])
  })

  it('end with an error, which is logged as a warning', async () => {
    const lines: string[] = []
    const background = new BackgroundSteps((level, text) => lines.push(`${level}: ${text}`))
    const failing = (function* () {
      yield
      throw new Error('no memory')
    })()
    background.run(failing, 0)
    for (let i = 0; i < 4; i++) await setImmediate()
    expect(lines).deep.equal(['warn: warming up ended early: Error: no memory'])
  })
})

function* reporting(report: (what: string) => void): Generator<undefined> {
  report('begun')
  yield
}

function* endless(events: string[]): Generator<undefined> {
  for (;;) {
    events.push('step')
    yield
  }
}
