import type { Log } from '../log.ts'
import { inSmallHeap } from './small_heap.ts'

/** Steps that have to wait are tried again after this. */
const WAIT_MS = 100

/** Work in short steps, between which other tasks run. Waits between them do not keep the process alive. */
export class BackgroundSteps {
  private readonly log: Log
  private readonly haveToWait: () => boolean
  private timer: NodeJS.Timeout | undefined
  private immediate: NodeJS.Immediate | undefined

  /** @param haveToWait asked before each step: other work has the processors */
  constructor(log: Log, haveToWait: () => boolean = () => false) {
    this.log = log
    this.haveToWait = haveToWait
  }

  /**
   * Runs all steps, unless {@link stop} is called before. An error ends them, and is logged.
   * @param delay_ms until the first step
   * @param pause_ms between two steps; 0 lets only those tasks run that wait
   */
  run(steps: Iterator<unknown>, delay_ms: number, pause_ms = 0): void {
    // An immediate that is unref'd would wait until something else wakes the event loop.
    if (delay_ms === 0) this.immediate = setImmediate(() => this.step(steps, pause_ms))
    else this.timer = setTimeout(() => this.step(steps, pause_ms), delay_ms).unref()
  }

  /** No further step begins. */
  stop(): void {
    clearTimeout(this.timer)
    clearImmediate(this.immediate)
  }

  private step(steps: Iterator<unknown>, pause_ms: number): void {
    if (this.haveToWait()) return this.run(steps, WAIT_MS, pause_ms)
    try {
      if (inSmallHeap(() => steps.next()).done) return
    } catch (error) {
      return this.log('warn', `warming up ended early: ${String(error)}`)
    }
    this.run(steps, pause_ms, pause_ms)
  }
}
