import type { Action, Transaction } from '../../protocol/transaction.ts'
import type { Database } from '../../state/database.ts'
import type { ActionTrace, TransactionTrace } from '../base/trace.ts'
import type { TransactionMetadata } from '../base/transaction_metadata.ts'
import type { BlockProposals } from '../headers/proposals.ts'
import type { BlockContext } from './block_context.ts'
import type { CpuBudget } from './budgets/cpu_budget.ts'
import type { NewCodes } from './new_codes.ts'
import type { SequenceCounters } from './sequence_counters.ts'

/** The interface of the transaction for its actions; TransactionContext implements it. */
export interface RunningTransaction {
  readonly block: BlockContext
  readonly db: Database
  readonly meta: TransactionMetadata
  readonly trx: Transaction
  readonly trace: TransactionTrace
  readonly cpu: CpuBudget
  readonly sequences: SequenceCounters
  readonly is_read_only: boolean
  /** Whether its changes are always discarded: a read-only transaction or a dry run. */
  readonly is_transient: boolean
  readonly skip_checks: boolean
  readonly enforce_whiteblacklist: boolean
  /** When the transaction was published: its delay counts from here; microseconds. */
  readonly published_us: number
  readonly delay_us: number
  /** Proposals of this transaction, which the block adopts if the transaction succeeds. */
  readonly proposals: BlockProposals
  /** The codes that it sets, which are prepared if it succeeds. */
  readonly new_codes: NewCodes
  /** Digest of the last action that returned nothing, for its other receivers. */
  last_digest_act: Action | undefined
  last_digest: Uint8Array
  /** Bytes that may still be printed. */
  console_room: number

  /** Bills RAM bytes; the limit is checked at the end. */
  addRamUsage(account: bigint, delta: number): void
  /** The account's RAM is compared with its limit at the end. */
  checkRamOf(account: bigint): void
  /** Charges NET ahead for retiring a deferred transaction, however that ends. */
  addRetirementNetUsage(): void
  /** Adds an action to the trace.
   *  @returns its ordinal */
  scheduleAction(
    act: Action,
    receiver: bigint,
    context_free: boolean,
    creator_action_ordinal: number,
    closest_unnotified_ancestor_action_ordinal: number,
  ): number
  /** @throws transaction_exception where there is no action of this ordinal */
  actionTrace(ordinal: number): ActionTrace
  /** Runs a scheduled action, and those that it sends. */
  executeAction(ordinal: number, recurse_depth: number): void
}
