import type { Row } from '../../state/object_table.ts'
import type { GeneratedTransaction } from '../../state/rows.ts'
import type { BlockContext } from './block_context.ts'
import type { PushLimits } from './push_limits.ts'
import type { TransactionTrace } from '../base/trace.ts'
import type { TransactionMetadata } from '../base/transaction_metadata.ts'
import assert from 'node:assert'
import { ChainError, fail } from '../../errors.ts'
import { timePointToString } from '../../protocol/time.ts'
import { Reader } from '../../protocol/reader.ts'
import { unpackTransaction } from '../../protocol/transaction.ts'
import { removeScheduled } from './deferred.ts'
import {
  failureIsSubjective,
  isFatalToBlock,
  scheduledFailureIsSubjective,
} from './failure_kinds.ts'
import { onerrorTransaction } from './implicit_transactions.ts'
import { pushReceipt, reportTransaction } from './receipts.ts'
import { ensure } from '../base/refuse.ts'
import { addTransactionUsage, updateAccountUsage } from '../rules/resource_limits.ts'
import { checkActorList } from './subjective_lists.ts'
import { newTrace } from '../base/trace.ts'
import { TransactionStatus } from '../../protocol/transaction_status.ts'
import { authorizingActors } from './transaction_checks.ts'
import { TransactionContext } from './transaction_context.ts'
import { createUnsignedMetadata } from '../base/transaction_metadata.ts'

/** A deferred transaction that is removed from the state for its execution. */
interface Retirement {
  readonly block: BlockContext
  readonly generated: GeneratedTransaction
  readonly meta: TransactionMetadata
  readonly limits: PushLimits
  readonly start: number
  /** RAM that its removal gave back (negative). */
  readonly ram_delta: number
}

/**
 * Retires the deferred transaction with this id; see {@link pushScheduled}.
 * @throws ChainError unknown_transaction_exception, or as {@link pushScheduled}
 */
export function pushScheduledById(
  block: BlockContext,
  trx_id: Uint8Array,
  limits: PushLimits,
): TransactionTrace {
  const row = block.db.generated_transaction.find('by_trx_id', trx_id)
  if (!row) fail('unknown_transaction_exception', 'unknown transaction')
  return pushScheduled(block, row, limits)
}

/**
 * Retires a deferred transaction (spring: push_scheduled_transaction): it is executed; or it is
 * expired; or it fails and its sender's onerror runs (soft_fail); or that fails too (hard_fail).
 * Each leaves a receipt. A subjective failure leaves everything as it was, and no receipt.
 * @throws ChainError a subjective failure; transaction_exception in a received block without a CPU
 *   time
 */
export function pushScheduled(
  block: BlockContext,
  row: Row<GeneratedTransaction>,
  limits: PushLimits,
): TransactionTrace {
  const start = block.clock()
  ensure(
    block.speculative || limits.explicit_billed_cpu_time,
    'transaction_exception',
    'validating requires explicit billing',
  )
  const session = block.db.startSession()
  const checks_required = block.checks_required
  let retired = false
  try {
    const generated = { ...row }
    const ram_delta = removeScheduled(block.db, row)
    const trx = unpackTransaction(new Reader(generated.packed_trx))
    const meta = createUnsignedMetadata(trx, 'scheduled')
    const trace = retire({ block, generated, meta, limits, start, ram_delta })
    retired = trace.receipt !== undefined
    reportTransaction(block, trace)
    block.onAppliedTransaction?.(trace, meta)
    return trace
  } finally {
    block.checks_required = checks_required
    if (retired) session.squash()
    else session.undo()
  }
}

function retire(job: Retirement): TransactionTrace {
  const { block, generated } = job
  const disabled = block.isActivated('DISABLE_DEFERRED_TRXS_STAGE_1')
  // Once deferred transactions are disabled they expire, whenever they were due.
  if (!disabled)
    ensure(
      generated.delay_until <= block.block_time_us,
      'transaction_exception',
      "this transaction isn't ready",
      () => ({
        'gtrx.delay_until': timePointToString(generated.delay_until),
        pbt: timePointToString(block.block_time_us),
      }),
    )
  if (disabled || generated.expiration < block.block_time_us) return expire(job)
  block.checks_required = true
  return execute(job)
}

function expire(job: Retirement): TransactionTrace {
  const { block, generated, limits } = job
  const trace = newTrace(block, generated.trx_id)
  trace.scheduled = true
  const usage = { cpu_usage_us: limits.billed_cpu_time_us, net_usage: 0 }
  const trx = { id: generated.trx_id }
  trace.receipt = pushReceipt(block, trx, TransactionStatus.expired, usage)
  trace.account_ram_delta = { account: generated.payer, delta: job.ram_delta }
  trace.elapsed = block.clock() - job.start
  return trace
}

function execute(job: Retirement): TransactionTrace {
  const { block, generated, meta, limits } = job
  const by_contract = generated.sender !== 0n
  const tx = new TransactionContext(block, {
    meta,
    id: generated.trx_id,
    start: job.start,
    limits: { ...limits, subjective_cpu_bill_us: 0 },
    // No grace: that would take CPU from others.
    leeway_us: 0,
    enforce_whiteblacklist:
      !by_contract || !block.rules.sender_bypass_whiteblacklist.has(generated.sender),
  })
  let { trace } = tx
  let cpu_usage_us: number
  try {
    runDeferred(tx, generated)
    const usage = { cpu_usage_us: tx.cpu.billed_cpu_time_us, net_usage: trace.net_usage }
    const trx = { id: generated.trx_id }
    trace.receipt = pushReceipt(block, trx, TransactionStatus.executed, usage)
    trace.account_ram_delta = { account: generated.payer, delta: job.ram_delta }
    tx.squash()
    return trace
  } catch (error) {
    tx.undo()
    if (isFatalToBlock(error)) throw error
    cpu_usage_us = billFailure(tx)
    tx.noteException(error)
    trace.elapsed = block.clock() - job.start
  }
  if (by_contract && !isSubjective(block, trace)) {
    const failed = trace
    const onerror = tellSender(job, tx)
    trace = onerror.trace
    trace.failed_dtrx_trace = failed
    trace.elapsed = block.clock() - job.start
    if (!trace.except) {
      trace.account_ram_delta = { account: generated.payer, delta: job.ram_delta }
      return trace
    }
    cpu_usage_us = onerror.cpu_usage_us
  }
  if (!isSubjective(block, trace)) failHard(job, tx, trace, cpu_usage_us)
  return trace
}

function runDeferred(tx: TransactionContext, generated: GeneratedTransaction): void {
  const { block, trx } = tx
  tx.initForDeferred(generated.published)
  if (tx.enforce_whiteblacklist && block.speculative)
    checkActorList(block.rules, authorizingActors(trx))
  tx.exec()
  tx.finalize()
}

function isSubjective(block: BlockContext, { except }: TransactionTrace): boolean {
  assert(except instanceof ChainError)
  return block.speculative ? scheduledFailureIsSubjective(except) : failureIsSubjective(except)
}

/** CPU that a failed transaction is billed, microseconds. */
function billFailure(tx: TransactionContext): number {
  const { min_transaction_cpu_usage } = tx.db.global_property.single().configuration
  const now = tx.cpu.end(min_transaction_cpu_usage)
  return tx.cpu.updateBilled(now, min_transaction_cpu_usage)
}

/**
 * Runs the sender's onerror action (spring: apply_onerror). Its CPU time includes that of the
 * failed transaction.
 */
function tellSender(
  job: Retirement,
  failed: TransactionContext,
): { trace: TransactionTrace; cpu_usage_us: number } {
  const { block, generated, limits } = job
  const meta = createUnsignedMetadata(onerrorTransaction(block, generated), 'implicit')
  const tx = new TransactionContext(block, {
    meta,
    id: meta.id,
    start: failed.cpu.pseudo_start,
    limits: { ...limits, subjective_cpu_bill_us: 0 },
    enforce_whiteblacklist: failed.enforce_whiteblacklist,
  })
  const { trace } = tx
  try {
    tx.initForImplicit()
    tx.published_us = generated.published
    const action = meta.trx.actions[0]!
    tx.executeAction(tx.scheduleAction(action, generated.sender, false, 0, 0), 0)
    tx.finalize()
    const cpu_usage_us = tx.cpu.billed_cpu_time_us
    const usage = { cpu_usage_us, net_usage: trace.net_usage }
    const trx = { id: generated.trx_id }
    trace.receipt = pushReceipt(block, trx, TransactionStatus.soft_fail, usage)
    tx.squash()
    return { trace, cpu_usage_us }
  } catch (error) {
    tx.undo()
    if (isFatalToBlock(error)) throw error
    tx.noteException(error)
    return { trace, cpu_usage_us: billFailure(tx) }
  }
}

/** Retires the transaction as failed and bills its CPU, as far as the payers have it. */
function failHard(
  job: Retirement,
  tx: TransactionContext,
  trace: TransactionTrace,
  cpu_usage_us: number,
): void {
  const { block, generated } = job
  const { db, slot } = block
  if (block.speculative) {
    updateAccountUsage(db, tx.bill_to_accounts, slot)
    const payable = tx.payable(true)
    const limited = Math.min(cpu_usage_us, payable.cpu, tx.cpu.initial_objective_limit_us)
    ensure(
      !job.limits.explicit_billed_cpu_time || cpu_usage_us === limited,
      'transaction_exception',
      'cpu to bill ${cpu} != limited ${limit}',
      () => ({ cpu: cpu_usage_us, limit: limited }),
    )
    cpu_usage_us = limited
  }
  addTransactionUsage(db, tx.bill_to_accounts, cpu_usage_us, 0, slot)
  const trx = { id: generated.trx_id }
  const usage = { cpu_usage_us, net_usage: 0 }
  trace.receipt = pushReceipt(block, trx, TransactionStatus.hard_fail, usage)
  trace.account_ram_delta = { account: generated.payer, delta: job.ram_delta }
}
