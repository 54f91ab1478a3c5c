import { toHex } from '../../../protocol/hex.ts'
import { refuse } from '../../base/refuse.ts'
import type {
  BillingClock,
  CpuBudgetOptions,
  CpuLimitReason,
  DeadlineKind,
  PreparationAllowance,
} from './cpu_limits.ts'
import { clockAfter } from './wait_meter.ts'
import type { WaitMeter } from './wait_meter.ts'

const REASON_TEXT: Record<CpuLimitReason, string> = {
  account: ' reached account cpu limit ${limit}us',
  chain: ' reached on chain max_transaction_cpu_usage ${limit}us',
  header: ' reached trx specified max_cpu_usage_ms ${limit}us',
  node: ' reached node configured max-transaction-time ${limit}us',
  estimate: ' reached speculative executed adjusted trx max time ${limit}us',
}

/** Added where the CPU time alone would not have reached the limit. */
const WAIT_TEXT = ' while the machine was busy with other programs for ${waited}us'

/**
 * Waits move a deadline by as much as it was away at first, or by this: a machine that does a fifth of
 * what it should must not give all of its blocks to a transaction that never ends.
 */
const LEAST_STRETCH_US = 50_000

/** Deadlines from here on are none: 7 * 52 days. */
const FAR_FUTURE_US = 364 * 24 * 3600 * 1_000_000

/**
 * The CPU time of one transaction: deadline, pauses, and what is billed
 * (spring: the timing half of transaction_context.cpp).
 *
 * The deadline only ever gets lower while limits are applied, and moves by the length of every
 * pause afterwards, never beyond the block's deadline. Here a time in which the processors were busy
 * with other threads is a pause too: limits are on the CPU time that is billed, the block's deadline
 * alone is on the time that passes, unless the node waits for processors (`waits_for_processor`). To ask
 * for it takes system calls, so that is done only where it can change something: at the end of what took longer than the least that is billed, around pauses,
 * and when a deadline seems to have passed.
 */
export class CpuBudget {
  readonly start: number
  readonly max_transaction_time_us: number
  readonly explicit: boolean
  readonly subjective_cpu_bill_us: number
  readonly skip_checks: boolean
  billed_cpu_time_us: number
  deadline = Infinity
  /** The objective limit in force, lowered step by step. */
  objective_limit_us = 0
  /** The objective limit as it was after init, for billing hard failures. */
  initial_objective_limit_us = 0
  /** The error that the deadline raises. */
  deadline_kind: DeadlineKind = 'block_cpu_usage_exceeded'
  /** The error that objective limits raise. */
  billing_kind: DeadlineKind = 'block_cpu_usage_exceeded'
  reason: CpuLimitReason = 'account'
  limited_by_greylist = false
  /** Start as if there had been no pauses. */
  pseudo_start: number
  private block_deadline: number
  private readonly waits_for_processor: boolean
  private readonly preparation: PreparationAllowance | undefined
  private readonly far_future: number
  private readonly clock: BillingClock
  private readonly waits: WaitMeter | undefined
  private readonly id: Uint8Array
  private billed_time = 0
  private paused_time = 0
  /** Up to here the deadline may move for waits. */
  private latest_deadline = Infinity
  /** The thread's waits up to here are accounted for. */
  private waited_seen = 0
  /** Waits that are not billed. */
  private waited_us = 0
  /** The time at which checktime fails; Infinity means never, and the clock is not read. */
  private expires_at = Infinity

  constructor(options: CpuBudgetOptions) {
    this.id = options.id
    this.clock = options.clock
    this.start = options.start
    this.pseudo_start = options.start
    this.far_future = options.start + FAR_FUTURE_US
    this.block_deadline = Math.min(options.block_deadline_us, this.far_future)
    this.max_transaction_time_us = options.max_transaction_time_us
    this.explicit = options.explicit_billed_cpu_time
    this.billed_cpu_time_us = options.billed_cpu_time_us
    this.subjective_cpu_bill_us = options.subjective_cpu_bill_us
    this.skip_checks = options.skip_checks
    this.waits = options.explicit_billed_cpu_time ? undefined : options.clock.waits
    this.waited_seen = options.waited_us ?? this.waits?.upTo(options.start) ?? 0
    this.preparation = options.preparation
    this.waits_for_processor = options.waits_for_processor ?? false
  }

  /** Sets the objective limit that everything else can only lower. */
  setObjectiveLimit(limit_us: number): void {
    this.objective_limit_us = limit_us
    this.deadline = this.start + limit_us
  }

  /** Lowers the objective limit to a limit on this transaction, if it is lower. */
  lowerObjectiveLimit(limit_us: number, reason: CpuLimitReason): void {
    if (limit_us > this.objective_limit_us) return
    this.setObjectiveLimit(limit_us)
    this.billing_kind = 'tx_cpu_usage_exceeded'
    this.reason = reason
  }

  /** Lowers the deadline to what the payers can pay plus the leeway. */
  lowerToAccountLimit(account_cpu_limit_us: number, leeway_us: number): void {
    if (account_cpu_limit_us + leeway_us > this.deadline - this.start) return
    this.deadline = this.start + account_cpu_limit_us + leeway_us
    this.billing_kind = 'leeway_deadline_exception'
  }

  /** Lowers the deadline to what the node grants and to the end of the block. */
  lowerToNodeLimits(): void {
    if (this.start + this.max_transaction_time_us <= this.deadline) {
      this.deadline = this.start + this.max_transaction_time_us
      this.reason = this.billed_cpu_time_us > 0 ? 'estimate' : 'node'
      this.billing_kind = 'tx_cpu_usage_exceeded'
    }
    if (this.block_deadline < this.deadline) {
      this.deadline = this.block_deadline
      this.billing_kind = 'deadline_exception'
    }
  }

  /** Lowers the deadline to the account's CPU less its subjective bill, and refuses hopeless estimates. */
  checkEstimate(account_cpu_limit_us: number, leeway_us: number): void {
    if (this.explicit) return
    let limit = account_cpu_limit_us - this.subjective_cpu_bill_us + leeway_us
    if (this.subjective_cpu_bill_us > 0 && this.start + limit < this.deadline) {
      this.deadline = this.start + limit
      this.billing_kind = 'tx_cpu_usage_exceeded'
      this.reason = 'account'
    }
    // An estimate within 10 % of what is left is refused before it runs.
    if (limit > 0) limit -= Math.floor(limit / 10)
    this.validateEstimate(Math.max(limit, 0))
  }

  /** Ends the setting of limits and starts the deadline. */
  begin(): void {
    if (this.explicit) {
      this.deadline = this.block_deadline
      this.deadline_kind = 'deadline_exception'
    } else {
      this.deadline_kind = this.billing_kind
    }
    if (this.skip_checks) this.deadline = this.block_deadline
    const stretch_us = Math.max(this.deadline - this.start, LEAST_STRETCH_US)
    this.latest_deadline = this.waits_for_processor ? Infinity : this.deadline + stretch_us
    this.startTimer(this.deadline < this.far_future ? this.deadline : Infinity)
  }

  private startTimer(expires_at: number): void {
    this.expires_at = expires_at
  }

  /**
   * Checks the deadline. Cheap: this runs in every loop of a contract.
   * @throws ChainError the error of the deadline that has passed
   */
  checktime(): void {
    if (this.expires_at === Infinity) return
    this.checktimeAt(this.clock.clock())
  }

  /** The same, for a caller that has just read the clock. */
  checktimeAt(now: number): void {
    if (now < this.expires_at) return
    this.skipWaits(now)
    if (now >= this.expires_at) this.throwExpired(now)
  }

  /** Moves what is billed and the deadline by the time that the thread waited for a processor. */
  private skipWaits(now: number): void {
    if (this.waits === undefined) return
    const waited = this.waits.read(now)
    const skipped = waited - this.waited_seen
    if (skipped <= 0) return
    this.waited_seen = waited
    this.waited_us += skipped
    this.pseudo_start += skipped
    if (this.waits_for_processor) this.block_deadline += skipped
    // A transaction whose time is over by the clock also fails in the next block, so its error does
    // not change.
    this.deadline = Math.min(this.deadline + skipped, this.latest_deadline, this.block_deadline)
    this.startTimer(this.deadline < this.far_future ? this.deadline : Infinity)
  }

  /**
   * The time at the end, for {@link elapsed} and {@link updateBilled}. Reads the clock, and
   * excludes waits of the thread if more than `minimum_us` would be billed. The reading of the waits, which the
   * reference does not do, is not billed.
   */
  end(minimum_us: number): number {
    let end = this.clock.clock()
    if (this.waits === undefined || end - this.pseudo_start <= minimum_us) return end
    clockAfter(this.now, (before) => {
      end = before
      this.skipWaits(before)
    })
    return end
  }

  private readonly now = (): number => this.clock.clock()

  /** Microseconds since the start, pauses included and waits for a processor not. */
  elapsed(now: number): number {
    return Math.max(0, now - this.start - this.waited_us)
  }

  private throwExpired(now: number): never {
    const billing_timer = now - this.pseudo_start
    if (this.explicit || this.deadline_kind === 'deadline_exception')
      refuse('deadline_exception', 'deadline exceeded ${billing_timer}us', { billing_timer })
    if (this.deadline_kind === 'block_cpu_usage_exceeded')
      refuse(
        'block_cpu_usage_exceeded',
        'not enough time left in block to complete executing transaction ${billing_timer}us',
        { billing_timer },
      )
    if (this.deadline_kind === 'leeway_deadline_exception')
      refuse(
        'leeway_deadline_exception',
        'the transaction was unable to complete by deadline, but it is possible it could have ' +
          'succeeded if it were allowed to run to completion ${billing_timer}',
        { billing_timer },
      )
    const no_more_time = now >= this.latest_deadline || now >= this.block_deadline
    const has_waited = this.waited_us > 0 && no_more_time
    const format =
      'transaction ${id} was executing for too long ${billing_timer}us' +
      this.subjectiveText(' with a subjective cpu of (${subjective} us)') +
      REASON_TEXT[this.reason] +
      (has_waited ? WAIT_TEXT : '')
    const data = {
      id: toHex(this.id),
      billing_timer,
      subjective: this.subjective_cpu_bill_us,
      limit: this.reasonLimit(),
      // Without a wait, the error is the reference's.
      ...(has_waited ? { waited: this.waited_us } : {}),
    }
    if (this.limited_by_greylist)
      refuse('greylist_cpu_usage_exceeded', `greylisted ${format}`, data)
    refuse('tx_cpu_usage_exceeded', format, data)
  }

  private subjectiveText(text: string): string {
    return this.subjective_cpu_bill_us > 0 ? text : ''
  }

  private reasonLimit(): number {
    return this.reason === 'node' || this.reason === 'estimate'
      ? this.max_transaction_time_us
      : this.objective_limit_us
  }

  /** Stops billing, around work that the payer must not pay for. */
  pause(): void {
    this.paused_time = this.end(0)
    this.billed_time = this.paused_time - this.pseudo_start
    this.pseudo_start = 0
    this.startTimer(Infinity)
  }

  /** The time for which code may be waited for now; milliseconds. */
  preparationTime(): number {
    if (this.preparation === undefined) return Infinity
    const left_us = Math.min(this.preparation.left_us, this.block_deadline - this.clock.clock())
    return Math.max(0, left_us / 1000)
  }

  /** Resumes billing; the deadline moves by the length of the pause. */
  resume(): void {
    let waited = 0
    const now =
      this.waits === undefined
        ? this.clock.clock()
        : clockAfter(this.now, (at) => (waited = this.waits!.read(at)))
    if (this.preparation !== undefined) this.preparation.left_us -= now - this.paused_time
    this.pseudo_start = now - this.billed_time
    // Waits within a pause are a part of it.
    if (this.waits !== undefined) {
      if (this.waits_for_processor) this.block_deadline += waited - this.waited_seen
      this.waited_seen = waited
    }
    const paused = now - this.paused_time
    this.latest_deadline += paused
    this.deadline += paused
    if (this.block_deadline < this.deadline) {
      this.deadline_kind = 'deadline_exception'
      this.deadline = this.block_deadline
    }
    this.startTimer(this.deadline < this.far_future ? this.deadline : Infinity)
  }

  /** Measures what is to be billed, unless that was given. */
  updateBilled(now: number, min_transaction_cpu_usage: number): number {
    if (!this.explicit)
      this.billed_cpu_time_us = Math.max(now - this.pseudo_start, min_transaction_cpu_usage)
    return this.billed_cpu_time_us
  }

  /**
   * Refuses to bill less than the minimum or more than the limits.
   * @throws ChainError transaction_exception below the minimum, or as {@link validateUsage}
   */
  validateToBill(account_cpu_limit_us: number, min_transaction_cpu_usage: number): void {
    if (this.skip_checks) return
    if (this.billed_cpu_time_us < min_transaction_cpu_usage)
      refuse(
        'transaction_exception',
        'cannot bill CPU time less than the minimum of ${min_billable} us',
        { min_billable: min_transaction_cpu_usage, billed_cpu_time_us: this.billed_cpu_time_us },
      )
    this.validateUsage(account_cpu_limit_us)
  }

  /**
   * Refuses to bill more than the limits.
   * @throws ChainError block_cpu_usage_exceeded, tx_cpu_usage_exceeded, or the error of the limit
   *   that applies
   */
  validateUsage(account_cpu_limit_us: number): void {
    const billed = this.billed_cpu_time_us
    if (billed <= 0 || this.skip_checks) return
    if (this.blockIsTheLimit(account_cpu_limit_us)) {
      if (billed > this.objective_limit_us)
        refuse(
          'block_cpu_usage_exceeded',
          'billed CPU time (${billed} us) is greater than the billable CPU time left in the block ' +
            '(${billable} us)',
          { billed, billable: this.objective_limit_us },
        )
      return
    }
    const billable = Math.min(account_cpu_limit_us, this.objective_limit_us)
    if (billed <= billable) return
    this.refuseUsage(
      account_cpu_limit_us,
      'billed CPU time (${billed} us) is greater than the maximum',
      REASON_TEXT[this.reason],
      { billed, billable, limit: this.reasonLimit() },
    )
  }

  private validateEstimate(account_cpu_limit_us: number): void {
    const billed = this.billed_cpu_time_us
    if (billed < 0 || this.skip_checks) return
    if (this.blockIsTheLimit(account_cpu_limit_us)) {
      if (billed >= this.objective_limit_us)
        refuse(
          'block_cpu_usage_exceeded',
          'estimated CPU time (${billed} us) is not less than the billable CPU time left in the ' +
            'block (${billable} us)',
          { billed, billable: this.objective_limit_us },
        )
      return
    }
    const billable = Math.min(account_cpu_limit_us, this.objective_limit_us)
    if (billed < billable) return
    this.refuseUsage(
      account_cpu_limit_us,
      'estimated CPU time (${billed} us) is not less than the maximum',
      REASON_TEXT.account,
      { billed, billable, limit: billable },
    )
  }

  private blockIsTheLimit(account_cpu_limit_us: number): boolean {
    return (
      account_cpu_limit_us > this.objective_limit_us &&
      this.billing_kind === 'block_cpu_usage_exceeded'
    )
  }

  private refuseUsage(
    account_cpu_limit_us: number,
    excess: string,
    reason: string,
    numbers: { billed: number; billable: number; limit: number },
  ): never {
    const greylisted = this.limited_by_greylist && account_cpu_limit_us <= this.objective_limit_us
    refuse(
      greylisted ? 'greylist_cpu_usage_exceeded' : 'tx_cpu_usage_exceeded',
      excess +
        (greylisted ? ' greylisted' : '') +
        ' billable CPU time for the transaction (${billable} us)' +
        this.subjectiveText(' with a subjective cpu of (${subjective} us)') +
        reason,
      {
        billed: numbers.billed,
        billable: numbers.billable,
        subjective: this.subjective_cpu_bill_us,
        limit: numbers.limit,
      },
    )
  }
}
