/**
 * Produces blocks by the clock: starts a block for each slot, fills it, and finishes it in time.
 *
 * Invariants:
 * - There is at most one alarm, and it only calls `run`. Every path through `run` sets the next
 *   alarm or ends in a state that an operation (`resume`, a pushed block) leaves.
 * - In mode `producing` the pending block will be signed and announced. In mode `speculating` it
 *   only serves to execute transactions, and is always discarded.
 * spring: plugins/producer_plugin/producer_plugin.cpp (schedule_production_loop, start_block)
 */
import { setImmediate as turn } from 'node:timers/promises'
import { DevelopmentClock } from './development_clock.ts'
import { ChainError, check } from '../../errors.ts'
import { nameToString } from '../../protocol/name.ts'
import { BLOCK_INTERVAL_US, PRODUCER_REPETITIONS } from '../../protocol/constants.ts'
import type { ProducerAuthority } from '../../protocol/schedule.ts'
import { slotToUs, usToSlot } from '../../protocol/time.ts'
import type { BlockState } from '../../chain/headers/block_state.ts'
import type { Chain } from '../../chain/chain.ts'
import type { TransactionMetadata } from '../../chain/base/transaction_metadata.ts'
import type { BlockTimes } from './block_times.ts'
import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import { executionOf, type BlockMetrics } from './block_totals.ts'
import { ProtocolFeatureSchedule } from './protocol_feature_schedule.ts'
import type { ProducerOptions } from './producer_options.ts'
import { ProductionRights } from './production_rights.ts'
import { blockDeadline, blockStart, cpuEffort } from './timing.ts'
import type { TransactionProcessor } from './transaction_processor.ts'
import type { VotePause } from './vote_pause.ts'

/** The state of the loop: `waiting` means that there is no pending block. */
export type ProductionMode = 'producing' | 'speculating' | 'waiting'

/**
 * When a development chain has blocks: one in each slot; one for each submission that succeeds, before it is answered;
 * or only those that are asked for.
 */
export const BLOCK_PRODUCTIONS = ['interval', 'instant', 'manual'] as const
/** One of {@link BLOCK_PRODUCTIONS}. */
export type BlockProduction = (typeof BLOCK_PRODUCTIONS)[number]

/** The retry of a failed start. */
const RETRY_US = BLOCK_INTERVAL_US / 10

/** The parts of the node that the production loop uses. */
export interface LoopDependencies {
  chain: Chain
  clock: Clock
  processor: TransactionProcessor
  metrics: BlockMetrics
  votes: VotePause
  log: Log
}

/** Produced blocks are summed up in the log once in so many: a minute's. */
const LOG_BLOCKS = 120

/** A pending block while it is filled. */
interface FilledBlock {
  slot: number
  producing: boolean
  deadline_us: number
  /** The block is finished as soon as it is filled. */
  late: boolean
  /** The block has no end of its own: a submission, or {@link ProductionLoop.mine}, ends it. */
  on_demand: boolean
}

/** The most blocks that are mined between two turns of the event loop, which sync them and vote on the last. */
const MINED_AT_ONCE = 64
/** Before each of the last blocks that are mined, votes are waited for, so that finality reaches them. */
const VOTED_BLOCKS = 4

/**
 * Produces blocks by the clock: starts a block for each slot, fills it with transactions, and
 * finishes it in time. It has at most one timer, and starts no block while production is paused or
 * not permitted.
 */
export class ProductionLoop {
  readonly features: ProtocolFeatureSchedule
  mode: ProductionMode = 'waiting'
  private block_production_: BlockProduction = 'interval'
  private is_mining = false
  /** The reason of others why no block is produced now; the network's, while blocks are missing here. */
  heldBack: () => string | undefined = () => undefined
  private readonly options: ProducerOptions
  private readonly deps: LoopDependencies
  private readonly rights: ProductionRights
  private production_enabled: boolean
  private pause_requested: boolean
  /** The head at which production and evaluation stop; 0 means none. */
  private pause_at = 0
  private cancelAlarm: (() => void) | undefined
  private stopped = false
  /** The reason why no block is produced in this node's turn; logged once. */
  private refusal: string | undefined
  private readonly since_log = { blocks: 0, transactions: 0 }
  /** No block was produced since the start. */
  private first = true

  constructor(options: ProducerOptions, deps: LoopDependencies) {
    this.options = options
    this.deps = deps
    this.features = new ProtocolFeatureSchedule(deps.chain, deps.log)
    this.rights = new ProductionRights(options, deps.chain)
    this.production_enabled = options.enable_stale_production
    this.pause_requested = options.pause_on_startup
    deps.processor.beforeExecution = (meta) => this.prepareFor(meta)
    deps.processor.onIncluded = () => this.included()
    deps.chain.events.on('wentBack', () => this.rights.forget())
  }

  /** Begins the first block. */
  start(): void {
    this.run()
  }

  /** Discards the pending block and sets no further alarm. */
  stop(): void {
    this.stopped = true
    this.cancelAlarm?.()
    this.abort()
  }

  get block_production(): BlockProduction {
    return this.block_production_
  }

  /** From now on, blocks are produced in this way; the pending block is restarted. */
  set block_production(value: BlockProduction) {
    this.block_production_ = value
    this.restart()
  }

  /** The pending block is still produced, because its transactions were accepted. */
  pause(): void {
    this.pause_requested = true
    this.deps.log('info', 'production is paused')
  }

  resume(): void {
    const standing = this.mode !== 'producing'
    this.pause_requested = false
    this.pause_at = 0
    this.deps.votes.forgetBlocks()
    this.deps.log('info', 'production is resumed')
    if (standing) this.restart()
  }

  /**
   * True if an operator paused production, a scheduled height was reached, or votes are missing.
   */
  get paused(): boolean {
    return this.paused_by_operator || this.deps.votes.reason() !== undefined
  }

  get paused_by_operator(): boolean {
    return this.pause_requested || this.reachedPause
  }

  /** Evaluation is paused too: there is no block for speculative execution. */
  get reachedPause(): boolean {
    return this.pause_at !== 0 && this.deps.chain.head.block_num >= this.pause_at
  }

  /** Schedules a pause at a height; 0 clears it.
   *  @throws invalid_pause_at_block_request unless the height is above the head */
  pauseAtBlock(block_num: number): void {
    const head = this.deps.chain.head.block_num
    check(
      block_num === 0 || block_num > head,
      'invalid_pause_at_block_request',
      () => `Pause at block ${block_num} <= chain head ${head}`,
    )
    const standing = this.reachedPause
    this.pause_at = block_num
    const what =
      block_num === 0 ? 'no pause is scheduled' : `a pause is scheduled at block ${block_num}`
    this.deps.log('info', what)
    if (standing) this.restart()
  }

  /**
   * Discards the pending block and starts another, because options, the head or the mode changed.
   */
  restart(): void {
    this.abort()
    this.run()
  }

  /**
   * The pending block is full: finishes it now, or starts another one for speculative execution.
   */
  blockExhausted(): void {
    if (this.mode === 'producing' && this.block_production === 'manual') return
    if (this.mode === 'producing') this.alarmAt(this.deps.clock.now(), () => this.produce())
    else if (this.mode === 'speculating') this.alarmAt(this.deps.clock.now(), () => this.restart())
  }

  /**
   * Discards the pending block, lets `push` process a received block, and continues from there: the
   * new head may enable production.
   * @throws producer_exception while the chain is paused at a scheduled height
   */
  takeBlock(push: () => void): void {
    check(
      !this.reachedPause,
      'producer_exception',
      'blocks are not applied while production is paused at a block',
    )
    this.abort()
    try {
      push()
    } finally {
      this.headChanged()
    }
  }

  private headChanged(): void {
    const { chain, clock } = this.deps
    if (clock.now() - slotToUs(chain.head.timestamp) < 2 * BLOCK_INTERVAL_US) {
      this.production_enabled = true
    }
    this.run()
  }

  /** Discards the pending block; its transactions are executed again in the next one. */
  abort(): void {
    const { chain, processor, metrics, log } = this.deps
    const { pending } = chain
    if (!pending) return
    const dropped = processor.queue.addBack('aborted', chain.abortBlock())
    if (dropped > 0) log('warn', `${dropped} transactions were dropped because the queue is full`)
    this.times.other()
    metrics.blockGivenUp(pending.block_num, this.times.report)
    this.times.clear()
    this.mode = 'waiting'
  }

  /**
   * Makes blocks one after the other, without waiting for their slots, as long as `missing` answers how many at least
   * are missing. The first is the pending block. Times of blocks may be ahead of the clock, which follows.
   * @throws ChainError the reason why no block can be made
   */
  async mine(missing: () => number): Promise<void> {
    const { chain, votes } = this.deps
    check(!this.is_mining, 'producer_exception', 'blocks are being mined already')
    this.is_mining = true
    this.cancelAlarm?.()
    try {
      while (missing() > 0) {
        const at_once = this.minedAtOnce(missing())
        if (at_once === 1) this.mineBlock()
        else chain.inOneSync(() => this.mineBlocks(at_once))
        await turn()
        await chain.voted()
        await chain.settled()
      }
    } finally {
      this.is_mining = false
      votes.forgetBlocks()
      this.run()
    }
  }

  /** At most a third of the blocks that may be reversible: with votes, those of two turns and of a third are. */
  private minedAtOnce(missing: number): number {
    const { max_reversible_blocks: limit } = this.options
    const most = limit > 0 ? Math.min(MINED_AT_ONCE, Math.floor(limit / 3)) : MINED_AT_ONCE
    return Math.max(1, Math.min(most, missing - VOTED_BLOCKS))
  }

  /** Makes blocks, up to the first that has transactions: it may have taken long. */
  private mineBlocks(count: number): void {
    const { chain } = this.deps
    for (let i = 0; i < count; i++) {
      this.mineBlock()
      if (chain.head.block.transactions.length > 0) return
    }
  }

  private mineBlock(): void {
    const { chain, clock, processor } = this.deps
    check(!this.stopped, 'producer_exception', 'the node stops')
    check(!this.paused_by_operator, 'producer_exception', 'production is paused: resume it first')
    // A block without transactions gets the time that it is now.
    if (this.mode !== 'producing' || chain.pending?.trx_metas.length === 0) {
      this.abort()
      const slot = this.slotOnDemand(clock.now())
      check(slot !== undefined, 'producer_exception', 'no producer of this node is in the schedule')
      this.startOnDemand(slot)
    }
    while (processor.is_filling && processor.continueFill() === 'more');
    this.finishBlock()
    this.times.clear()
    this.mode = 'waiting'
  }

  /** Starts a block that is signed when that is asked for. */
  private startOnDemand(slot: number): void {
    const { chain, clock, processor } = this.deps
    const scheduled = chain.scheduledProducer(slot)
    const refusal = this.rights.refusal(clock.now(), slot, scheduled)
    check(refusal === undefined, 'producer_exception', () => `no block can be made: ${refusal}`)
    chain.startBlock({
      slot,
      confirmed: this.rights.blocksToConfirm(scheduled.producer_name),
      features: this.features.forBlock(true),
      status: 'incomplete',
    })
    this.mode = 'producing'
    processor.resume()
    processor.beginFill({ producing: true, deadline_us: Infinity, full_us: BLOCK_INTERVAL_US })
  }

  /** The first slot of this node that is not before `time_us`. */
  private slotOnDemand(time_us: number): number | undefined {
    return this.rights.ownSlot(Math.max(this.deps.chain.head.timestamp + 1, usToSlot(time_us)))
  }

  /** A submission comes: where it gets a block of its own, that has a time at which it has not expired. */
  private prepareFor({ trx }: TransactionMetadata): void {
    const { chain, clock, processor } = this.deps
    if (!this.is_instant || this.mode !== 'producing' || processor.is_filling) return
    const slot = this.slotOnDemand(Math.min(clock.now(), trx.expiration * 1_000_000))
    if (chain.pending!.slot !== slot) this.run(slot)
  }

  /** A submission is in the pending block. Returns true if that ended the block. */
  private included(): boolean {
    if (!this.is_instant || this.mode !== 'producing') return false
    this.produce()
    return true
  }

  private get is_instant(): boolean {
    return this.block_production === 'instant' && !this.is_mining
  }

  /** @param on_demand the slot of a block that a submission or a request ends */
  private run(on_demand?: number): void {
    if (this.stopped || this.is_mining) return
    this.times.idle()
    this.cancelAlarm?.()
    this.abort()
    this.mode = 'waiting'
    if (this.reachedPause) {
      // Requests that wait for space in a block would wait for the operator, so they are answered
      // now.
      this.deps.processor.pause()
      return
    }
    this.deps.processor.resume()
    try {
      this.startBlock(on_demand)
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      this.deps.log('warn', `cannot start a block, will try again: ${error.message}`)
      this.abort()
      this.alarmAt(this.deps.clock.now() + RETRY_US, () => this.run())
    }
  }

  private startBlock(on_demand?: number): void {
    const { chain, clock, processor } = this.deps
    const now = clock.now()
    const asked =
      this.block_production === 'interval' ? undefined : (on_demand ?? this.slotOnDemand(now))
    const slot = asked ?? this.pendingSlot(now)
    const scheduled = chain.scheduledProducer(slot)
    const producing = this.mayProduce(now, slot, scheduled)
    if (producing && asked !== undefined) {
      this.startOnDemand(slot)
      return this.fill({ slot, producing, deadline_us: Infinity, late: false, on_demand: true })
    }
    const begin_us = blockStart(this.effort, slot)
    if (producing && slot % PRODUCER_REPETITIONS === 0 && now < slotToUs(slot - 1)) {
      processor.next_block_us = begin_us
      return this.alarmAt(slotToUs(slot - 1), () => this.run())
    }
    let deadline_us = this.deadlineOf(slot)
    // The slot of the first block has already started: the block is finished at once, with time for
    // its actions.
    const late = this.first && producing && deadline_us <= now
    if (!producing || late) deadline_us = Math.max(deadline_us, now + BLOCK_INTERVAL_US)
    chain.startBlock({
      slot,
      confirmed: producing ? this.rights.blocksToConfirm(scheduled.producer_name) : 0,
      features: this.features.forBlock(producing),
      status: producing ? 'incomplete' : 'ephemeral',
      deadline_us,
    })
    this.mode = producing ? 'producing' : 'speculating'
    const full_us = producing ? deadline_us - begin_us : BLOCK_INTERVAL_US
    processor.beginFill({ producing, deadline_us, full_us })
    this.fill({ slot, producing, deadline_us, late, on_demand: false })
  }

  /** Fills the pending block, a while at a time; then waits for its end. */
  private fill(block: FilledBlock): void {
    const { clock, processor } = this.deps
    const { slot, producing, deadline_us, late, on_demand } = block
    const state = processor.continueFill()
    // A submission ended the block.
    if (this.mode === 'waiting') return
    if (state === 'more') {
      this.alarmAt(clock.now(), () => this.fill(block))
    } else if (on_demand) {
      if (state === 'full') this.blockExhausted()
    } else if (producing) {
      this.alarmAt(state === 'full' || late ? clock.now() : deadline_us, () => this.produce())
    } else if (this.rights.producers.size > 0) {
      this.alarmAt(this.nextTurn(slot) ?? deadline_us, () => this.run())
    } else if (state === 'full') {
      this.alarmAt(deadline_us, () => this.run())
    }
  }

  private produce(): void {
    const { chain } = this.deps
    if (this.stopped || this.mode !== 'producing') return
    try {
      this.finishBlock()
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      const what = chain.pending ? 'block not produced' : 'after a block was produced'
      this.deps.log('error', `${what}: ${error.message}`)
      this.abort()
      return this.alarmAt(slotToUs(usToSlot(this.deps.clock.now()) + 1), () => this.run())
    }
    this.times.clear()
    this.mode = 'waiting'
    // A turn of the event loop between two full blocks lets waiting requests be answered.
    this.alarmAt(this.deps.clock.now(), () => void this.continueAfterStore())
  }

  /** @throws ChainError if the block cannot be signed or stored */
  private finishBlock(): void {
    const { chain, clock, processor, metrics } = this.deps
    this.times.idle()
    const { report, slot } = chain.pending!
    const on_demand = this.is_mining || this.block_production !== 'interval'
    // Such a block may be ahead of the clock, which follows.
    if (on_demand && clock instanceof DevelopmentClock) clock.advanceTo(slotToUs(slot))
    const block = chain.produceBlock((digest, key) => this.rights.sign(digest, key))
    this.first = false
    this.features.produced()
    this.rights.produced(block)
    this.times.other()
    const count = block.block.transactions.length
    const execution = executionOf(count, report, this.times.report.total_us)
    metrics.blockProduced(block.block_num, this.times.report, execution)
    metrics.unapplied_transactions += processor.queue.size
    metrics.subjective_bill_accounts += processor.executor.limits.billing.size
    metrics.scheduled_transactions += chain.db.generated_transaction.size
    this.logProduced(block)
  }

  private logProduced(block: BlockState): void {
    const { clock, log } = this.deps
    const { since_log } = this
    const { block_num, producer, timestamp } = block
    const count = block.block.transactions.length
    since_log.blocks += 1
    since_log.transactions += count
    const late_ms = Math.round((clock.now() - slotToUs(timestamp)) / 1000)
    log(
      'debug',
      `produced block ${block_num} ${block.key} for ${nameToString(producer)}: ${count} ` +
        `transactions, irreversible ${block.irreversible_block_num}, ${late_ms} ms after its time`,
      { block_num, block_id: block.key, producer: nameToString(producer), transactions: count },
    )
    if (since_log.blocks < LOG_BLOCKS) return
    log(
      'info',
      `produced ${since_log.blocks} blocks with ${since_log.transactions} transactions up to ` +
        `block ${block_num}, irreversible ${block.irreversible_block_num}`,
      { block_num, blocks: since_log.blocks, transactions: since_log.transactions },
    )
    since_log.blocks = since_log.transactions = 0
  }

  /** The store must not fall behind without bound: the next block waits for it. */
  private async continueAfterStore(): Promise<void> {
    try {
      await this.deps.chain.settled()
    } catch (error) {
      // The disk failed, which the chain has reported: the node ends.
      if (!(error instanceof ChainError)) throw error
      return
    }
    this.run()
  }

  /**
   * Blocks follow the wall clock on a producer's node, and the head elsewhere. The first one is of
   * the slot that runs, so that the head is of today from the start: clients reckon the time in
   * which their transactions expire from it.
   */
  private pendingSlot(now: number): number {
    const head = this.deps.chain.head.timestamp
    if (this.rights.producers.size === 0) return head + 1
    const current = usToSlot(now)
    if (current <= head) return head + 1
    const { producer_name } = this.deps.chain.scheduledProducer(current)
    const catches_up = this.first && this.production_enabled && !this.pause_requested
    return catches_up && this.rights.producers.has(producer_name) ? current : current + 1
  }

  private mayProduce(now: number, slot: number, scheduled: ProducerAuthority): boolean {
    if (!this.rights.producers.has(scheduled.producer_name)) return false
    const refusal = this.refusalOf(now, slot, scheduled)
    if (refusal !== undefined && refusal !== this.refusal) {
      const level = this.pause_requested ? 'info' : 'warn'
      this.deps.log(level, `not producing for ${nameToString(scheduled.producer_name)}: ${refusal}`)
    }
    this.refusal = refusal
    return refusal === undefined
  }

  private refusalOf(now: number, slot: number, scheduled: ProducerAuthority): string | undefined {
    if (!this.production_enabled) return 'the chain is stale, and stale production is not enabled'
    if (this.pause_requested) return 'production is paused'
    const held_back = this.heldBack()
    if (held_back !== undefined) return held_back
    const no_votes = this.deps.votes.reason()
    // Own ones that could not be written may be now, and no new block would ask for them.
    if (no_votes !== undefined) this.deps.chain.retryVotes()
    return no_votes ?? this.rights.refusal(now, slot, scheduled)
  }

  private nextTurn(slot: number): number | undefined {
    if (!this.production_enabled || this.pause_requested) return undefined
    const next = this.rights.nextSlot(slot)
    if (next === undefined) return undefined
    const at = blockStart(this.effort, next)
    return at > this.deps.clock.now() ? at : undefined
  }

  private get times(): BlockTimes {
    return this.deps.processor.executor.times
  }

  private get effort(): number {
    return cpuEffort(this.options.runtime.produce_block_offset_ms)
  }

  private deadlineOf(slot: number): number {
    const { produce_time_offset_us, last_block_time_offset_us } = this.options.runtime
    const last =
      slot % PRODUCER_REPETITIONS === PRODUCER_REPETITIONS - 1 ? last_block_time_offset_us : 0
    return blockDeadline(this.effort, slot) + produce_time_offset_us + last
  }

  private alarmAt(time_us: number, callback: () => void): void {
    this.cancelAlarm?.()
    if (this.stopped) return
    this.cancelAlarm = this.deps.clock.wakeAt(time_us, callback)
  }
}
