import { check, ChainError } from '../../errors.ts'
import { toHex } from '../../protocol/hex.ts'
import { timePointSecToString, timePointToString } from '../../protocol/time.ts'
import type { TransactionTrace } from '../../chain/base/trace.ts'
import { transactionKey, type TransactionMetadata } from '../../chain/base/transaction_metadata.ts'

/** The origin of a waiting transaction; this is also the order of execution. */
export const QUEUE_KINDS = ['forked', 'aborted', 'incoming_api'] as const

/** The kind of a waiting transaction. */
export type QueueKind = (typeof QUEUE_KINDS)[number]

/** Called once with the outcome of a transaction: its trace, or the reason of a refusal. */
export type TransactionOutcome = (outcome: TransactionTrace | ChainError) => void

/** A transaction that waits for a block with space. */
export interface QueuedTransaction {
  readonly meta: TransactionMetadata
  readonly kind: QueueKind
  /** The submitter wants the trace of a failure, not the error alone. */
  readonly return_failure_trace: boolean
  readonly outcome: TransactionOutcome | undefined
}

/** Decoded transactions take about as much memory again; and the objects around them. */
const ENTRY_OVERHEAD_BYTES = 200

/**
 * Transactions that are not in a block: those of aborted and forked-out blocks, and new ones that
 * did not fit. Each id occurs once, except for dry runs, which never leave this node. The order
 * within a kind is the order of arrival.
 * spring: libraries/chain/include/eosio/chain/unapplied_transaction_queue.hpp
 */
export class TransactionQueue {
  /** By id in hex; dry runs by themselves. */
  private readonly kinds = new Map<QueueKind, Map<string | object, QueuedTransaction>>(
    QUEUE_KINDS.map((kind) => [kind, new Map()]),
  )
  private readonly max_bytes: number
  private bytes = 0

  /** @param max_bytes transactions are refused beyond this size */
  constructor(max_bytes: number) {
    this.max_bytes = max_bytes
  }

  /** Number of transactions of all kinds. */
  get size(): number {
    return QUEUE_KINDS.reduce((sum, kind) => sum + this.of(kind).size, 0)
  }

  /** Number of submitted transactions that were not executed yet. */
  get incoming_size(): number {
    return this.of('incoming_api').size
  }

  /**
   * Queues the transactions of a discarded block, which are executed first.
   * @returns how many were dropped because the queue is full
   */
  addBack(kind: 'forked' | 'aborted', metas: readonly TransactionMetadata[]): number {
    let dropped = 0
    for (const meta of metas) {
      const entry = { meta, kind, return_failure_trace: false, outcome: undefined }
      if (this.bytes + sizeOf(entry) < this.max_bytes) this.add(entry)
      else dropped += 1
    }
    return dropped
  }

  /**
   * Queues a new transaction. A duplicate gets its outcome at once.
   * @throws tx_resource_exhaustion if the queue is full
   */
  addIncoming(entry: QueuedTransaction): void {
    const known = this.sameAs(entry)
    if (known) {
      if (known.meta !== entry.meta) entry.outcome?.(duplicate(entry.meta.id))
      return
    }
    const size = sizeOf(entry)
    check(
      this.bytes + size < this.max_bytes,
      'tx_resource_exhaustion',
      () =>
        `Transaction ${toHex(entry.meta.id)}, size ${size} bytes would exceed configured ` +
        `incoming-transaction-queue-size-mb ${Math.floor(this.max_bytes / 2 ** 20)}, ` +
        `current queue size ${this.bytes} bytes`,
    )
    this.add(entry)
  }

  /** The transactions of the given kinds, in the order of execution. Entries may be removed
   *  while it is walked. */
  *entries(kinds: readonly QueueKind[] = QUEUE_KINDS): Generator<QueuedTransaction> {
    for (const kind of kinds) yield* this.of(kind).values()
  }

  /** A transaction that is to be in a block. @param key the id in hex */
  find(key: string): QueuedTransaction | undefined {
    for (const kind of QUEUE_KINDS) {
      const entry = this.of(kind).get(key)
      if (entry) return entry
    }
    return undefined
  }

  /** Removes an entry, if it is here. */
  remove(entry: QueuedTransaction): void {
    const entries = this.of(entry.kind)
    const key = keyOf(entry)
    if (entries.get(key) !== entry) return
    entries.delete(key)
    this.bytes -= sizeOf(entry)
  }

  /** Removes all; those who wait get this error. */
  clear(reason: ChainError): void {
    for (const entry of this.entries()) {
      this.remove(entry)
      entry.outcome?.(reason)
    }
  }

  /**
   * Removes transactions that expire at or before `block_time_us` and notifies the submitters.
   * Read-only transactions never expire, because clients give them no time (spring:
   * transaction_context::init_for_input_trx).
   * @returns those of a block that was in the chain: they have no submitter
   */
  removeExpired(block_time_us: number): TransactionMetadata[] {
    const forked: TransactionMetadata[] = []
    if (this.size === 0) return forked
    for (const entry of this.entries()) {
      if (entry.meta.kind === 'read_only') continue
      if (entry.meta.trx.expiration * 1e6 > block_time_us) continue
      this.remove(entry)
      const expiration = timePointSecToString(entry.meta.trx.expiration)
      entry.outcome?.(expired(entry.meta.id, expiration, block_time_us))
      if (entry.kind === 'forked') forked.push(entry.meta)
    }
    return forked
  }

  private add(entry: QueuedTransaction): void {
    if (this.sameAs(entry)) return
    this.of(entry.kind).set(keyOf(entry), entry)
    this.bytes += sizeOf(entry)
  }

  private sameAs(entry: QueuedTransaction): QueuedTransaction | undefined {
    if (entry.meta.kind === 'input') return this.find(transactionKey(entry.meta))
    return this.of(entry.kind).get(keyOf(entry))
  }

  private of(kind: QueueKind): Map<string | object, QueuedTransaction> {
    return this.kinds.get(kind)!
  }
}

/** The error of a transaction that is known already. */
export function duplicate(id: Uint8Array): ChainError {
  const text = toHex(id)
  return new ChainError('tx_duplicate', `duplicate transaction ${text}`).withLog(
    'duplicate transaction ${id}',
    { id: text },
  )
}

/** The error of a transaction whose time has passed. */
export function expired(id: Uint8Array, expiration: string, block_time_us: number): ChainError {
  const data = { id: toHex(id), e: expiration, bt: timePointToString(block_time_us) }
  return new ChainError(
    'expired_tx_exception',
    `expired transaction ${data.id}, expiration ${data.e}, block time ${data.bt}`,
  ).withLog('expired transaction ${id}, expiration ${e}, block time ${bt}', data)
}

function keyOf({ meta }: QueuedTransaction): string | object {
  return meta.kind === 'input' ? transactionKey(meta) : meta
}

function sizeOf(entry: QueuedTransaction): number {
  return (entry.meta.unprunable_size + entry.meta.prunable_size) * 2 + ENTRY_OVERHEAD_BYTES
}
