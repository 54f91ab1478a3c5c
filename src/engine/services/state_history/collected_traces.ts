import type { AppliedTransaction, StartedBlock } from '../../chain/chain_events.ts'
import { check } from '../../errors.ts'
import { packOne, Writer } from '../../protocol/writer.ts'
import { packTransaction } from './pack_traces.ts'

/**
 * The traces of the block that is executed. Each is packed at once: it is still in the processor's cache then, and need
 * not be kept.
 */
export class CollectedTraces {
  private readonly debug: boolean
  private readonly writer = new Writer(1 << 16)
  private count = 0
  private is_on = false

  /** @param debug see {@link packTransaction} */
  constructor(debug: boolean) {
    this.debug = debug
  }

  /** A block is started; what was executed before is in no block. An ephemeral one will be none. */
  begin({ status }: StartedBlock): void {
    this.writer.reset()
    this.count = 0
    this.is_on = status !== 'ephemeral'
  }

  /** Adds a transaction, if it is in the block. */
  add(applied: AppliedTransaction): void {
    if (!this.is_on || !applied.trace.receipt) return
    packTransaction(this.writer, applied, this.debug)
    this.count++
  }

  /**
   * The traces of the block: a list, in parts. Valid until the next block is started.
   * @param block_num for the error
   * @throws ChainError plugin_exception if these are not so many
   */
  list(transaction_count: number, block_num: number): readonly Uint8Array[] {
    const is_whole = this.is_on && this.count === transaction_count
    check(is_whole, 'plugin_exception', `missing traces for block ${block_num}`)
    return [packOne((w, count) => w.varuint32(count), this.count), this.writer.view()]
  }
}
