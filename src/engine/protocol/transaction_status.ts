/**
 * Outcomes of a transaction in its receipt, by the number on the wire
 * (spring: block.hpp transaction_receipt_header::status_enum).
 */
export const STATUS_NAMES = ['executed', 'soft_fail', 'hard_fail', 'delayed', 'expired'] as const

/** The status of a transaction in a block, as text. */
export type TransactionStatusName = (typeof STATUS_NAMES)[number]

/** The status of a transaction in a block, as number. */
export type TransactionStatusCode = 0 | 1 | 2 | 3 | 4

/** The numbers by name. */
export const TransactionStatus = {
  executed: 0,
  soft_fail: 1,
  hard_fail: 2,
  delayed: 3,
  expired: 4,
} as const satisfies Record<TransactionStatusName, TransactionStatusCode>
