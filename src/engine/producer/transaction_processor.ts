/**
 * Executes submitted transactions in the pending block, and keeps those that do not fit.
 * spring: producer_plugin_impl::push_transaction, handle_push_result, process_*_trxs
 */
import { ChainError, fail } from '../errors.ts'
import { slotToUs, timePointToString } from '../protocol/time.ts'
import type { Chain } from '../chain/chain.ts'
import type { TransactionMetadata } from '../chain/transaction_metadata.ts'
import type { TransactionTrace } from '../chain/trace.ts'
import { getBlockCpuLimit, getBlockNetLimit } from '../chain/resource_limits.ts'
import type { Clock } from './clock.ts'
import type { ProducerOptions } from './producer_options.ts'
import {
  TransactionQueue,
  duplicate,
  expired,
  type QueuedTransaction,
  type TransactionOutcome,
} from './transaction_queue.ts'

/** What one execution means for the block and for the queue. */
interface Executed {
  /** It did not fit, or was stopped by a deadline: it may be tried again. */
  retry: boolean
  /** There is no room for anything. */
  block_full: boolean
}

/** Failures that say nothing about the transaction, only about the room left. */
const EXHAUSTED = new Set([
  'block_cpu_usage_exceeded',
  'block_net_usage_exceeded',
  'deadline_exception',
])

export class TransactionProcessor {
  readonly queue: TransactionQueue
  /** Called when the pending block has no room. */
  onExhausted: () => void = () => {}
  private readonly chain: Chain
  private readonly clock: Clock
  private readonly options: ProducerOptions
  private deadline_us = 0
  private producing = false

  constructor(options: ProducerOptions, chain: Chain, clock: Clock) {
    this.options = options
    this.chain = chain
    this.clock = clock
    this.queue = new TransactionQueue(options.max_queue_bytes)
  }

  /**
   * Executes a transaction now, or keeps it until there is room. `outcome` hears once what became
   * of it; without `return_failure_trace` a failure is the error alone.
   */
  process(
    meta: TransactionMetadata,
    return_failure_trace: boolean,
    outcome: TransactionOutcome,
  ): void {
    const { pending, head } = this.chain
    const block_time_us = slotToUs(pending?.slot ?? head.timestamp)
    const expiration_us = meta.trx.expiration * 1_000_000
    if (expiration_us < block_time_us) {
      return outcome(expired(meta.id, timePointToString(expiration_us), block_time_us))
    }
    if (this.chain.isKnownTransaction(meta.id)) return outcome(duplicate(meta.id))
    const entry: QueuedTransaction = { meta, kind: 'incoming_api', return_failure_trace, outcome }
    if (!pending) return this.keep(entry)
    const { retry, block_full } = this.execute(entry)
    if (retry) this.keep(entry)
    if (block_full || (retry && !this.producing)) this.onExhausted()
  }

  /** Executes a dry run or a read-only transaction; nothing of it stays.
   *  @throws producer_exception while evaluation is paused */
  processTransient(meta: TransactionMetadata): TransactionTrace {
    if (!this.chain.pending) return fail('producer_exception', PAUSED)
    return this.push(meta)
  }

  /**
   * Fills a block that was just begun with what waits.
   * @returns false when the block is full
   */
  fill(producing: boolean, deadline_us: number): boolean {
    this.producing = producing
    this.deadline_us = deadline_us
    this.queue.removeExpired(slotToUs(this.chain.pending!.slot))
    const incoming = this.queue.entries(['incoming_api'])
    if (producing) {
      if (!this.executeAll(this.queue.entries(['forked', 'aborted']))) return false
      if (!this.retireDeferred(incoming)) return false
    }
    return this.executeAll(incoming) && !this.blockFull()
  }

  /** Ends the wait of every submitter: evaluation is paused. */
  refuseWaiting(): void {
    for (const entry of this.queue.entries(['incoming_api'])) {
      this.queue.remove(entry)
      entry.outcome?.(new ChainError('producer_exception', PAUSED))
    }
  }

  /** The pending block became the head: what was aborted before and is in it is done. */
  blockProduced(): void {
    for (const entry of this.queue.entries(['forked', 'aborted'])) {
      if (this.chain.isKnownTransaction(entry.meta.id)) this.queue.remove(entry)
    }
  }

  /** Executes up to `limit` of the entries; false when the block is full or its time is over. */
  private executeAll(entries: Iterator<QueuedTransaction>, limit = Infinity): boolean {
    for (let done = 0; done < limit; done++) {
      const next = entries.next()
      if (next.done) return true
      if (this.clock.now() >= this.deadline_us) return false
      const { retry, block_full } = this.execute(next.value)
      if (!retry) this.queue.remove(next.value)
      if (block_full) return false
    }
    return true
  }

  private execute(entry: QueuedTransaction): Executed {
    const { meta, outcome, return_failure_trace } = entry
    let trace
    try {
      trace = this.push(meta)
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      outcome?.(error)
      return { retry: false, block_full: false }
    }
    if (!trace.except) {
      outcome?.(trace)
      return { retry: false, block_full: false }
    }
    if (EXHAUSTED.has(trace.except.errorName)) return { retry: true, block_full: this.blockFull() }
    outcome?.(return_failure_trace ? trace : trace.except)
    return { retry: false, block_full: false }
  }

  private push(meta: TransactionMetadata): TransactionTrace {
    const max_ms = this.options.runtime.max_transaction_time
    return this.chain.pushTransaction(meta, {
      block_deadline_us: this.deadline_us,
      max_transaction_time_us: max_ms < 0 ? Infinity : max_ms * 1000,
      billed_cpu_time_us: meta.billed_cpu_time_us,
      explicit_billed_cpu_time: false,
    })
  }

  /**
   * Removes or executes deferred transactions that are due, within their share of the block; for
   * each of them `incoming_defer_ratio` waiting incoming ones go first.
   * @returns false when the block is full
   */
  private retireDeferred(incoming: Iterator<QueuedTransaction>): boolean {
    const { max_scheduled_transaction_time_per_block_ms, incoming_defer_ratio } =
      this.options.runtime
    const share_us = max_scheduled_transaction_time_per_block_ms * 1000
    const until = Math.min(this.deadline_us, this.clock.now() + share_us)
    for (const trx_id of this.chain.retirableTransactions()) {
      if (!this.executeAll(incoming, incoming_defer_ratio)) return false
      if (this.clock.now() >= until) return true
      const trace = this.chain.pushScheduled(trx_id, {
        block_deadline_us: until,
        max_transaction_time_us: Infinity,
        billed_cpu_time_us: 0,
        explicit_billed_cpu_time: false,
      })
      const exhausted = trace.except !== undefined && EXHAUSTED.has(trace.except.errorName)
      if (exhausted && this.blockFull()) return false
    }
    return true
  }

  private keep(entry: QueuedTransaction): void {
    try {
      this.queue.addIncoming(entry)
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      entry.outcome?.(error)
    }
  }

  private blockFull(): boolean {
    return (
      Number(getBlockCpuLimit(this.chain.db)) < this.options.max_block_cpu_usage_threshold_us ||
      Number(getBlockNetLimit(this.chain.db)) < this.options.max_block_net_usage_threshold_bytes
    )
  }
}

const PAUSED =
  'transactions are not evaluated while production is paused at a block height; resume to go on'
