/** Rejected blocks within this are counted once. spring: block_status_monitor */
const WINDOW_US = 2000
const MAX_WINDOWS = 13

/**
 * Counts periods in which blocks of a peer were rejected without one that was accepted.
 * spring: net_plugin.cpp (block_status_monitor)
 */
export class BlockStatusMonitor {
  private rejected_since: number | undefined
  private windows = 0

  /** A block was accepted, or the connection is new. */
  reset(): void {
    this.rejected_since = undefined
    this.windows = 0
  }

  /** A block was rejected. @param now_us microseconds */
  rejected(now_us: number): void {
    if (this.rejected_since === undefined) {
      this.rejected_since = now_us
      this.windows = 0
    } else if (now_us - this.rejected_since >= WINDOW_US) {
      this.windows += 1
      this.rejected_since = now_us
    }
  }

  /** So many blocks were rejected that the connection is of no use. */
  get exceeded(): boolean {
    return this.windows >= MAX_WINDOWS
  }
}
