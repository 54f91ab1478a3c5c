import { ChainError } from '../../engine/errors.ts'
import { TransactionContext } from '../../engine/chain/execution/transaction_context.ts'
import { createUnsignedMetadata } from '../../engine/chain/base/transaction_metadata.ts'
import type { ActionTrace } from '../../engine/chain/base/trace.ts'
import type { Action, Transaction } from '../../engine/protocol/transaction.ts'
import { EmulatedAction, requireContract, requirePermission } from './emulated_action.ts'
import type { EmulatedBlock } from './emulated_block.ts'
import type { RecordingTransaction } from './run_recorder.ts'

/** What a transaction asks the test's blockchain for. */
export type TransactionHooks = Pick<RecordingTransaction, 'creationTime' | 'knowsAction' | 'print'>

/** A transaction that ran. */
export interface TransactionRun {
  transaction: Transaction
  /** The runs of contracts in their order; the last one may have failed. */
  runs: readonly ActionTrace[]
  /** All actions, by ordinal from 1. */
  action_traces: readonly ActionTrace[]
  failure: ChainError | undefined
}

/** The CPU time that a transaction is billed; accounts have no limit of it. Microseconds. */
const BILLED_CPU_US = 100
/** A contract that runs as long as this ends with an error, as the process does nothing else meanwhile. */
const LONGEST_US = 60_000_000

/**
 * A transaction without signatures, expiration and reference to a block: the accounts that it names
 * authorize it. Contracts see it as it was made.
 */
export class EmulatedTransaction extends TransactionContext implements RecordingTransaction {
  readonly runs: ActionTrace[] = []
  private readonly hooks: TransactionHooks

  constructor(block: EmulatedBlock, transaction: Transaction, hooks: TransactionHooks) {
    const meta = createUnsignedMetadata(transaction, 'implicit')
    const start = block.clock()
    super(block, {
      meta,
      id: meta.id,
      start,
      limits: {
        block_deadline_us: start + LONGEST_US,
        max_transaction_time_us: LONGEST_US,
        billed_cpu_time_us: BILLED_CPU_US,
        explicit_billed_cpu_time: true,
      },
      enforce_whiteblacklist: false,
    })
    this.hooks = hooks
  }

  override executeAction(ordinal: number, recurse_depth: number): void {
    new EmulatedAction(this, this.actionTrace(ordinal), recurse_depth).exec()
  }

  creationTime(account: bigint): number | undefined {
    return this.hooks.creationTime(account)
  }

  knowsAction(action: Action): boolean {
    return this.hooks.knowsAction(action)
  }

  override addRamUsage(): void {}

  print(text: string): void {
    this.hooks.print(text)
  }
}

/** Runs a transaction in the block. Its failure is in the answer, and then nothing of it stays. */
export function runTransaction(
  block: EmulatedBlock,
  transaction: Transaction,
  hooks: TransactionHooks,
): TransactionRun {
  const tx = new EmulatedTransaction(block, transaction, hooks)
  const { runs } = tx
  const { action_traces } = tx.trace
  try {
    for (const action of transaction.actions) {
      requireContract(block.db, action, 'Contract %s missing for inline action')
      for (const level of action.authorization) requirePermission(block.db, level)
    }
    tx.initForImplicit()
    tx.exec()
    tx.finalize()
  } catch (error) {
    tx.undo()
    if (!(error instanceof ChainError)) throw error
    return { transaction, runs, action_traces, failure: error }
  }
  tx.squash()
  return { transaction, runs, action_traces, failure: undefined }
}
