import { refuse } from '../../base/refuse.ts'

/**
 * The NET of one transaction in bytes, and its limits (spring: the net_limit half of
 * transaction_context.cpp). `eager_limit` is checked on every addition; it leaves the payers some
 * leeway until the final limit is known.
 */
export class NetBudget {
  usage = 0
  limit: number
  eager_limit = 0
  /** The limit is the remaining space of the block, not a limit of this transaction. */
  due_to_block = true
  due_to_greylist = false
  private readonly skip_checks: boolean

  /** `block_net_limit`: bytes left in the block. */
  constructor(block_net_limit: number, skip_checks: boolean) {
    this.limit = block_net_limit
    this.skip_checks = skip_checks
  }

  /** Lowers the limit to one on this transaction, if it is lower. */
  lower(limit: number): void {
    if (limit > this.limit) return
    this.limit = limit
    this.due_to_block = false
  }

  /** Sets the eager limit: what the payers can pay with leeway, in whole words of 8 bytes. */
  setEagerLimit(payable: number): void {
    this.eager_limit = this.limit
    if (payable < this.eager_limit) {
      this.eager_limit = payable
      this.due_to_block = false
    }
    this.eager_limit -= this.eager_limit % 8
  }

  /**
   * Adds to the usage.
   * @throws tx_net_usage_exceeded or block_net_usage_exceeded, beyond the eager limit
   */
  add(bytes: number): void {
    this.usage += bytes
    this.check()
  }

  /** Rounds the usage up to words and checks it against the final limit. */
  finish(): void {
    this.roundUp()
    this.eager_limit = this.limit
    this.check()
  }

  /** Rounds the usage up to whole words of 8 bytes. */
  roundUp(): void {
    this.usage = Math.floor((this.usage + 7) / 8) * 8
  }

  /**
   * Compares the usage with the eager limit.
   * @throws tx_net_usage_exceeded or block_net_usage_exceeded
   */
  check(): void {
    if (this.skip_checks || this.usage <= this.eager_limit) return
    const data = { net_usage: this.usage, net_limit: this.eager_limit }
    if (this.due_to_block)
      refuse(
        'block_net_usage_exceeded',
        'not enough space left in block: ${net_usage} > ${net_limit}',
        data,
      )
    if (this.due_to_greylist)
      refuse(
        'greylist_net_usage_exceeded',
        'greylisted transaction net usage is too high: ${net_usage} > ${net_limit}',
        data,
      )
    refuse(
      'tx_net_usage_exceeded',
      'transaction net usage is too high: ${net_usage} > ${net_limit}',
      data,
    )
  }
}
