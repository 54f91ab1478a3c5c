/** What other processes do on the same processors is not this thread's work. */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cpus } from 'node:os'
import { expect } from 'chai'
import { Stopwatch } from '../../../src/engine/crypto/stopwatch.ts'
import { threadWait } from '../../../src/engine/crypto/thread_wait.ts'

/** Work between two readings counts for either side. */
const READING_US = 100
/** Waits of this length are not errors of readings. */
const CLEAR_US = 1_000

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
      const stopwatch = new Stopwatch()
      let sum = 0
      for (let i = 0; i < 5_000_000; i++) sum += i
      expect(sum).greaterThan(0)
      const measured_us = stopwatch.elapsed()
      const waits_us = threadWait() - waited
      const passed_us = (performance.now() - began) * 1000
      expect(waits_us).gte(-READING_US)
      expect(measured_us).lte(passed_us - waits_us + READING_US)
    } while (threadWait() - before < CLEAR_US)
  })

  it('includes waits for other threads', () => {
    const waited = threadWait()
    const stopwatch = new Stopwatch()
    const nobody = new Int32Array(new SharedArrayBuffer(4))
    Atomics.wait(nobody, 0, 0, 200)
    expect(stopwatch.elapsed()).lessThan(100_000)
    expect(threadWait() - waited).greaterThan(190_000)
  })

  it('is exact for work of less than a tick', () => {
    for (let round = 0; round < 20; round++) {
      const began = performance.now()
      const waited = threadWait()
      const stopwatch = new Stopwatch()
      while (stopwatch.elapsed() < 300);
      // Waits first: another one may come between the two readings.
      const waited_us = threadWait() - waited
      const worked_us = (performance.now() - began) * 1000 - waited_us
      expect(worked_us).greaterThan(300 - READING_US)
    }
  })
})
