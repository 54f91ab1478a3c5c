/** Things that are sent together: those of one turn of the event loop, because a message costs more than its content. */
export class Batches<T> {
  private items: T[] = []
  private readonly send: (items: T[]) => void

  constructor(send: (items: T[]) => void) {
    this.send = send
  }

  /** Sends it with the others of this turn. */
  add(item: T): void {
    if (this.items.push(item) > 1) return
    setImmediate(() => {
      const { items } = this
      this.items = []
      this.send(items)
    })
  }
}
