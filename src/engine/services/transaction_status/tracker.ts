/**
 * The status of transactions that this node executed or saw in a block.
 * spring: plugins/chain_plugin/trx_finality_status_processing.cpp
 */
import { toHex } from '../../protocol/hex.ts'
import type { BlockState } from '../../chain/headers/block_state.ts'
import type { ChainEvents } from '../../chain/chain_events.ts'
import type { TransactionTrace } from '../../chain/base/trace.ts'
import { slotToUs } from '../../protocol/time.ts'
import { TransactionStatus } from '../../protocol/transaction_status.ts'
import { transactionKey, type TransactionMetadata } from '../../chain/base/transaction_metadata.ts'
import type { Clock } from '../../clock.ts'

/** The state of a tracked transaction, as get_transaction_status answers it. */
export type TransactionState =
  // Accepted by this node, not in a block.
  | 'LOCALLY_APPLIED'
  | 'IN_BLOCK'
  | 'IRREVERSIBLE'
  // Its block left the chain.
  | 'FORKED_OUT'
  // It expired without a block.
  | 'FAILED'
  | 'UNKNOWN'

/** The settings of transaction status. */
export interface TransactionStatusOptions {
  /** Memory for tracked transactions; bytes. Above it the oldest are removed. */
  max_bytes: number
  /**
   * The time for which a transaction in a block is tracked; microseconds since it was first seen.
   */
  success_duration_us: number
  /** The same for a transaction that is in no block. */
  failure_duration_us: number
}

/** A block as answers name it. */
export interface BlockReference {
  block_num: number
  id: Uint8Array
  /** Slot. */
  timestamp: number
}

/** The tracked data of one transaction. */
export interface KnownStatus {
  state: TransactionState
  /** Its block, or the one that was forked out. */
  block: BlockReference | undefined
  /** Seconds since 1970; undefined when the transaction is unknown. */
  expiration: number | undefined
}

interface Entry {
  /** Seconds since 1970. */
  readonly expiration: number
  readonly received_us: number
  block: BlockReference | undefined
  forked_out: boolean
}

const UNKNOWN: KnownStatus = { state: 'UNKNOWN', block: undefined, expiration: undefined }

/**
 * The memory of one transaction: its id as text, two objects, a map entry; measured, rounded up.
 */
export const STATUS_ENTRY_BYTES = 500
/** When the memory is full, this share of it is freed at once. */
const FREED_SHARE = 0.1

/**
 * Tracks the status of transactions that this node executed or saw in a block. Memory and time are
 * bounded: the oldest entries are removed first. Transactions of a block that is older than
 * `success_duration_us` when it is executed are not added.
 */
export class TransactionStatusTracker {
  /** By id in hex, in the order in which they were first seen. */
  private readonly entries = new Map<string, Entry>()
  /** Ids by the number of their block, for blocks that may still be forked out. */
  private readonly reversible = new Map<number, string[]>()
  private readonly options: TransactionStatusOptions
  private readonly max_entries: number
  private readonly clock: Clock
  private irreversible_block_num = 0
  private earliest: { key: string; entry: Entry; block: BlockReference } | undefined

  constructor(options: TransactionStatusOptions, clock: Clock) {
    this.options = options
    this.max_entries = Math.max(1, Math.floor(options.max_bytes / STATUS_ENTRY_BYTES))
    this.clock = clock
  }

  /** Follows a chain from now on. */
  follow(events: ChainEvents): void {
    events.on('transactionApplied', ({ trace, meta }) => this.applied(trace, meta))
    events.on('blockAccepted', (block) => this.accepted(block))
    events.on('blockUndone', (block) => this.undone(block))
    events.on('blockIrreversible', (block) => this.irreversible(block))
  }

  /** Number of transactions whose status is kept. */
  get size(): number {
    return this.entries.size
  }

  /** The status of a transaction; UNKNOWN if none is kept for it. */
  get(id: Uint8Array): KnownStatus {
    const entry = this.entries.get(toHex(id))
    const now_us = this.clock.now()
    if (!entry || this.isForgotten(entry, now_us)) return UNKNOWN
    const { block, expiration } = entry
    return { state: this.stateOf(entry, now_us), block, expiration }
  }

  /**
   * The block of the oldest tracked transaction that is in a block; if none is tracked, the last
   * such block.
   */
  get earliest_block(): BlockReference | undefined {
    return this.earliest?.block
  }

  /**
   * Counts only submissions of clients, and only successful ones; blocks are reported as a whole.
   */
  private applied(trace: TransactionTrace, meta: TransactionMetadata): void {
    if (meta.kind !== 'input' || trace.producer_block_id !== undefined) return
    if (trace.receipt?.status !== TransactionStatus.executed) return
    const entry = this.remember(transactionKey(meta), meta.trx.expiration, this.clock.now())
    entry.block = undefined
    entry.forked_out = false
  }

  private accepted(block: BlockState): void {
    const { block_num, id, timestamp } = block
    const reference = { block_num, id, timestamp }
    const ids: string[] = []
    const now_us = this.clock.now()
    // A node that catches up executes many old blocks, and no client asks for what is in them: only known entries change.
    const is_old = now_us - slotToUs(timestamp) >= this.options.success_duration_us
    const metas = is_old && this.entries.size === 0 ? [] : (block.trx_metas ?? [])
    for (const meta of metas) {
      const key = transactionKey(meta)
      if (is_old && !this.entries.has(key)) continue
      const entry = this.remember(key, meta.trx.expiration, now_us)
      entry.block = reference
      entry.forked_out = false
      ids.push(key)
    }
    if (ids.length > 0) this.reversible.set(block_num, ids)
    this.forgetOld()
    this.findEarliest()
  }

  private irreversible(block: BlockState): void {
    this.irreversible_block_num = block.block_num
    this.reversible.delete(block.block_num)
  }

  private undone({ block_num }: BlockState): void {
    for (const id of this.reversible.get(block_num) ?? []) {
      const entry = this.entries.get(id)
      if (entry) entry.forked_out = true
    }
    this.reversible.delete(block_num)
  }

  private remember(key: string, expiration: number, received_us: number): Entry {
    const known = this.entries.get(key)
    if (known && !this.isForgotten(known, received_us)) return known
    if (known) this.entries.delete(key)
    if (this.entries.size >= this.max_entries) this.free()
    const entry: Entry = { expiration, received_us, block: undefined, forked_out: false }
    this.entries.set(key, entry)
    return entry
  }

  /** The oldest go first; one that is remembered longer keeps those behind it a little longer. */
  private forgetOld(): void {
    const now_us = this.clock.now()
    for (const [key, entry] of this.entries) {
      if (!this.isForgotten(entry, now_us)) return
      this.entries.delete(key)
    }
  }

  private findEarliest(): void {
    const { earliest } = this
    if (earliest && this.entries.get(earliest.key) === earliest.entry && inBlock(earliest.entry)) {
      return
    }
    for (const [key, entry] of this.entries) {
      if (!inBlock(entry)) continue
      this.earliest = { key, entry, block: entry.block! }
      return
    }
  }

  private free(): void {
    let count = Math.ceil(this.max_entries * FREED_SHARE)
    for (const key of this.entries.keys()) {
      if (count-- === 0) return
      this.entries.delete(key)
    }
  }

  private isForgotten(entry: Entry, now_us: number): boolean {
    const { success_duration_us, failure_duration_us } = this.options
    const duration_us = inBlock(entry) ? success_duration_us : failure_duration_us
    return now_us - entry.received_us >= duration_us
  }

  private stateOf(entry: Entry, now_us: number): TransactionState {
    if (inBlock(entry)) {
      return entry.block!.block_num > this.irreversible_block_num ? 'IN_BLOCK' : 'IRREVERSIBLE'
    }
    if (now_us >= entry.expiration * 1_000_000) return 'FAILED'
    return entry.forked_out ? 'FORKED_OUT' : 'LOCALLY_APPLIED'
  }
}

function inBlock(entry: Entry): boolean {
  return entry.block !== undefined && !entry.forked_out
}
