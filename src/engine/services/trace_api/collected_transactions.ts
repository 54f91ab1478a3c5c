import type { AppliedTransaction, StartedBlock } from '../../chain/chain_events.ts'
import { check } from '../../errors.ts'
import { Writer } from '../../protocol/writer.ts'
import { isTraced, packTransaction, tracedId } from './trace_format.ts'

/**
 * The transactions of the block that is executed. Each trace is packed at once: it is still in the processor's cache
 * then, and need not be kept.
 */
export class CollectedTransactions {
  private readonly writer = new Writer(1 << 16)
  private traced = 0
  private ids: Uint8Array[] = []
  private is_on = false

  /** A block is started; what was executed before is in no block. An ephemeral one will be none. */
  begin({ status }: StartedBlock): void {
    this.writer.reset()
    this.traced = 0
    this.ids = []
    this.is_on = status !== 'ephemeral'
  }

  /** Adds a transaction, if it is in the block. */
  add(applied: AppliedTransaction): void {
    if (!this.is_on || !applied.trace.receipt) return
    this.ids.push(tracedId(applied.trace))
    if (!isTraced(applied)) return
    packTransaction(this.writer, applied)
    this.traced++
  }

  /**
   * The traced transactions of the block, and the ids of all. Valid until the next block is started.
   * @param block_num for the error
   * @throws ChainError plugin_exception if these are not so many
   */
  list(
    transaction_count: number,
    block_num: number,
  ): { count: number; packed: Uint8Array; ids: readonly Uint8Array[] } {
    const { ids } = this
    const is_whole = this.is_on && ids.length === transaction_count
    check(is_whole, 'plugin_exception', `missing traces for block ${block_num}`)
    return { count: this.traced, packed: this.writer.view(), ids }
  }
}
