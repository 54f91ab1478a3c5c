/**
 * Work that is done after what is done now, in order: the answer to a message may come before a
 * handshake that the message caused.
 */
export class Tasks {
  private readonly waiting: (() => void)[] = []
  private is_running = false

  /** Does it after everything that is done or waits now. */
  post(task: () => void): void {
    this.waiting.push(task)
  }

  /** Does it now, then all that was posted meanwhile; within another `run` only the former. */
  run(work: () => void): void {
    if (this.is_running) return work()
    this.is_running = true
    try {
      work()
      for (let task = this.waiting.shift(); task !== undefined; task = this.waiting.shift()) task()
    } finally {
      this.is_running = false
      this.waiting.length = 0
    }
  }
}
