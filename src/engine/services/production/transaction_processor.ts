/**
 * Executes submitted transactions in the pending block, and keeps those that do not fit.
 * spring: producer_plugin_impl (process_incoming_transaction_async, process_*_trxs)
 */
import assert from 'node:assert'
import { ChainError } from '../../errors.ts'
import { toHex } from '../../protocol/hex.ts'
import { slotToUs, timePointToString, usToSlot } from '../../protocol/time.ts'
import type { Chain } from '../../chain/chain.ts'
import type { BlockState } from '../../chain/headers/block_state.ts'
import { transactionKey, type TransactionMetadata } from '../../chain/base/transaction_metadata.ts'
import { getBlockCpuLimit, getBlockNetLimit } from '../../chain/rules/resource_limits.ts'
import type { Clock } from '../../clock.ts'
import type { ProducerOptions } from './producer_options.ts'
import {
  TransactionExecutor,
  type BlockWindow,
  type Execution,
  type ExecutorDependencies,
} from './transaction_executor.ts'
import {
  TransactionQueue,
  duplicate,
  expired,
  type QueuedTransaction,
  type TransactionOutcome,
} from './transaction_queue.ts'

/** The consequence of one execution for the block and for the queue. */
interface Executed {
  /** It did not fit, or was stopped by a deadline: it may be executed again. */
  retry: boolean
  /** There is no space for any transaction. */
  block_full: boolean
}

/** The state of filling a block: more work is left, no work is left, or there is no space. */
export type FillState = 'more' | 'done' | 'full'

/** Others are served after so much time of filling a block. */
const SLICE_US = 25_000
/** A dry run between two rounds may delay the next block by this, which it makes good. */
const BEYOND_GAP_US = 100_000

/**
 * Accepts submitted transactions, executes them in the pending block, and queues those that do not
 * fit. A queued transaction keeps its place in the order of arrival.
 */
export class TransactionProcessor {
  readonly queue: TransactionQueue
  readonly executor: TransactionExecutor
  /** Called when the pending block is full. */
  onExhausted: () => void = () => {}
  /** Called with each submission that comes, before it is executed. */
  beforeExecution: (meta: TransactionMetadata) => void = () => {}
  /** Called when a submission is in the pending block; answers whether that ended the block. */
  onIncluded: () => boolean = () => false
  /** No transaction is executed or queued: production is paused at a height. */
  private paused = false
  /** The remaining work of filling the pending block. */
  private filling: Generator<undefined, boolean> | undefined
  /** The start of the next block, if there is no pending one; microseconds. */
  next_block_us = 0
  private readonly chain: Chain
  private readonly clock: Clock
  private readonly options: ProducerOptions
  private readonly log: ExecutorDependencies['log']

  constructor(options: ProducerOptions, deps: ExecutorDependencies) {
    this.options = options
    this.chain = deps.chain
    this.clock = deps.clock
    this.log = deps.log
    this.queue = new TransactionQueue(options.max_queue_bytes)
    this.executor = new TransactionExecutor(options, deps)
  }

  /**
   * Executes a transaction now, or queues it until there is space. `outcome` is called once with
   * the result; without `return_failure_trace` a failure is only the error.
   */
  process(
    meta: TransactionMetadata,
    return_failure_trace: boolean,
    outcome: TransactionOutcome,
  ): void {
    this.executor.times.idle()
    if (!this.paused) this.beforeExecution(meta)
    const refusal = this.refusal(meta)
    if (refusal) return outcome(refusal)
    this.tryNow({ meta, kind: 'incoming_api', return_failure_trace, outcome })
  }

  /** The reason why a transaction is not executed at all. */
  refusal(meta: TransactionMetadata): ChainError | undefined {
    const { pending, head } = this.chain
    const block_time_us = slotToUs(pending?.slot ?? head.timestamp)
    const expiration_us = meta.trx.expiration * 1_000_000
    if (expiration_us < block_time_us) {
      return expired(meta.id, timePointToString(expiration_us), block_time_us)
    }
    return this.chain.isKnownTransaction(meta.id) ? duplicate(meta.id) : undefined
  }

  /** Executes a dry run or a read-only transaction; nothing of it stays, and failures are traces. */
  processTransient(meta: TransactionMetadata, outcome: TransactionOutcome): void {
    this.executor.times.idle()
    const entry: QueuedTransaction = {
      meta,
      kind: 'incoming_api',
      return_failure_trace: true,
      outcome,
    }
    if (this.chain.pending || this.paused) return this.tryNow(entry)
    // Between two rounds there is no pending block; a temporary one serves as well.
    const slot = Math.max(usToSlot(this.clock.now()), this.chain.head.timestamp) + 1
    this.chain.startBlock({ slot, confirmed: 0, status: 'ephemeral' })
    const deadline_us = Math.max(this.next_block_us, this.clock.now()) + BEYOND_GAP_US
    this.executor.window = { producing: false, deadline_us, full_us: Infinity }
    try {
      if (this.execute(entry).retry) this.keep(entry)
    } finally {
      this.chain.abortBlock()
    }
  }

  /** Whether the pending block is still filled from the queue. */
  get is_filling(): boolean {
    return this.filling !== undefined
  }

  /** Starts to fill a new block from the queue; {@link continueFill} does the work. */
  beginFill(window: BlockWindow): void {
    this.executor.blockStarted(window)
    for (const { id } of this.queue.removeExpired(slotToUs(this.chain.pending!.slot))) {
      this.log(
        'info',
        `transaction ${toHex(id)} of a discarded block expired before it was executed again`,
      )
    }
    this.filling = this.fillingSteps(window.producing)
  }

  /** Executes what waits for a while, so that others are served too. */
  continueFill(): FillState {
    assert(this.filling, 'no block is being filled')
    const end_us = this.clock.now() + SLICE_US
    for (;;) {
      const step = this.filling.next()
      if (!step.done && this.clock.now() >= end_us) return 'more'
      if (!step.done) continue
      this.filling = undefined
      return step.value && this.chain.pending && !this.blockFull() ? 'done' : 'full'
    }
  }

  /** Evaluation is paused: ends the wait of every submitter, and refuses those who come. */
  pause(): void {
    this.paused = true
    this.filling = undefined
    for (const entry of this.queue.entries(['incoming_api'])) {
      this.queue.remove(entry)
      entry.outcome?.(evaluationPaused())
    }
  }

  /** Transactions are taken again, although there may be no block yet. */
  resume(): void {
    this.paused = false
  }

  /** A block became the head: its transactions need not be executed again. */
  blockAccepted(block: BlockState): void {
    if (this.queue.size === 0) return
    for (const meta of block.trx_metas ?? []) {
      const entry = this.queue.find(transactionKey(meta))
      if (!entry) continue
      this.queue.remove(entry)
      entry.outcome?.(duplicate(meta.id))
    }
  }

  /** Each step is a transaction; ends with false when the block is full or its time is over. */
  private *fillingSteps(producing: boolean): Generator<undefined, boolean> {
    if (this.queue.size === 0 && this.chain.db.generated_transaction.size === 0) return true
    const incoming = this.queue.entries(['incoming_api'])
    if (producing) {
      if (!(yield* this.executeAll(this.queue.entries(['forked', 'aborted'])))) return false
      if (!(yield* this.retireDeferred(incoming))) return false
    }
    return yield* this.executeAll(incoming)
  }

  /** Executes up to `limit` of the entries; false when the block is full or its time is over. */
  private *executeAll(
    entries: Iterator<QueuedTransaction>,
    limit = Infinity,
  ): Generator<undefined, boolean> {
    for (let done = 0; done < limit; done++) {
      const next = entries.next()
      if (next.done) return true
      if (this.timeIsOver()) return false
      if (this.execute(next.value).block_full) return false
      yield
    }
    return true
  }

  private execute(entry: QueuedTransaction): Executed {
    const { meta, kind, outcome, return_failure_trace } = entry
    const execution = this.tryExecute(meta, kind === 'incoming_api')
    if (execution.exhausted) return { retry: true, block_full: this.blockFull() }
    const trace = execution.outcome
    const except = trace instanceof ChainError ? trace : trace.except
    this.queue.remove(entry)
    const is_over = meta.kind === 'input' && !except && this.onIncluded()
    if (except) this.logGivenUp(entry, except)
    outcome?.(except && !return_failure_trace ? except : trace)
    return { retry: false, block_full: is_over }
  }

  /** A transaction that was in a block before has no caller that learns of its failure. One that the new branch has is fine. */
  private logGivenUp({ meta, kind }: QueuedTransaction, except: ChainError): void {
    if (kind === 'incoming_api' || except.errorName === 'tx_duplicate') return
    this.log(
      'info',
      `transaction ${toHex(meta.id)} of a discarded block is not executed again: ${except.message}`,
    )
  }

  /**
   * An error that would make the block invalid is the transaction's failure: it must not be in the
   * block.
   */
  private tryExecute(meta: TransactionMetadata, from_client: boolean): Execution {
    try {
      return this.executor.execute(meta, from_client)
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      return { outcome: error, exhausted: false }
    }
  }

  /**
   * Removes or executes deferred transactions that are due, within their share of the block; for
   * each of them `incoming_defer_ratio` waiting incoming ones go first.
   * @returns false when the block is full
   */
  private *retireDeferred(incoming: Iterator<QueuedTransaction>): Generator<undefined, boolean> {
    const { max_scheduled_transaction_time_per_block_ms, incoming_defer_ratio } =
      this.options.runtime
    const share_us = max_scheduled_transaction_time_per_block_ms * 1000
    const until = Math.min(this.executor.window.deadline_us, this.clock.now() + share_us)
    for (const trx_id of this.chain.retirableTransactions()) {
      if (!(yield* this.executeAll(incoming, incoming_defer_ratio))) return false
      if (this.clock.now() >= until) return true
      this.retire(trx_id, until)
      if (this.blockFull()) return false
      yield
    }
    return true
  }

  private retire(trx_id: Uint8Array, block_deadline_us: number): void {
    try {
      this.chain.pushScheduled(trx_id, {
        block_deadline_us,
        max_transaction_time_us: Infinity,
        billed_cpu_time_us: 0,
        explicit_billed_cpu_time: false,
      })
    } catch (error) {
      // A transaction that was executed in the meantime may have cancelled it.
      if (!(error instanceof ChainError)) throw error
      this.log('debug', `deferred transaction ${toHex(trx_id)} is skipped: ${error.message}`)
    }
  }

  private tryNow(entry: QueuedTransaction): void {
    if (this.paused) return entry.outcome?.(evaluationPaused())
    if (!this.chain.pending || this.filling) return this.keep(entry)
    if (this.timeIsOver()) {
      // Many may come in one turn of the event loop, in which the block cannot be cut.
      this.keep(entry)
      return this.onExhausted()
    }
    const { retry, block_full } = this.execute(entry)
    if (retry) this.keep(entry)
    if (this.chain.pending && (block_full || (retry && !this.executor.window.producing))) {
      this.onExhausted()
    }
  }

  private keep(entry: QueuedTransaction): void {
    try {
      this.queue.addIncoming(entry)
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      entry.outcome?.(error)
    }
  }

  private timeIsOver(): boolean {
    return this.clock.now() >= this.executor.window.deadline_us
  }

  private blockFull(): boolean {
    return (
      Number(getBlockCpuLimit(this.chain.db)) < this.options.max_block_cpu_usage_threshold_us ||
      Number(getBlockNetLimit(this.chain.db)) < this.options.max_block_net_usage_threshold_bytes
    )
  }
}

function evaluationPaused(): ChainError {
  return new ChainError(
    'producer_exception',
    'transactions are not evaluated while production is paused at a block height; resume production first',
  )
}
