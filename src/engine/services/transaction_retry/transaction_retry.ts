/**
 * Submissions that are answered when the block of their transaction is final: it has enough blocks
 * on top of it, or is irreversible. Until then, a transaction that is in no block is submitted
 * again. A submission fails if its transaction expires without a block, and never while it is in a
 * block.
 * spring: plugins/chain_plugin/trx_retry_db.cpp
 */
import assert from 'node:assert'
import { ChainError, check } from '../../errors.ts'
import { toHex } from '../../protocol/hex.ts'
import { slotToUs, timePointSecToString, timePointToString } from '../../protocol/time.ts'
import type { BlockState } from '../../chain/headers/block_state.ts'
import type { ChainEvents } from '../../chain/chain_events.ts'
import type { TransactionTrace } from '../../chain/base/trace.ts'
import { TransactionStatus } from '../../protocol/transaction_status.ts'
import { transactionKey, type TransactionMetadata } from '../../chain/base/transaction_metadata.ts'
import type { Clock } from '../../clock.ts'

/** The settings of transaction retry. */
export interface RetryOptions {
  /** Memory for the transactions that are waited for; bytes. Beyond it new ones are refused. */
  max_bytes: number
  /** The interval at which a transaction that is in no block is submitted again; microseconds. */
  interval_us: number
  /** The maximum time until the expiration of a transaction; microseconds. */
  max_expiration_us: number
}

/** A request that waits for a transaction. */
export interface RetryWait {
  /** Blocks on top of its block; undefined: until it is irreversible. */
  num_blocks: number | undefined
  /** Called once with the outcome. The trace is that of its block. */
  outcome: RetryOutcome
}

interface Tracked {
  readonly meta: TransactionMetadata
  readonly waits: RetryWait[]
  /** Its share of the permitted memory. */
  bytes: number
  /** The number of its block; 0 while it is in none. */
  block_num: number
  /** The result of its last execution, and the block. */
  trace: TransactionTrace | undefined
  last_try_us: number
  /** The reason why submitting it again failed. */
  failure: ChainError | undefined
}

/** A fork switch may still be in progress when a transaction leaves its block. */
const AFTER_FORK_US = 10_000_000
const ENTRY_OVERHEAD_BYTES = 1000
/** A request that waits, with its connection. */
const WAIT_BYTES = 500
/** The cost of an action in a trace, in addition to its bytes. */
const ACTION_TRACE_BYTES = 1000

/** The parts of the node that transaction retry uses. */
export interface RetryDependencies {
  clock: Clock
  /** Whether it is in a block of the head's branch, while it has not expired. */
  isKnown: (meta: TransactionMetadata) => boolean
}

/** Gets what came of a transaction, once: its trace, or why it was refused. */
export type RetryOutcome = (outcome: TransactionTrace | ChainError) => void

/** The queue of those who fill blocks. */
export interface RetryQueue {
  /** Whether the transaction waits for a block, in which it will be executed. */
  isWaiting: (meta: TransactionMetadata) => boolean
  /** Gives it to other nodes again. */
  relay: (meta: TransactionMetadata) => void
  /** Submits it again. */
  submit: (meta: TransactionMetadata, outcome: RetryOutcome) => void
}

/**
 * Follows submissions with `retry_trx` and submits them again while they are in no block. Each
 * submission gets exactly one answer: success in a final block, a failure, expiration, or the stop
 * of the node.
 */
export class TransactionRetry {
  private readonly tracked = new Map<string, Tracked>()
  private readonly options: RetryOptions
  private readonly deps: RetryDependencies
  private queue_: RetryQueue | undefined
  private bytes = 0

  constructor(options: RetryOptions, deps: RetryDependencies) {
    this.options = options
    this.deps = deps
  }

  /** Follows a chain from now on. */
  follow(events: ChainEvents): void {
    events.on('transactionApplied', ({ trace }) => this.applied(trace))
    events.on('blockAccepted', (block) => this.accepted(block))
    events.on('blockUndone', (block) => this.undone(block))
    events.on('blockIrreversible', (block) => this.irreversible(block))
    events.on('wentBack', () =>
      this.endAll(
        (id) => `the chain went back to a checkpoint while transaction ${id} was waited for`,
      ),
    )
  }

  /** Transactions are submitted to this queue again; called once, before the first one is tracked. */
  useQueue(queue: RetryQueue): void {
    this.queue_ = queue
  }

  /** Number of transactions that wait for their block. */
  get size(): number {
    return this.tracked.size
  }

  /** @throws tx_exp_too_far_exception when the transaction would be waited for too long */
  checkExpiration(expiration: number): void {
    const { max_expiration_us } = this.options
    const latest = Math.ceil((this.deps.clock.now() + max_expiration_us) / 1_000_000)
    check(
      expiration <= latest,
      'tx_exp_too_far_exception',
      () =>
        `retry transaction expiration ${timePointSecToString(expiration)} ` +
        `larger than allowed ${timePointSecToString(latest)}`,
    )
  }

  /**
   * Follows a transaction that is about to be submitted for the first time, or joins the requests
   * that already wait for it.
   * @returns a callback for the outcome of that submission; undefined if it need not be submitted
   * @throws tx_resource_exhaustion if there is no memory for it
   */
  track(meta: TransactionMetadata, wait: RetryWait): RetryOutcome | undefined {
    check(
      this.bytes < this.options.max_bytes,
      'tx_resource_exhaustion',
      () => `Transaction exceeded transaction-retry-max-storage-size-gb limit: ${this.bytes} bytes`,
    )
    const key = transactionKey(meta)
    const known = this.tracked.get(key)
    if (known) {
      known.waits.push(wait)
      this.grow(known, WAIT_BYTES)
      return undefined
    }
    const entry: Tracked = {
      meta,
      waits: [wait],
      bytes: 0,
      block_num: 0,
      trace: undefined,
      last_try_us: this.deps.clock.now(),
      failure: undefined,
    }
    this.tracked.set(key, entry)
    this.grow(entry, sizeOf(meta) + WAIT_BYTES)
    return (outcome) => this.submitted(entry, outcome)
  }

  /** Ends every wait: the node stops, and what becomes of the transactions is not known. */
  endWaits(): void {
    this.endAll(
      (id) =>
        `the node stops while transaction ${id} is waited for; ` +
        'it may be in a block, or still enter one before it expires',
    )
  }

  private endAll(reason: (id: string) => string): void {
    for (const entry of this.tracked.values()) {
      this.answer(entry, new ChainError('producer_exception', reason(toHex(entry.meta.id))))
    }
  }

  /**
   * The first execution decides: a failure is answered at once, unless the transaction is in a
   * block. Another client's submission of the same transaction counts too.
   */
  private submitted(entry: Tracked, outcome: TransactionTrace | ChainError): void {
    const error = outcome instanceof ChainError ? outcome : outcome.except
    if (!error || entry.block_num !== 0) return
    if (error.errorName === 'tx_duplicate' && this.queue.isWaiting(entry.meta)) return
    this.answer(entry, outcome)
  }

  private applied(trace: TransactionTrace): void {
    if (this.tracked.size === 0) return
    if (trace.receipt?.status !== TransactionStatus.executed || trace.scheduled) return
    const entry = this.tracked.get(toHex(trace.id))
    if (!entry) return
    this.grow(entry, traceSize(trace) - traceSize(entry.trace))
    entry.trace = trace
  }

  private accepted(block: BlockState): void {
    if (this.tracked.size === 0) return
    for (const meta of block.trx_metas ?? []) this.included(transactionKey(meta), block)
    for (const entry of this.tracked.values()) {
      if (entry.block_num === 0) continue
      this.answerWaits(
        entry,
        (wait) => entry.block_num + (wait.num_blocks ?? Infinity) <= block.block_num,
      )
    }
    this.retry()
  }

  private included(key: string, block: BlockState): void {
    const entry = this.tracked.get(key)
    if (!entry) return
    assert(entry.trace, 'a transaction is in a block without having been executed')
    const { block_num, id, timestamp } = block
    entry.block_num = block_num
    entry.trace = { ...entry.trace, block_num, block_time: timestamp, producer_block_id: id }
  }

  private undone({ block_num }: BlockState): void {
    const { interval_us } = this.options
    const now_us = this.deps.clock.now()
    for (const entry of this.tracked.values()) {
      if (entry.block_num !== block_num) continue
      entry.block_num = 0
      if (entry.last_try_us + interval_us <= now_us) entry.last_try_us += AFTER_FORK_US
    }
  }

  private retry(): void {
    const now_us = this.deps.clock.now()
    for (const entry of [...this.tracked.values()]) {
      const due = entry.block_num === 0 && entry.last_try_us + this.options.interval_us <= now_us
      if (!due) continue
      entry.last_try_us = now_us
      if (this.deps.isKnown(entry.meta)) continue
      this.queue.relay(entry.meta)
      if (this.queue.isWaiting(entry.meta)) continue
      this.queue.submit(entry.meta, (outcome) => {
        // A transaction that never succeeded here fails now.
        if (!entry.trace) this.submitted(entry, outcome)
        entry.failure = outcome instanceof ChainError ? outcome : outcome.except
      })
    }
  }

  private irreversible(block: BlockState): void {
    const block_time_us = slotToUs(block.timestamp)
    for (const entry of this.tracked.values()) {
      if (entry.block_num !== 0) {
        if (entry.block_num <= block.block_num) this.answerWaits(entry, () => true)
      } else if (entry.meta.trx.expiration * 1_000_000 <= block_time_us) {
        this.answer(entry, this.expired(entry, block_time_us))
      }
    }
  }

  private expired({ meta, failure }: Tracked, block_time_us: number): ChainError {
    const error = new ChainError(
      'expired_tx_exception',
      `expired retry transaction ${toHex(meta.id)}, ` +
        `expiration ${timePointSecToString(meta.trx.expiration)}, ` +
        `block time ${timePointToString(block_time_us)}`,
    )
    return failure ? error.append(`submitted again it failed: ${failure.message}`) : error
  }

  /** Answers the requests whose condition is met. */
  private answerWaits(entry: Tracked, isEnough: (wait: RetryWait) => boolean): void {
    const [done, waiting] = [entry.waits.filter(isEnough), entry.waits.filter((w) => !isEnough(w))]
    if (done.length === 0) return
    entry.waits.splice(0, Infinity, ...waiting)
    if (waiting.length === 0) this.forget(entry)
    for (const wait of done) wait.outcome(entry.trace!)
  }

  private answer(entry: Tracked, outcome: TransactionTrace | ChainError): void {
    this.forget(entry)
    for (const wait of entry.waits.splice(0)) wait.outcome(outcome)
  }

  private get queue(): RetryQueue {
    assert(this.queue_, 'there is no queue to submit to')
    return this.queue_
  }

  private grow(entry: Tracked, bytes: number): void {
    entry.bytes += bytes
    this.bytes += bytes
  }

  private forget(entry: Tracked): void {
    if (this.tracked.delete(transactionKey(entry.meta))) this.bytes -= entry.bytes
  }
}

function sizeOf(meta: TransactionMetadata): number {
  return ENTRY_OVERHEAD_BYTES + 2 * (meta.unprunable_size + meta.prunable_size)
}

function traceSize(trace: TransactionTrace | undefined): number {
  let bytes = 0
  for (const { act, console, return_value } of trace?.action_traces ?? []) {
    bytes += ACTION_TRACE_BYTES + act.data.length + console.length + return_value.length
  }
  return bytes
}
