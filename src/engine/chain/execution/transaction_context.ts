import type { Database } from '../../state/database.ts'
import type { Session } from '../../state/session.ts'
import type { Action, Transaction } from '../../protocol/transaction.ts'
import type { BlockContext } from './block_context.ts'
import type { BlockProposals } from '../headers/proposals.ts'
import type { PushLimits } from './push_limits.ts'
import type { RunningTransaction } from './running_transaction.ts'
import type { ActionTrace, TransactionTrace } from '../base/trace.ts'
import type { TransactionMetadata } from '../base/transaction_metadata.ts'
import { ChainError } from '../../errors.ts'
import { firstAuthorizer } from '../../protocol/transaction.ts'
import { errorCodeOf } from '../base/error_code.ts'
import { ApplyContext } from './apply_context.ts'
import { skipChecks } from './block_context.ts'
import { CpuBudget } from './budgets/cpu_budget.ts'
import { updatePermissionUsage } from '../rules/authorization.ts'
import { ensure, refuse } from '../base/refuse.ts'
import { NewCodes } from './new_codes.ts'
import { SequenceCounters } from './sequence_counters.ts'
import { NetBudget } from './budgets/net_budget.ts'
import {
  addPendingRamUsage,
  addTransactionUsage,
  getBlockCpuLimit,
  getBlockNetLimit,
  updateAccountUsage,
  verifyAccountRamUsage,
} from '../rules/resource_limits.ts'
import { NO_LIMIT, UNLIMITED, payableBandwidth } from './budgets/payable_bandwidth.ts'
import type { PayableBandwidth } from './budgets/payable_bandwidth.ts'
import { newTrace } from '../base/trace.ts'
import { createDelayedTransaction } from './deferred.ts'
import {
  inputNetUsage,
  recordTransaction,
  validateExpiration,
  validateReferencedAccounts,
  validateTapos,
} from './transaction_checks.ts'
import { DEFAULT_SUBJECTIVE_CPU_LEEWAY_US, TRANSACTION_ID_NET_USAGE } from '../base/constants.ts'
import { NO_BYTES } from '../../protocol/hex.ts'

/** The parameters of a transaction context. */
export interface TransactionContextOptions {
  meta: TransactionMetadata
  /** Id in the trace; for deferred transactions the id that their sender gave them. */
  id: Uint8Array
  /** The start of billing, microseconds. */
  start: number
  /** The waits of the thread up to now, if they are known; microseconds. */
  waited_us?: number | undefined
  limits: PushLimits
  /** Grace over what an account can pay; undefined = the default. */
  leeway_us?: number | undefined
  enforce_whiteblacklist: boolean
}

/**
 * One transaction while it runs: limits, trace, digests and its database session
 * (spring: transaction_context.cpp). Order of use: one init, then exec, finalize, and squash or
 * undo exactly once.
 */
export class TransactionContext implements RunningTransaction {
  readonly block: BlockContext
  readonly db: Database
  readonly meta: TransactionMetadata
  readonly trx: Transaction
  readonly trace: TransactionTrace
  readonly cpu: CpuBudget
  readonly net: NetBudget
  readonly sequences: SequenceCounters
  readonly limits: PushLimits
  readonly is_read_only: boolean
  readonly is_transient: boolean
  readonly skip_checks: boolean
  readonly leeway_us: number
  enforce_whiteblacklist: boolean
  /** When the transaction was published: its delay counts from here; microseconds. */
  published_us = 0
  delay_us = 0
  apply_context_free = true
  /** Sorted. */
  bill_to_accounts: bigint[] = []
  /** Accounts whose RAM grew; checked at the end. */
  private validate_ram_usage: Set<bigint> | undefined
  /** Digest of the last action that returned nothing, for its other receivers. */
  last_digest_act: Action | undefined
  last_digest: Uint8Array = NO_BYTES
  /** Proposals of this transaction; the block takes them over at squash. */
  readonly proposals: BlockProposals = {
    proposed_schedule: undefined,
    proposed_finalizer_policy: undefined,
  }
  readonly new_codes = new NewCodes()
  /** Bytes that may still be printed: a text has a greatest length, and an answer repeats it. */
  console_room = 16 * 1024 * 1024
  private session: Session | undefined
  /** The block's action digests before this transaction; undefined once it is over. */
  private digests_before: number | undefined
  private is_input = false

  constructor(block: BlockContext, options: TransactionContextOptions) {
    const { meta, limits } = options
    this.block = block
    this.db = block.db
    this.meta = meta
    this.trx = meta.trx
    this.limits = limits
    this.is_read_only = meta.kind === 'read_only'
    this.is_transient = this.is_read_only || meta.kind === 'dry_run'
    this.skip_checks = skipChecks(block)
    this.leeway_us = options.leeway_us ?? DEFAULT_SUBJECTIVE_CPU_LEEWAY_US
    this.enforce_whiteblacklist = options.enforce_whiteblacklist
    this.session = needsSession(block, meta) ? block.db.startSession() : undefined
    this.digests_before = digestCount(block)
    this.trace = newTrace(block, options.id)
    this.sequences = new SequenceCounters(block.db, this.is_read_only)
    this.net = new NetBudget(Number(getBlockNetLimit(block.db)), this.skip_checks)
    this.cpu = new CpuBudget({
      id: meta.id,
      start: options.start,
      waited_us: options.waited_us,
      clock: block,
      block_deadline_us: limits.block_deadline_us,
      max_transaction_time_us: limits.max_transaction_time_us,
      preparation: limits.preparation,
      waits_for_processor: limits.waits_for_processor,
      billed_cpu_time_us: limits.billed_cpu_time_us,
      explicit_billed_cpu_time: limits.explicit_billed_cpu_time,
      subjective_cpu_bill_us: limits.subjective_cpu_bill_us ?? 0,
      skip_checks: this.skip_checks,
    })
  }

  /** For onblock and onerror. */
  initForImplicit(): void {
    if (this.trx.transaction_extensions.length > 0)
      this.disallowExtensions('no transaction extensions supported yet for implicit transactions')
    this.published_us = this.block.block_time_us
    this.init(0)
  }

  /**
   * For transactions that were pushed or read from a block, and for transient ones.
   * @throws ChainError the reason to refuse the transaction before it is executed
   */
  initForInput(): void {
    const { block, trx } = this
    if (this.is_transient || block.isActivated('DISABLE_DEFERRED_TRXS_STAGE_1'))
      ensure(trx.delay_sec === 0, 'transaction_exception', 'transaction cannot be delayed')
    if (trx.transaction_extensions.length > 0)
      this.disallowExtensions('no transaction extensions supported yet for input transactions')
    const net_usage = inputNetUsage(this.db, this.meta)
    this.published_us = block.block_time_us
    this.is_input = true
    if (!this.skip_checks) {
      if (!this.is_read_only) {
        validateExpiration(block, trx)
        validateTapos(block, trx)
      }
      validateReferencedAccounts(block, trx, {
        read_only: this.is_read_only,
        enforce_lists: this.enforce_whiteblacklist && block.speculative,
      })
    }
    this.init(net_usage)
    if (!this.is_read_only) recordTransaction(this.db, this.meta.id, trx.expiration)
  }

  /** For transactions that were deferred; `published_us`: when that was. */
  initForDeferred(published_us: number): void {
    // Without expiration it was made after NO_DUPLICATE_DEFERRED_ID, and its extensions were checked then.
    if (this.trx.expiration !== 0 && this.trx.transaction_extensions.length > 0)
      this.disallowExtensions('no transaction extensions supported yet for deferred transactions')
    this.published_us = published_us
    this.trace.scheduled = true
    this.apply_context_free = false
    this.init(0)
  }

  private disallowExtensions(message: string): never {
    if (this.block.speculative) refuse('subjective_block_production_exception', message)
    refuse('disallowed_transaction_extensions_bad_block_exception', message)
  }

  private init(initial_net_usage: number): void {
    const { cpu, net, trx, db } = this
    const config = db.global_property.single().configuration
    this.setObjectiveCpuLimit()
    if (!this.is_read_only) {
      net.lower(Number(config.max_transaction_net_usage))
      cpu.lowerObjectiveLimit(config.max_transaction_cpu_usage, 'chain')
    }
    if (trx.max_net_usage_words > 0) net.lower(trx.max_net_usage_words * 8)
    if (trx.max_cpu_usage_ms > 0) cpu.lowerObjectiveLimit(trx.max_cpu_usage_ms * 1000, 'header')
    cpu.initial_objective_limit_us = cpu.objective_limit_us

    let account_cpu_limit = 0
    if (this.is_read_only) {
      net.setEagerLimit(Infinity)
      cpu.lowerToNodeLimits()
    } else {
      // Fails early where too much is to be billed.
      if (cpu.explicit) cpu.validateUsage(NO_LIMIT)
      this.bill_to_accounts = this.accountsToBill()
      updateAccountUsage(db, this.bill_to_accounts, this.block.slot)
      const payable = this.enforcedBandwidth()
      account_cpu_limit = payable.cpu
      net.setEagerLimit(payable.net + config.net_usage_leeway)
      cpu.lowerToAccountLimit(account_cpu_limit, this.leeway_us)
      cpu.lowerToNodeLimits()
      cpu.checkEstimate(account_cpu_limit, this.leeway_us)
    }
    if (initial_net_usage > 0) net.add(initial_net_usage)
    cpu.begin()
    cpu.checktime()
  }

  private setObjectiveCpuLimit(): void {
    const { cpu, db } = this
    // A read-only transaction has the time of its window, which is the node's affair alone.
    const window = this.limits.block_deadline_us - cpu.start
    const limit =
      this.is_read_only && Number.isFinite(window) ? window : Number(getBlockCpuLimit(db))
    cpu.setObjectiveLimit(limit)
  }

  private accountsToBill(): bigint[] {
    const { actions } = this.trx
    if (this.block.isActivated('ONLY_BILL_FIRST_AUTHORIZER')) return [firstAuthorizer(this.trx)]
    const [first] = actions
    if (first && actions.length === 1 && first.authorization.length === 1)
      return [first.authorization[0]!.actor]
    const accounts = new Set<bigint>()
    for (const { authorization } of actions)
      for (const { actor } of authorization) accounts.add(actor)
    return [...accounts].sort(compareNames)
  }

  /** Runs all actions; a delayed transaction is scheduled instead. */
  exec(): void {
    const { trx } = this
    if (this.apply_context_free)
      for (const act of trx.context_free_actions) this.scheduleAction(act, act.account, true, 0, 0)
    if (this.delay_us === 0)
      for (const act of trx.actions) this.scheduleAction(act, act.account, false, 0, 0)
    const count = this.trace.action_traces.length
    for (let ordinal = 1; ordinal <= count; ordinal++) this.executeAction(ordinal, 0)
    if (this.delay_us !== 0) createDelayedTransaction(this)
  }

  /** Checks what was used and bills it. */
  finalize(): void {
    const { cpu, net, db, trace, block } = this
    if (this.is_read_only) {
      net.roundUp()
      trace.net_usage = net.usage
      trace.elapsed = cpu.elapsed(cpu.end(0))
      return
    }
    this.sequences.write()
    if (this.is_input)
      for (const { authorization } of this.trx.actions)
        for (const level of authorization) updatePermissionUsage(db, level, block.block_time_us)
    if (this.validate_ram_usage)
      for (const account of [...this.validate_ram_usage].sort(compareNames))
        verifyAccountRamUsage(db, account)

    const payable = this.enforcedBandwidth()
    net.lower(payable.net)
    if (payable.cpu <= cpu.objective_limit_us) {
      cpu.objective_limit_us = payable.cpu
      cpu.billing_kind = 'tx_cpu_usage_exceeded'
      cpu.reason = 'account'
    }
    net.finish()
    trace.net_usage = net.usage
    const minimum = db.global_property.single().configuration.min_transaction_cpu_usage
    const now = cpu.end(minimum)
    trace.elapsed = cpu.elapsed(now)
    cpu.updateBilled(now, minimum)
    cpu.validateToBill(payable.cpu, minimum)
    addTransactionUsage(db, this.bill_to_accounts, cpu.billed_cpu_time_us, net.usage, block.slot)
  }

  /** Keeps the changes of this transaction, passes its proposals to the block and lets its codes be prepared. */
  squash(): void {
    this.new_codes.prepare(this.block)
    this.session?.squash()
    this.session = undefined
    this.digests_before = undefined
    const { proposals } = this.block
    if (this.proposals.proposed_schedule)
      proposals.proposed_schedule = this.proposals.proposed_schedule
    if (this.proposals.proposed_finalizer_policy) {
      this.block.onFinalizersProposed?.()
      proposals.proposed_finalizer_policy = this.proposals.proposed_finalizer_policy
    }
  }

  /** Undoes the changes; does nothing if this was done, or if the block alone is undone. */
  undo(): void {
    this.session?.undo()
    this.session = undefined
    if (this.digests_before !== undefined) cutDigests(this.block, this.digests_before)
    this.digests_before = undefined
  }

  /** Charges NET ahead for retiring a deferred transaction, however that ends. */
  addRetirementNetUsage(): void {
    const { configuration } = this.db.global_property.single()
    this.net.add(configuration.base_per_transaction_net_usage + TRANSACTION_ID_NET_USAGE)
  }

  addRamUsage(account: bigint, delta: number): void {
    addPendingRamUsage(this.db, account, delta)
    if (delta > 0) this.checkRamOf(account)
  }

  checkRamOf(account: bigint): void {
    this.validate_ram_usage ??= new Set()
    this.validate_ram_usage.add(account)
  }

  /** What the payers can pay; no limit where it is not checked. */
  private enforcedBandwidth(): Readonly<PayableBandwidth> {
    return this.skip_checks ? UNLIMITED : this.payable(false)
  }

  /** The bandwidth that the payers can pay; records whether the greylist limits it. */
  payable(force_elastic: boolean): PayableBandwidth {
    const payable = payableBandwidth(this.block, this.bill_to_accounts, force_elastic)
    this.net.due_to_greylist ||= payable.greylisted_net
    this.cpu.limited_by_greylist ||= payable.greylisted_cpu
    return payable
  }

  /** Adds an action to the trace; answers its ordinal. */
  scheduleAction(
    act: Action,
    receiver: bigint,
    context_free: boolean,
    creator_action_ordinal: number,
    closest_unnotified_ancestor_action_ordinal: number,
  ): number {
    const { action_traces } = this.trace
    const action_ordinal = action_traces.length + 1
    action_traces.push({
      action_ordinal,
      creator_action_ordinal,
      closest_unnotified_ancestor_action_ordinal,
      receipt: undefined,
      receiver,
      act,
      context_free,
      elapsed: 0,
      console: '',
      account_ram_deltas: [],
      except: undefined,
      error_code: undefined,
      return_value: NO_BYTES,
    })
    return action_ordinal
  }

  /**
   * The trace of an action.
   * @param ordinal its place among all actions of the transaction, from 1 on
   * @throws ChainError transaction_exception the transaction has no action with this ordinal
   */
  actionTrace(ordinal: number): ActionTrace {
    const trace = this.trace.action_traces[ordinal - 1]
    if (!trace)
      refuse(
        'transaction_exception',
        'action_ordinal ${ordinal} is outside allowed range [1,${max}]',
        { ordinal, max: this.trace.action_traces.length },
      )
    return trace
  }

  executeAction(ordinal: number, recurse_depth: number): void {
    new ApplyContext(this, this.actionTrace(ordinal), recurse_depth).exec()
  }

  /**
   * Records a failure in the trace. Errors other than ChainError are faults of the program and are
   * thrown again.
   */
  noteException(error: unknown): void {
    if (!(error instanceof ChainError)) throw error
    this.trace.net_usage = this.net.usage
    this.trace.error_code = errorCodeOf(error)
    this.trace.except = error
  }
}

function compareNames(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * Whether a transaction can be undone alone. The failure of an input transaction of a received block is that of
 * its block, whose session undoes both (spring: controller_impl::skip_db_sessions, for the log alone).
 */
function needsSession({ speculative }: BlockContext, { kind }: TransactionMetadata): boolean {
  return kind !== 'read_only' && (speculative || kind !== 'input')
}

/** Both lists of a block are of one length, if it has both. */
function digestCount({ action_digests: { legacy, savanna } }: BlockContext): number {
  return legacy?.length ?? savanna?.length ?? 0
}

function cutDigests({ action_digests: { legacy, savanna } }: BlockContext, length: number): void {
  legacy?.cut(length)
  savanna?.cut(length)
}
