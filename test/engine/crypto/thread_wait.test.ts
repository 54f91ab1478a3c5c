/** What other processes do on the same processors is not this thread's work. */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cpus } from 'node:os'
import { expect } from 'chai'
import { startStopwatch } from '../../../src/engine/crypto/stopwatch.ts'
import { threadWait } from '../../../src/engine/crypto/thread_wait.ts'

/** Numbers are rounded to microseconds. */
const ROUNDING_US = 3

describe('the time for which a thread waits for a processor', () => {
  let children: ChildProcess[] = []
  before(function () {
    if (!existsSync('/proc/thread-self/schedstat')) this.skip() // The system does not count it.
    children = Array.from({ length: 2 * cpus().length }, () =>
      spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' }),
    )
  })
  after(() => {
    for (const child of children) child.kill('SIGKILL')
  })

  it('is counted while others are busy, and is excluded from what a stopwatch measures', function () {
    this.timeout(240_000)
    const before = threadWait()
    // As long as it takes until the thread has had to wait: no time is expected.
    do {
      const began = performance.now()
      const waited = threadWait()
      const elapsed_us = startStopwatch()
      let sum = 0
      for (let i = 0; i < 5_000_000; i++) sum += i
      expect(sum).greaterThan(0)
      const measured_us = elapsed_us()
      const waits_us = threadWait() - waited
      const passed_us = (performance.now() - began) * 1000
      expect(waits_us).gte(0)
      expect(measured_us).lte(passed_us - waits_us + ROUNDING_US)
    } while (threadWait() === before)
    expect(threadWait()).greaterThan(before)
  })
})
