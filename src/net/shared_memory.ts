/**
 * Memory that all peers share. A peer takes no more than half of what the others leave, so that there is room for the
 * next one; what a connection took is taken until it is given back, also if the connection ends before.
 */
export class SharedMemory {
  private readonly most: number
  private readonly most_of_one: number
  private taken = 0

  /**
   * @param most bytes of all peers together
   * @param most_of_one bytes of a single peer
   */
  constructor(most: number, most_of_one: number) {
    this.most = most
    this.most_of_one = most_of_one
  }

  /** Bytes that a single peer may have taken now. */
  get limit(): number {
    return Math.max(0, Math.min(this.most_of_one, (this.most - this.taken) / 2))
  }

  /** Takes bytes; what is below the limit before may be above it afterwards. */
  take(bytes: number): void {
    this.taken += bytes
  }

  /** Gives bytes back. */
  give(bytes: number): void {
    this.taken -= bytes
  }
}
