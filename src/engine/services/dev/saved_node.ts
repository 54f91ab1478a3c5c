import type { Checkpoint } from '../../chain/chain.ts'
import type { TransactionMetadata } from '../../chain/base/transaction_metadata.ts'
import type { MutableRules } from '../../chain/execution/subjective_rules.ts'
import type { Producer } from '../production/producer.ts'

/** A checkpoint of the chain, and the parts of the node beside it that come back with it. */
export class SavedNode {
  readonly checkpoint: Checkpoint
  /** Microseconds since 1970. */
  readonly time_us: number
  private readonly rules: MutableRules
  /** Transactions that wait for a block, or are in the pending one. */
  private readonly waiting: readonly TransactionMetadata[]

  constructor(
    checkpoint: Checkpoint,
    time_us: number,
    producer: Producer,
    pending: readonly TransactionMetadata[],
  ) {
    this.checkpoint = checkpoint
    this.time_us = time_us
    this.rules = copyOf(producer.rules)
    const queued = [...producer.processor.queue.entries()].map(({ meta }) => meta)
    this.waiting = [...pending, ...queued]
      .filter(({ kind }) => kind === 'input')
      .map((meta) => ({ ...meta }))
  }

  /** Gives the lists and the waiting transactions back; there is no pending block. */
  restore({ rules, processor }: Producer): void {
    Object.assign(rules, copyOf(this.rules))
    processor.queue.addBack(
      'aborted',
      this.waiting.map((meta) => ({ ...meta })),
    )
  }
}

/** The rules with lists of their own. */
function copyOf(rules: MutableRules): MutableRules {
  const fields = Object.entries(rules).map(([key, value]) => [
    key,
    value instanceof Set ? new Set(value) : (value as unknown),
  ])
  return Object.fromEntries(fields) as MutableRules
}
