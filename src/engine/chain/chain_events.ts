/**
 * The events of the chain for subscribers: status of transactions, retries, snapshots, state
 * history, traces, peers.
 *
 * A listener runs synchronously after the event, in the order of the subscriptions. An error of a
 * listener is logged and affects neither the chain nor other listeners.
 * spring: libraries/chain/controller.cpp (signals; emit)
 */
import type { Log } from '../log.ts'
import type { Database } from '../state/database.ts'
import type { RowDelta } from '../state/row_deltas.ts'
import type { TableName } from '../state/tables.ts'
import type { BlockStatus } from './execution/block_context.ts'
import type { BlockState } from './headers/block_state.ts'
import type { Vote } from '../protocol/vote.ts'
import type { TransactionTrace } from './base/trace.ts'
import type { TransactionMetadata } from './base/transaction_metadata.ts'

/** A block whose execution starts. */
export interface StartedBlock {
  readonly block_num: number
  /** Half seconds since 2000-01-01. */
  readonly slot: number
  readonly producer: bigint
  readonly status: BlockStatus
  /** Id of the signed block that is executed; undefined while this node produces the block. */
  readonly producer_block_id: Uint8Array | undefined
}

/** A transaction that was executed in a block, with its trace. */
export interface AppliedTransaction {
  readonly trace: TransactionTrace
  readonly meta: TransactionMetadata
}

/** A block that was executed, and what it did. */
export interface AppliedBlock {
  readonly block: BlockState
  /**
   * Number of transactions in the block: onblock, if it succeeded, and the transactions of the signed block. Each of them
   * had an event `transactionApplied` after `blockStarted`, with a receipt in its trace, in this order.
   */
  readonly transaction_count: number
  /** The state after the block. It may be read while the event is handled. */
  readonly db: Database
  /** Rows that the block created, changed or removed, each once; of some tables alone, if they are given. They are
   *  read from the undo log, so they must be read while the event is handled. @throws AssertionError when read later */
  deltas(tables?: ReadonlySet<TableName>): Iterable<RowDelta>
}

/** The events by name. */
export interface ChainEventMap {
  /** A pending block was opened; its onblock transaction was not executed yet. */
  blockStarted: StartedBlock
  /** A transaction was executed, failed or expired in the pending block; not a dry run. */
  transactionApplied: AppliedTransaction
  /** A block from outside is in the fork database, on any branch: its header is right. It may be executed later. */
  headerAccepted: BlockState
  /** The block is the head and is on disk, like `blockAccepted`. Comes before `blockApplied`, and so before the other
   *  work of this node for the block: peers wait for it. */
  blockStored: BlockState
  /** Like `blockAccepted`, immediately before it, with the changes of the block. */
  blockApplied: AppliedBlock
  /** The block is the head and is on disk. */
  blockAccepted: BlockState
  /** The block was the head and is no longer on the branch of the head. */
  blockUndone: BlockState
  /**
   * The chain went back to a checkpoint, of which this is the head: what came after it never happened. Comes after
   * `blockUndone` of each later block; their transactions are not `transactionUndone`.
   */
  wentBack: BlockState
  /** The block can never be undone and is in blocks.log. */
  blockIrreversible: BlockState
  /** A finalizer of this node voted; the vote may be given to others. */
  voteCast: Vote
  /** A valid vote of another node's finalizer came, which was not known. */
  voteReceived: Vote
  /** A fork switch left the block of this transaction; in the order of execution, after the switch. */
  transactionUndone: TransactionMetadata
}

/** The name of an event of the chain. */
export type ChainEventName = keyof ChainEventMap
type Listener<K extends ChainEventName> = (event: ChainEventMap[K]) => void

/**
 * Subscriptions to the events of one chain. An error of a listener is logged and affects neither
 * the chain nor other listeners.
 */
export class ChainEvents {
  private readonly log: Log
  private before_storing: readonly (() => Promise<void>)[] = []
  /** Lists are replaced, never changed: one may be walked through. */
  private readonly listeners: { [K in ChainEventName]?: readonly Listener<K>[] } = {}

  constructor(log: Log) {
    this.log = log
  }

  /** Subscribes to an event; the returned function ends the subscription. */
  on<K extends ChainEventName>(name: K, listener: Listener<K>): () => void {
    // Its own function, so that one listener may subscribe twice.
    const added: Listener<K> = (event) => listener(event)
    this.replace(name, [...this.of(name), added])
    return () =>
      this.replace(
        name,
        this.of(name).filter((other) => other !== added),
      )
  }

  /**
   * Adds work that must be done before the rows of irreversible blocks are stored: files that must have each
   * block are synced. If it fails, nothing more is stored and the node ends, so that the blocks are applied
   * again at the next start. The returned function ends this.
   */
  beforeStoring(work: () => Promise<void>): () => void {
    this.before_storing = [...this.before_storing, work]
    return () => {
      this.before_storing = this.before_storing.filter((other) => other !== work)
    }
  }

  /** Receives the error of {@link failStoring}. The chain sets it. */
  onStoringFailure: ((error: unknown) => void) | undefined

  /** A file that must have each block could not be written: nothing more is stored, and the node ends. */
  failStoring(error: unknown): void {
    this.onStoringFailure?.(error)
  }

  /** Does this work. @throws its errors */
  async prepareStoring(): Promise<void> {
    for (const work of this.before_storing) await work()
  }

  /** Whether the event has a subscriber. */
  has(name: ChainEventName): boolean {
    return this.of(name).length > 0
  }

  /** Calls every listener of the event. Never throws. */
  emit<K extends ChainEventName>(name: K, event: ChainEventMap[K]): void {
    const listeners = this.listeners[name]
    if (listeners === undefined) return
    for (const listener of listeners) {
      try {
        listener(event)
      } catch (error) {
        const reason = error instanceof Error ? error.stack : String(error)
        this.log('error', `a listener of ${name} failed: ${reason}`)
      }
    }
  }

  private of<K extends ChainEventName>(name: K): readonly Listener<K>[] {
    return this.listeners[name] ?? []
  }

  private replace<K extends ChainEventName>(name: K, listeners: readonly Listener<K>[]): void {
    const all: { [N in K]?: readonly Listener<N>[] } = this.listeners
    all[name] = listeners
  }
}
