/**
 * Transactions of peers on their way into the chain. Their keys are recovered and their codes checked together, but
 * they are executed in the order in which the peer sent them, and after the blocks that came: they may need both.
 * spring: plugins/producer_plugin/producer_plugin.cpp (on_incoming_transaction_async: blocks have the higher priority)
 */
import type { ReceivedTransaction } from '../../../net/peer_chain.ts'
import { ChainError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Producer } from '../production/producer.ts'
import type { Place } from '../production/submission.ts'
import type { BlockIntake } from './block_intake.ts'

/** The parts of the node that transactions of peers need. */
export interface TransactionIntakeDependencies {
  producer: Pick<Producer, 'submit'>
  blocks: Pick<BlockIntake, 'idle'>
  log: Log
}

/** Takes transactions of peers. */
export class TransactionIntake {
  private readonly deps: TransactionIntakeDependencies
  /** By the session of the connection: resolves when its last transaction was executed, queued or refused. */
  private readonly last = new Map<number, Promise<void>>()

  constructor(deps: TransactionIntakeDependencies) {
    this.deps = deps
  }

  /**
   * Executes a transaction, like a submission without an answer.
   * @param session of the connection that it came from
   * @param done called once, when it was executed or refused
   */
  take({ packed, opened }: ReceivedTransaction, session: number, done: () => void): void {
    const { producer, log } = this.deps
    const place = this.placeAfter(this.last.get(session), session)
    producer
      .submit(packed, { return_failure_trace: false, opened, place })
      .catch((error: unknown) => {
        if (!(error instanceof ChainError)) throw error
        log('debug', `a transaction of a peer failed: ${error.message}`)
      })
      .finally(done)
  }

  /** The place after the last transaction of the session. One that is refused early does not let others overtake. */
  private placeAfter(previous: Promise<void> | undefined, session: number): Place {
    let leave!: () => void
    const own = new Promise<void>((resolve) => (leave = resolve))
    const left = Promise.all([previous, own]).then(() => {
      if (this.last.get(session) === left) this.last.delete(session)
    })
    this.last.set(session, left)
    return {
      leave,
      reached: async () => {
        await previous
        await this.deps.blocks.idle()
      },
    }
  }
}
