import type { Database } from '../../state/database.ts'

/** The interface of the running action for the database functions. */
export interface DatabaseContext {
  readonly db: Database
  /** The account whose code runs; it owns the tables that are written. */
  readonly receiver: bigint
  /** Read-only transaction: every write fails. */
  readonly read_only: boolean

  /** @throws when the deadline or a CPU limit has passed */
  checktime(): void
  /** Bills `delta` RAM bytes, with the payer rules (spring: apply_context::update_db_usage). */
  updateDbUsage(payer: bigint, delta: number): void
}
