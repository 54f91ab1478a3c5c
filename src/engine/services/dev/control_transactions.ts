import {
  createMetadata,
  transactionKey,
  type TransactionMetadata,
} from '../../chain/base/transaction_metadata.ts'
import type { TransactionTrace } from '../../chain/base/trace.ts'
import type { Clock } from '../../clock.ts'
import { ChainError, check } from '../../errors.ts'
import { makePackedTransaction } from '../../protocol/packed_transaction.ts'
import { slotToUs } from '../../protocol/time.ts'
import { refBlockOf, type Action, plainTransaction } from '../../protocol/transaction.ts'
import type { Database } from '../../state/database.ts'
import type { AnyAccountMark } from './any_account_mark.ts'
import { endFilledBlock, mineOne, type MiningNode } from './mining.ts'

/** The time in which a transaction of the controls expires. */
const EXPIRATION_SEC = 60

/** The parts of the node that execute transactions of the controls. */
export interface ExecutingNode extends MiningNode {
  clock: Clock
  mark: AnyAccountMark
}

/** Makes the actions of a transaction from the state that it is executed on. */
type ActionsOf = (db: Database) => Action[]

/** The transactions that the controls make: each acts as any account, and gets a block at once. */
export class ControlTransactions {
  private readonly node: ExecutingNode

  constructor(node: ExecutingNode) {
    this.node = node
  }

  /** Executes actions, and makes the block that has them. @throws ChainError what they fail with */
  async execute(actionsOf: ActionsOf): Promise<void> {
    const { chain, mark, producer } = this.node
    // Not in the middle of a block of another producer.
    await endFilledBlock(this.node)
    const actions = actionsOf(chain.db)
    if (actions.length === 0) return
    mark.set()
    const { head } = chain
    const meta = { ...this.transactionOf(actions, 'input'), of_any_account: true }
    const { processor } = producer
    let outcome: TransactionTrace | ChainError | undefined
    processor.process(meta, false, (result) => (outcome = result))
    // It is in the pending block, or waits for one.
    if (!(outcome instanceof ChainError) && chain.head === head) await mineOne(this.node)
    const waiting = processor.queue.find(transactionKey(meta))
    if (waiting) processor.queue.remove(waiting)
    if (outcome instanceof ChainError) throw outcome
    check(outcome, 'producer_exception', 'the transaction does not fit in a block')
  }

  /** Executes actions without keeping anything. @throws ChainError what they fail with */
  try(actionsOf: ActionsOf): void {
    const { chain, producer } = this.node
    const actions = actionsOf(chain.db)
    if (actions.length === 0) return
    let error: ChainError | undefined
    producer.processor.processTransient(this.transactionOf(actions, 'dry_run'), (outcome) => {
      error = outcome instanceof ChainError ? outcome : outcome.except
    })
    if (error && error.errorName !== 'set_exact_code') throw error
  }

  private transactionOf(actions: Action[], kind: 'input' | 'dry_run'): TransactionMetadata {
    const { head } = this.node.chain
    const now_us = Math.max(slotToUs(head.timestamp), this.node.clock.now())
    const transaction = {
      expiration: Math.floor(now_us / 1_000_000) + EXPIRATION_SEC,
      ...refBlockOf(head.id),
      ...plainTransaction(actions),
    }
    return createMetadata(makePackedTransaction(transaction, []), kind)
  }
}
