import type { BlockContext } from './block_context.ts'
import type { PushLimits } from './push_limits.ts'
import type { TransactionTrace } from '../base/trace.ts'
import type { TransactionMetadata } from '../base/transaction_metadata.ts'
import { packedTransactionDigest } from '../../crypto/digests.ts'
import { checkAuthorization } from '../rules/authorization.ts'
import { permissionsOfAnyAccount } from './any_account.ts'
import { makeRestorePoint, restoreBlock } from './block_context.ts'
import { PERCENT_100 } from '../../protocol/constants.ts'
import { isFatalToBlock } from './failure_kinds.ts'
import { pushReceipt, reportTransaction } from './receipts.ts'
import { TransactionStatus } from '../../protocol/transaction_status.ts'
import { TransactionContext } from './transaction_context.ts'
import type { TransactionContextOptions } from './transaction_context.ts'

export { pushScheduled, pushScheduledById } from './push_scheduled.ts'

/**
 * Executes a transaction in the pending block (spring: controller_impl::push_transaction).
 *
 * Its failure is in `trace.except`, and then nothing of it stays; what throws makes the block
 * impossible. Dry-run and read-only transactions leave nothing behind. In an ephemeral block the
 * state is undone too, unless the node keeps such state, and the metadata stays for the queue.
 */
export function pushTransaction(
  block: BlockContext,
  meta: TransactionMetadata,
  limits: PushLimits,
): TransactionTrace {
  const { start, waited_us } = billingStart(block, meta, limits)
  const tx = new TransactionContext(block, {
    meta,
    id: meta.id,
    start,
    waited_us,
    limits,
    leeway_us: block.speculative ? block.rules.subjective_cpu_leeway_us : undefined,
    enforce_whiteblacklist: true,
  })
  const { trace } = tx
  try {
    execute(tx)
  } catch (error) {
    tx.undo()
    if (isFatalToBlock(error)) throw error
    tx.noteException(error)
    trace.elapsed = tx.cpu.elapsed(tx.cpu.end(0))
    if (!tx.is_transient) announce(block, trace, meta)
    return trace
  }
  if (tx.is_transient) {
    const point = makeRestorePoint(block)
    addToBlock(tx)
    restoreBlock(block, point)
    tx.undo()
    return trace
  }
  addToBlock(tx)
  announce(block, trace, meta)
  if (block.status === 'ephemeral' && !block.keep_ephemeral) tx.undo()
  else tx.squash()
  return trace
}

/** Billing starts before now: checks of codes and part of the time for recovering the keys are the sender's. */
function billingStart(
  block: BlockContext,
  meta: TransactionMetadata,
  limits: PushLimits,
): Pick<TransactionContextOptions, 'start' | 'waited_us'> {
  if (limits.explicit_billed_cpu_time) return { start: block.clock() }
  const now = block.waits?.now(() => block.clock()) ?? block.clock()
  const { sig_cpu_bill_pct } = block.rules
  const signatures = Math.floor((meta.signature_cpu_usage_us * sig_cpu_bill_pct) / PERCENT_100)
  const codes = meta.checked_codes.reduce((sum, { cpu_usage_us }) => sum + cpu_usage_us, 0)
  return { start: Math.max(now - signatures - codes, 0), waited_us: block.waits?.upTo(now) }
}

function execute(tx: TransactionContext): void {
  const { block, meta } = tx
  if (meta.kind === 'implicit') {
    tx.initForImplicit()
    tx.enforce_whiteblacklist = false
  } else tx.initForInput()
  tx.delay_us = meta.trx.delay_sec * 1_000_000
  if (!tx.skip_checks && meta.kind !== 'implicit' && !tx.is_read_only) {
    const of_any_account = permissionsOfAnyAccount(block, meta)
    checkAuthorization(block, {
      actions: meta.trx.actions,
      provided_keys: meta.recovered_keys,
      provided_delay_us: tx.delay_us,
      checktime: () => tx.cpu.checktime(),
      check_but_dont_fail: meta.kind === 'dry_run',
      satisfied_authorizations: of_any_account,
      allow_unused_keys: of_any_account.length > 0,
    })
  }
  tx.exec()
  tx.finalize()
}

function addToBlock(tx: TransactionContext): void {
  const { block, meta, trace } = tx
  const cpu_usage_us = tx.cpu.billed_cpu_time_us
  meta.billed_cpu_time_us = cpu_usage_us
  const status = tx.delay_us === 0 ? TransactionStatus.executed : TransactionStatus.delayed
  if (tx.is_read_only) {
    trace.receipt = { status, cpu_usage_us: 0, net_usage_words: 0 }
    return
  }
  if (meta.kind === 'implicit') {
    const net_usage_words = Math.floor(trace.net_usage / 8)
    trace.receipt = { status: TransactionStatus.executed, cpu_usage_us, net_usage_words }
  } else {
    const usage = { cpu_usage_us, net_usage: trace.net_usage }
    // Most transactions of the pending block are in the next block, whose receipts need their digests, too.
    if (block.speculative) meta.packed_digest ??= packedTransactionDigest(meta.packed)
    trace.receipt = pushReceipt(block, { packed: meta.packed }, status, usage, meta.packed_digest)
    block.trx_metas.push(meta)
  }
  if (!tx.is_transient) meta.accepted = true
}

function announce(block: BlockContext, trace: TransactionTrace, meta: TransactionMetadata): void {
  reportTransaction(block, trace)
  block.onAppliedTransaction?.(trace, meta)
}
