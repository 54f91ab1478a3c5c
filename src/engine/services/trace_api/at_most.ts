/** Lets so many pieces of work run at a time; others wait for their turn. */
export class AtMost {
  private readonly most: number
  private running = 0
  private readonly waiting: (() => void)[] = []

  constructor(most: number) {
    this.most = most
  }

  /** Does work when it is its turn. @throws its error */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.most) await new Promise<void>((resolve) => this.waiting.push(resolve))
    else this.running++
    try {
      return await work()
    } finally {
      const next = this.waiting.shift()
      if (next) next()
      else this.running--
    }
  }
}
