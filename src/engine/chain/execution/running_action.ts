import type { Action } from '../../protocol/transaction.ts'
import type { Database } from '../../state/database.ts'
import type { BlockContext } from './block_context.ts'
import type { RunningTransaction } from './running_transaction.ts'

/**
 * The interface of the running action for the rules about inline actions, deferred transactions and
 * RAM; ApplyContext implements it.
 */
export interface RunningAction {
  readonly block: BlockContext
  readonly db: Database
  readonly tx: RunningTransaction
  readonly act: Action
  /** The account whose code runs. */
  readonly receiver: bigint
  /** Whether the receiver is a privileged account. */
  readonly privileged: boolean

  /** Whether the action declares an authorization of this account. */
  hasAuth(account: bigint): boolean
  /** @throws missing_auth_exception unless the action declares an authorization of this account */
  requireAuth(account: bigint): void
  /** Bills RAM bytes; the limit is checked at the end of the transaction. */
  addRamUsage(account: bigint, delta: number): void
  /** @throws when the transaction's time is over */
  checktime(): void
}
