import type { AppliedTransaction, ChainEvents } from '../../chain/chain_events.ts'
import type { Log } from '../../log.ts'
import { toHex } from '../../protocol/hex.ts'
import { transactionText } from './transaction_text.ts'

/** More transactions of one block are counted, not shown, because each costs time. */
const SHOWN_PER_BLOCK = 100
/** Transactions that are executed again in the same block with the same result are shown once. */
const REMEMBERED = 1000

/** Logs each transaction that is executed in a block, as people read it. It must be subscribed to the events of a chain. */
export class TransactionLog {
  private readonly log: Log
  /** By id: the block and the error. */
  private readonly results = new Map<string, string>()
  private block_num = 0
  private shown = 0
  private not_shown = 0

  constructor(log: Log) {
    this.log = log
  }

  /** Subscribes to the events of a chain. */
  follow(events: ChainEvents): void {
    events.on('transactionApplied', (applied) => this.applied(applied))
  }

  private applied(applied: AppliedTransaction): void {
    const { trace, meta } = applied
    // onblock is in each block.
    if (meta.kind === 'implicit') return
    if (!this.isNew(toHex(trace.id), `${trace.block_num} ${trace.except?.message ?? ''}`)) return
    if (trace.block_num !== this.block_num) this.begin(trace.block_num)
    if (this.shown === SHOWN_PER_BLOCK) this.not_shown += 1
    else {
      this.shown += 1
      this.log('info', transactionText(applied))
    }
  }

  private begin(block_num: number): void {
    const { not_shown } = this
    if (not_shown > 0) this.log('info', `block ${this.block_num}: ${not_shown} more transactions`)
    this.block_num = block_num
    this.shown = 0
    this.not_shown = 0
  }

  private isNew(id: string, result: string): boolean {
    if (this.results.get(id) === result) return false
    this.results.delete(id)
    this.results.set(id, result)
    if (this.results.size > REMEMBERED) {
      const [oldest] = this.results.keys()
      this.results.delete(oldest!)
    }
    return true
  }
}
