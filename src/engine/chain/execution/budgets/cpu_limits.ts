import type { WaitMeter } from './wait_meter.ts'

/** The limit that sets the deadline, named by the error that it raises. */
export type DeadlineKind =
  | 'deadline_exception'
  | 'block_cpu_usage_exceeded'
  | 'tx_cpu_usage_exceeded'
  | 'leeway_deadline_exception'

/** The lowest limit on the transaction itself. */
export type CpuLimitReason = 'account' | 'chain' | 'header' | 'node' | 'estimate'

/** The time that transactions are billed by, in microseconds; see BlockContext. */
export interface BillingClock {
  clock(): number
  /** Undefined if the system does not report how long the thread waited for a processor. */
  readonly waits: WaitMeter | undefined
}

/**
 * The total time for which the transactions of a block may wait for code in preparation on another
 * thread; microseconds. Each wait reduces it.
 */
export interface PreparationAllowance {
  left_us: number
}

/** The external limits and the billing of a transaction; times in microseconds. */
export interface CpuBudgetOptions {
  /** Id that errors name. */
  id: Uint8Array
  /** The start of billing: now, minus the billed time of key recovery. */
  start: number
  /** The waits of the thread up to now, if they are known. */
  waited_us?: number | undefined
  clock: BillingClock
  /** Wall-clock end; Infinity when a block is validated. */
  block_deadline_us: number
  /** The most that the node grants; Infinity for no limit. */
  max_transaction_time_us: number
  /** The CPU time to bill (explicit), or that of an earlier execution (estimate). */
  billed_cpu_time_us: number
  explicit_billed_cpu_time: boolean
  subjective_cpu_bill_us: number
  /** Whether checks of limits are skipped: replay or light validation. */
  skip_checks: boolean
  /** If absent, the wait for code has no limit. */
  preparation?: PreparationAllowance | undefined
  /** Whether waits for a processor move every deadline, without a limit and beyond the block's end. */
  waits_for_processor?: boolean | undefined
}
