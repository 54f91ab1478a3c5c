import type { PreparationAllowance } from './budgets/cpu_limits.ts'

/** Limits and billing of one pushed transaction (as controller::push_transaction). */
export interface PushLimits {
  /** Wall-clock end of the pending block, microseconds; Infinity when validating. */
  block_deadline_us: number
  /** Most wall-clock time that the node grants to this transaction, microseconds. */
  max_transaction_time_us: number
  /** CPU to bill instead of the measured one, when `explicit_billed_cpu_time`. */
  billed_cpu_time_us: number
  explicit_billed_cpu_time: boolean
  /** Subjective CPU already charged to the payer, microseconds. */
  subjective_cpu_bill_us?: number
  /**
   * The remaining time for which the transaction may wait for code in preparation. If absent, there
   * is not a limit.
   */
  preparation?: PreparationAllowance
  /**
   * Time for which the thread waits for a processor moves every deadline, the block's too. The CPU
   * time that is billed has its limits as always.
   */
  waits_for_processor?: boolean
}
