import type { RunningTransaction } from '../../engine/chain/execution/running_transaction.ts'
import type { ActionTrace } from '../../engine/chain/base/trace.ts'
import type { Action } from '../../engine/protocol/transaction.ts'

/** The transaction for its actions, with what is noted of their runs. */
export interface RecordingTransaction extends RunningTransaction {
  /** The runs of contracts in their order. */
  readonly runs: ActionTrace[]
  /** Microseconds since 1970; undefined for an account that the test did not create. */
  creationTime(account: bigint): number | undefined
  /** Whether the ABI of its contract has the action, or the test did not create the account. */
  knowsAction(action: Action): boolean
  /** A contract printed; one character for each byte. */
  print(text: string): void
}
