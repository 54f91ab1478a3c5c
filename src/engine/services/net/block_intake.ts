/**
 * Blocks of peers on their way into the chain: checked in the order in which they came and added to
 * the fork database, then executed. Certificates and keys are verified on other threads meanwhile.
 * spring: plugins/net_plugin/net_plugin.cpp (handle_message signed_block),
 * plugins/producer_plugin/producer_plugin.cpp (on_incoming_block)
 */
import { setImmediate } from 'node:timers/promises'
import type { BlockOutcome, OpenedBlock, ReceivedBlock } from '../../../net/peer_chain.ts'
import type { Chain } from '../../chain/chain.ts'
import type { KnownTransactions } from '../../chain/blocks/recover_block.ts'
import type { BlockState } from '../../chain/headers/block_state.ts'
import { isProperSavanna } from '../../chain/headers/savanna/header_state.ts'
import type { Clock } from '../../clock.ts'
import { ChainError, check } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { bytesEqual, toHex } from '../../protocol/hex.ts'
import { slotToUs } from '../../protocol/time.ts'
import type { BlockRecovery } from '../production/block_recovery.ts'
import type { Producer } from '../production/producer.ts'

/** Transactions of blocks whose keys are recovered ahead: some 100 ms of work of a thread, longer than a wait for the
 *  disk. */
const RECOVERED_AHEAD = 6000
/** So many blocks wait for their execution; the others are not checked meanwhile. What is done with a branch of the fork
 *  database takes longer, the longer it is. */
const MAX_UNAPPLIED = 64
/** A block of more bytes is refused by its header, if that can be, before the rest is read: it may have hundreds of
 *  thousands of transactions. */
const LARGE = 64 * 1024
/** Others are served after so much time of executing blocks. */
const SLICE_US = 50_000
/** The same while this node catches up, at least and at most: each slice ends with a wait for the disk. */
const CATCH_UP_SLICE_US = 100_000
const MAX_CATCH_UP_SLICE_US = 400_000
/** A slice in between is so many times as long as the last wait. */
const SLICE_OF_WAITS = 20
/** A node that executes blocks of this age is catching up. */
const PAST_US = 30_000_000
/** Turns of the event loop between two slices, as long as blocks come. */
const MAX_TURNS = 32
/** A producer refuses blocks that are further ahead. spring: net_plugin.cpp (block_from_the_future) */
const FUTURE_US = 7_000_000

/** The parts of the node that blocks of peers need. */
export interface IntakeDependencies {
  chain: Chain
  producer: Producer
  clock: Clock
  log: Log
}

interface Waiting {
  received: ReceivedBlock
  outcome: (outcome: BlockOutcome) => void
}

/** Keys that are recovered, or will be, of a block that waits for its execution. */
interface Recovery {
  block_num: number
  transactions: number
  keys: BlockRecovery
}

/** Takes blocks of peers. At most one is checked at a time, and at most one slice is executed. */
export class BlockIntake {
  private readonly deps: IntakeDependencies
  private readonly waiting: Waiting[] = []
  /** Blocks that came. */
  private taken = 0
  private is_checking = false
  /** The execution in progress. */
  private applying: Promise<void> | undefined
  /** By id in hex. */
  private readonly recoveries = new Map<string, Recovery>()
  private recovered_transactions = 0
  private is_stopped = false
  /** How long the last slice waited for the disk. */
  private waited_us = 0
  /** What waits until the blocks of a slice are on the disk; undefined between slices. */
  private after_slice: (() => void)[] | undefined
  /** What waits until no block is checked or executed. */
  private readonly idle_waiters: (() => void)[] = []

  constructor(deps: IntakeDependencies) {
    this.deps = deps
  }

  /** Follows the chain: when this node has made a block, those that came meanwhile are executed. */
  follow(): void {
    const { chain, clock, producer } = this.deps
    // What came while the chain was paused is executed first. spring: producer_plugin.cpp (start_block: apply_blocks)
    producer.loop.beforeLeavingHeight = () => this.apply()
    chain.events.on('blockAccepted', ({ key }) => {
      this.forget(key)
      clock.wakeAt(clock.now(), () => this.apply())
    })
    chain.events.on('blockIrreversible', ({ block_num }) => {
      for (const [key, recovery] of this.recoveries) {
        if (recovery.block_num <= block_num) this.forget(key)
      }
    })
  }

  /** Blocks are in the fork database that were not executed: this node must not build on its head. */
  get is_behind(): boolean {
    return this.applying !== undefined && this.unapplied().length > 0
  }

  /** Resolves when the blocks that came are executed, but for those that wait until this node has made a block. */
  async idle(): Promise<void> {
    if (this.is_idle) return
    await new Promise<void>((resolve) => this.idle_waiters.push(resolve))
  }

  private get is_idle(): boolean {
    return !this.is_checking && this.waiting.length === 0 && this.applying === undefined
  }

  private noteIdle(): void {
    if (this.is_idle) for (const resume of this.idle_waiters.splice(0)) resume()
  }

  /** Takes a block; `outcome` is called when it is checked. */
  take(received: ReceivedBlock, outcome: (outcome: BlockOutcome) => void): void {
    this.taken += 1
    this.waiting.push({ received, outcome })
    void this.checkAll()
  }

  /** Takes no more blocks. Resolves when none is in execution. */
  async stop(): Promise<void> {
    this.is_stopped = true
    this.waiting.length = 0
    await this.applying
  }

  /** Checks what waits, until enough blocks wait for their execution. */
  private async checkAll(): Promise<void> {
    if (this.is_checking) return
    this.is_checking = true
    try {
      while (!this.is_full) {
        const next = this.waiting.shift()
        if (next === undefined) return
        await this.checkOne(next)
      }
    } finally {
      this.is_checking = false
      this.noteIdle()
    }
  }

  private get is_full(): boolean {
    return this.applying !== undefined && this.deps.chain.unappliedBlocks().length >= MAX_UNAPPLIED
  }

  private async checkOne({ received, outcome }: Waiting): Promise<void> {
    const { chain, producer } = this.deps
    if (received.size > LARGE) {
      const refusal = this.refusalOf(received)
      if (refusal !== undefined) return outcome(refusal)
    }
    const opened = openedOrError(received)
    if (opened instanceof ChainError) return outcome(opened)
    const { block } = opened
    // The execution of the last block before Savanna changes what is expected of its successors.
    if (isProperSavanna(block) && !chain.takes_savanna_blocks) await this.applying
    const prepared = chain.prepareBlock(block)
    const known = producer.likelyTransactions(block)
    await prepared
    if (this.is_stopped) return
    outcome(this.accept(received.id, opened, known))
    this.apply()
  }

  /** Why a block is refused by its header, if it is. */
  private refusalOf({ id, header }: ReceivedBlock): BlockOutcome | undefined {
    try {
      this.deps.chain.checkSignedHeader(id, header)
      return undefined
    } catch (error) {
      return outcomeOf(error)
    }
  }

  private accept(
    id: Uint8Array,
    { block, packed }: OpenedBlock,
    known: KnownTransactions,
  ): BlockOutcome {
    const { chain, producer, clock } = this.deps
    try {
      check(
        producer.options.producers.length === 0 ||
          slotToUs(block.timestamp) < clock.now() + FUTURE_US,
        'block_from_the_future',
        () => `received a block from the future, rejecting it: ${toHex(id)}`,
      )
      return chain.acceptBlock(block, packed, known)
    } catch (error) {
      return outcomeOf(error)
    }
  }

  /** Begins to recover the keys of the blocks that are executed next. */
  private recoverAhead(blocks: readonly BlockState[]): void {
    for (const block of blocks) {
      const is_due = this.recovered_transactions < RECOVERED_AHEAD
      if (is_due && block.trx_metas === undefined) this.recoveryOf(block)
      if (block !== blocks[0]) block.close()
    }
  }

  private recoveryOf(block: BlockState): Recovery {
    const known = this.recoveries.get(block.key)
    if (known !== undefined) return known
    const keys = this.deps.producer.recoverKeys(block)
    const { key, block_num, transactions } = block
    const recovery = { block_num, transactions: transactions.length, keys }
    this.recoveries.set(key, recovery)
    this.recovered_transactions += recovery.transactions
    return recovery
  }

  private forget(key: string): void {
    const recovery = this.recoveries.get(key)
    if (recovery === undefined) return
    this.recoveries.delete(key)
    this.recovered_transactions -= recovery.transactions
  }

  /** Executes what is best, unless this node makes a block: then afterwards. */
  private apply(): void {
    const blocks = this.unapplied()
    this.recoverAhead(blocks)
    if (this.applying !== undefined || blocks.length === 0) return
    this.applying = this.applyAll().finally(() => {
      this.applying = undefined
      void this.checkAll()
    })
  }

  private async applyAll(): Promise<void> {
    const { chain } = this.deps
    for (let [next] = this.unapplied(); next !== undefined; [next] = this.unapplied()) {
      if (next.trx_metas === undefined) await this.recoveryOf(next).keys.done
      if (this.is_stopped) return
      this.applySlice()
      void this.checkAll()
      await chain.settled()
      await this.readOn()
    }
  }

  /** Lets others have their turns, and peers give what they have: during a slice no more came than buffers hold. */
  private async readOn(): Promise<void> {
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      const before = this.taken
      await setImmediate()
      if (this.taken === before || this.waiting.length >= MAX_UNAPPLIED) return
    }
  }

  /** The blocks that are to be executed, if they may be now, oldest first. */
  private unapplied(): BlockState[] {
    const { chain, producer } = this.deps
    const waits = producer.loop.mode === 'producing' || producer.loop.reachedPause
    return waits || this.is_stopped ? [] : chain.unappliedBlocks()
  }

  /** Does something when the blocks that are in execution are on the disk; at once if there are none. */
  whenStored(work: () => void): void {
    if (this.after_slice === undefined) work()
    else this.after_slice.push(work)
  }

  /** Executes blocks whose keys are known, for a while. */
  private applySlice(): void {
    const { producer, log } = this.deps
    if (this.unapplied().length === 0) return
    try {
      producer.loop.takeBlock(() => this.storeSlice())
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      log('warn', `a block of a peer is invalid: ${error.message}`)
    }
  }

  /** What waits is done also if a block is invalid, for those before it; and not if they cannot be written. */
  private storeSlice(): void {
    const after: (() => void)[] = (this.after_slice = [])
    let failure: { error: unknown } | undefined
    const { chain, clock } = this.deps
    let applied_us = clock.now()
    const is_catching_up = clock.now() - slotToUs(chain.head.timestamp) > PAST_US
    const slice = (): void => {
      try {
        this.applyForAWhile()
      } catch (error) {
        failure = { error }
      }
      applied_us = clock.now()
    }
    try {
      chain.inOneSync(slice, is_catching_up ? () => this.helpRecovery() : undefined)
    } finally {
      this.waited_us = clock.now() - applied_us
      this.after_slice = undefined
    }
    for (const work of after) work()
    if (failure) throw failure.error
  }

  private applyForAWhile(): void {
    const { chain, clock, producer } = this.deps
    const now_us = clock.now()
    let blocks = chain.unappliedBlocks()
    const [oldest] = blocks
    if (oldest === undefined) return
    const end_us = now_us + this.sliceLength(now_us - slotToUs(oldest.timestamp))
    do {
      const [first] = blocks
      if (first === undefined) return
      this.recoverAhead(blocks)
      // A switch of the branch executes all.
      const is_next = bytesEqual(first.previous, chain.head.id)
      if (!this.open(first)) return
      if (!is_next) for (const block of blocks) this.open(block)
      chain.applyBest(undefined, 1)
      // The walk along the branch is long while this node catches up.
      const is_same_branch = chain.head === first && chain.fork_head === blocks.at(-1)
      blocks = is_same_branch ? blocks.slice(1) : chain.unappliedBlocks()
    } while (clock.now() < end_us && !producer.loop.reachedPause)
  }

  private sliceLength(age_us: number): number {
    if (age_us <= PAST_US) return SLICE_US
    const enough_us = Math.max(CATCH_UP_SLICE_US, this.waited_us * SLICE_OF_WAITS)
    return Math.min(enough_us, MAX_CATCH_UP_SLICE_US)
  }

  /** Recovers a few keys on this thread, of the block that is executed next. Returns whether there were any. */
  private helpRecovery(): boolean {
    for (const { keys } of this.recoveries.values()) if (keys.help()) return true
    return false
  }

  /** Gives a block its transactions with their keys. Returns false if these are not known yet. */
  private open(block: BlockState): boolean {
    if (block.trx_metas !== undefined) return true
    const keys = this.recoveries.get(block.key)?.keys
    if (keys?.is_done !== true) return false
    block.trx_metas = keys.take()
    return true
  }
}

function outcomeOf(error: unknown): BlockOutcome {
  if (!(error instanceof ChainError)) throw error
  return error.errorName === 'unlinkable_block_exception' ? 'unlinkable' : error
}

function openedOrError(received: ReceivedBlock): OpenedBlock | ChainError {
  try {
    return received.open()
  } catch (error) {
    if (error instanceof ChainError) return error
    throw error
  }
}
