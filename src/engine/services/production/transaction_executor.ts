/**
 * Executes one transaction in the pending block, under the limits of this node: its deadline, what
 * the account was charged for failures, and how often it may fail.
 * spring: plugins/producer_plugin/producer_plugin.cpp (push_transaction, handle_push_result)
 */
import type { Log } from '../../log.ts'
import { ChainError, logOf } from '../../errors.ts'
import { toHex } from '../../protocol/hex.ts'
import { nameToString } from '../../protocol/name.ts'
import { slotToUs, timePointToString } from '../../protocol/time.ts'
import { firstAuthorizer } from '../../protocol/transaction.ts'
import type { Chain } from '../../chain/chain.ts'
import type { PushLimits } from '../../chain/execution/push_limits.ts'
import { isUnlimitedCpu } from '../../chain/rules/resource_limits.ts'
import type { TransactionTrace } from '../../chain/base/trace.ts'
import type { TransactionMetadata } from '../../chain/base/transaction_metadata.ts'
import { BlockTimes } from './block_times.ts'
import type { Clock } from '../../clock.ts'
import type { ProducerOptions } from './producer_options.ts'
import type { SubjectiveLimits } from '../subjective_billing/subjective_limits.ts'

/** Failures that depend on the remaining space or time, not on the transaction. */
const EXHAUSTED = new Set([
  'block_cpu_usage_exceeded',
  'block_net_usage_exceeded',
  'deadline_exception',
])

/** The result of an execution. */
export interface Execution {
  /** The trace; the error alone when the transaction was refused without being executed. */
  outcome: TransactionTrace | ChainError
  /** It did not fit, or the end of the block stopped it: it may be executed in another block. */
  exhausted: boolean
}

/** The end of the pending block, and the length of a block. */
export interface BlockWindow {
  /** The block will be signed. */
  producing: boolean
  /** Microseconds since 1970. */
  deadline_us: number
  /** The time of a block that starts on time; microseconds. */
  full_us: number
}

/**
 * The total time for which the transactions of one block may wait for code in preparation: enough
 * for ordinary code that was just set, and a small part of a block. A transaction that would wait
 * longer is executed in the next block.
 */
const PREPARATION_WAIT_US = 100_000
/** A transaction that had this much of a whole block would not succeed in the next one either. */
const WHOLE_CHANCE = 0.9
/** A transaction that ran for less than this, and then waited for the processor until its time was over, hardly began. */
const HARDLY_BEGUN_US = 3000
/**
 * The reserve at the end of the window for read-only transactions. spring:
 * _ro_read_window_minimum_time_us
 */
const READ_WINDOW_MARGIN_US = 10_000

/** The parts of the node that the executor uses. */
export interface ExecutorDependencies {
  chain: Chain
  clock: Clock
  log: Log
  limits: SubjectiveLimits
}

/**
 * Executes single transactions in the pending block with the limits of this node. A failed
 * transaction leaves no changes in the state.
 */
export class TransactionExecutor {
  readonly limits: SubjectiveLimits
  readonly times: BlockTimes
  private window_: BlockWindow = { producing: false, deadline_us: 0, full_us: Infinity }
  private preparation = { left_us: PREPARATION_WAIT_US }
  private readonly options: ProducerOptions
  private readonly deps: ExecutorDependencies

  constructor(options: ProducerOptions, deps: ExecutorDependencies) {
    this.options = options
    this.deps = deps
    this.limits = deps.limits
    this.times = new BlockTimes(deps.clock)
  }

  /** The time that the pending block has for transactions. */
  get window(): BlockWindow {
    return this.window_
  }

  set window(window: BlockWindow) {
    this.window_ = window
    this.preparation = { left_us: PREPARATION_WAIT_US }
  }

  /** Called when a block was started. */
  blockStarted(window: BlockWindow): void {
    const { chain, clock, log } = this.deps
    const { block_num, slot } = chain.pending!
    this.window = window
    this.limits.failures.blockStarted(block_num, (text) => log('debug', text))
    this.limits.billing.removeExpired(slotToUs(slot), clock.now())
  }

  /**
   * Executes a transaction; a failure is in the trace.
   * @param from_client true for submissions to this node, false for transactions of discarded
   *   blocks
   */
  execute(meta: TransactionMetadata, from_client: boolean): Execution {
    const execution = this.attempt(meta, from_client)
    // At once, because those that follow may need it.
    const again = hardlyBegan(execution.outcome) && this.deps.clock.now() < this.window.deadline_us
    return again ? this.attempt(meta, from_client) : execution
  }

  private attempt(meta: TransactionMetadata, from_client: boolean): Execution {
    const { billing } = this.limits
    const account = firstAuthorizer(meta.trx)
    const billed = meta.kind === 'input' && billing.isBilled(account, from_client)
    if (this.isBlocked(meta, from_client)) {
      return { outcome: this.limitReached(meta, account), exhausted: false }
    }
    this.times.other()
    const start_us = this.deps.clock.now()
    const subjective_cpu_bill_us = billed ? billing.billOf(account, start_us) : 0
    const limits = this.limitsFor(meta, account, subjective_cpu_bill_us)
    const outcome = this.deps.chain.pushTransaction(meta, limits)
    const exhausted = this.isExhausted(outcome)
    const failure = exhausted ? undefined : outcome.except
    this.times.transaction(meta.kind !== 'input' ? 'transient' : failure ? 'failure' : 'success')
    if (billed) this.charge(meta, account, outcome, failure)
    return { outcome, exhausted }
  }

  /** Whether the sender's transactions failed too often for now; only of those who are billed for failures. */
  isBlocked(meta: TransactionMetadata, from_client: boolean): boolean {
    const { billing, failures } = this.limits
    const account = firstAuthorizer(meta.trx)
    const billed = meta.kind === 'input' && billing.isBilled(account, from_client)
    return billed && failures.limitReached(account)
  }

  /** The time that counts is that of its work: the end of the block also comes while other programs have the processor. */
  private isExhausted(trace: TransactionTrace): boolean {
    const { except, elapsed } = trace
    if (hardlyBegan(trace)) return true
    if (!except || !EXHAUSTED.has(except.errorName)) return false
    const whole_chance = elapsed >= this.window.full_us * WHOLE_CHANCE
    return !(except.errorName === 'deadline_exception' && whole_chance)
  }

  private limitReached(meta: TransactionMetadata, account: bigint): ChainError {
    const { block_num, timestamp } = this.deps.chain.head
    const until = this.limits.failures.nextReset(block_num, slotToUs(timestamp))
    return new ChainError(
      'tx_cpu_usage_exceeded',
      `transaction ${toHex(meta.id)} exceeded failure limit for account ${nameToString(account)} ` +
        `until ${timePointToString(until)}`,
    )
  }

  private limitsFor(
    meta: TransactionMetadata,
    account: bigint,
    subjective_cpu_bill_us: number,
  ): PushLimits {
    const { producing, deadline_us } = this.window
    let max_transaction_time_us = this.maxTransactionTime(meta)
    // A transaction that was executed before gets twice its earlier time, so that its cost cannot
    // grow without limit after a cheap first execution.
    if (producing && meta.billed_cpu_time_us > 0 && this.isLimited(account)) {
      max_transaction_time_us = Math.min(max_transaction_time_us, meta.billed_cpu_time_us * 2)
    }
    return {
      block_deadline_us: deadline_us,
      max_transaction_time_us,
      billed_cpu_time_us: meta.billed_cpu_time_us,
      subjective_cpu_bill_us,
      explicit_billed_cpu_time: false,
      preparation: this.preparation,
      waits_for_processor: this.options.waits_for_processor,
    }
  }

  /** The most that this node grants to a transaction; microseconds. */
  maxTransactionTime({ kind }: Pick<TransactionMetadata, 'kind'>): number {
    const { runtime, read_only_window_us } = this.options
    const max_ms = runtime.max_transaction_time
    const max_us = max_ms < 0 ? Infinity : max_ms * 1000
    if (kind !== 'read_only') return max_us
    return Math.min(max_us, read_only_window_us - READ_WINDOW_MARGIN_US)
  }

  private isLimited(account: bigint): boolean {
    const { billing } = this.limits
    const billed = billing.isBilled(account, true) || billing.isBilled(account, false)
    return billed && !isUnlimitedCpu(this.deps.chain.db, account)
  }

  private charge(
    meta: TransactionMetadata,
    account: bigint,
    { elapsed, except }: TransactionTrace,
    failure: ChainError | undefined,
  ): void {
    const { billing, failures } = this.limits
    if (failure && failure.errorName !== 'tx_duplicate') {
      billing.billFailure(account, elapsed, this.deps.clock.now())
      failures.add(account, failure)
    }
    // The transactions of a produced block are billed by the block.
    if (!except && !this.window.producing) {
      billing.bill(meta.id, meta.trx.expiration, account, elapsed)
    }
  }
}

/** Whether it was stopped because other programs had the processor, rather than for what it did. */
function hardlyBegan(outcome: TransactionTrace | ChainError): boolean {
  if (outcome instanceof ChainError || outcome.except === undefined) return false
  const { except, elapsed } = outcome
  if (except.errorName !== 'tx_cpu_usage_exceeded' || elapsed >= HARDLY_BEGUN_US) return false
  return except.details[0] !== undefined && 'waited' in logOf(except.details[0]).data
}
