import type { WaitMeter } from './wait_meter.ts'

/** The limit that sets the deadline, named by the error that it raises. */
export type DeadlineKind =
  | 'deadline_exception'
  | 'block_cpu_usage_exceeded'
  | 'tx_cpu_usage_exceeded'
  | 'leeway_deadline_exception'

/** Which limit on the transaction itself is the lowest. */
export type CpuLimitReason = 'account' | 'chain' | 'header' | 'node' | 'estimate'

/** The time that transactions are billed by, in microseconds; see BlockContext. */
export interface BillingClock {
  clock(): number
  /** Undefined if the system does not report how long the thread waited for a processor. */
  readonly waits: WaitMeter | undefined
}

/**
 * How long the transactions of a block may wait, in sum, for code that is being prepared on another
 * thread; microseconds. It gets less with each wait.
 */
export interface PreparationAllowance {
  left_us: number
}

/** How a transaction is limited and billed from outside; times in microseconds. */
export interface CpuBudgetOptions {
  /** Id that errors name. */
  id: Uint8Array
  /** When billing began: now, less what key recovery is billed. */
  start: number
  clock: BillingClock
  /** Wall-clock end; Infinity when a block is validated. */
  block_deadline_us: number
  /** The most that the node grants; Infinity for no limit. */
  max_transaction_time_us: number
  /** What to bill (explicit) or what an earlier execution took (estimate). */
  billed_cpu_time_us: number
  explicit_billed_cpu_time: boolean
  subjective_cpu_bill_us: number
  /** Checks of limits are left out: replay or light validation. */
  skip_checks: boolean
  /** If absent, the wait for code has no limit. */
  preparation?: PreparationAllowance | undefined
}
