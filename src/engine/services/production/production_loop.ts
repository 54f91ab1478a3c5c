/**
 * Produces blocks by the clock: starts a block for each slot, fills it, and finishes it in time.
 *
 * There is at most one alarm, and it only calls `run`, or continues the pending block. Every path through `run` sets
 * the next alarm or ends in a state that an operation (`resume`, a pushed block) leaves.
 * spring: plugins/producer_plugin/producer_plugin.cpp (schedule_production_loop, start_block)
 */
import { ChainError, check } from '../../errors.ts'
import { BLOCK_INTERVAL_US, PRODUCER_REPETITIONS } from '../../protocol/constants.ts'
import { slotToUs, usToSlot } from '../../protocol/time.ts'
import type { Chain } from '../../chain/chain.ts'
import type { TransactionMetadata } from '../../chain/base/transaction_metadata.ts'
import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import { BlockBuilder, type PendingMode } from './loop/block_builder.ts'
import { BlockMiner } from './loop/block_miner.ts'
import type { BlockProduction } from './loop/block_production.ts'
import { BlockTiming } from './loop/block_timing.ts'
import type { BlockMetrics } from './block_totals.ts'
import type { ProducerOptions } from './producer_options.ts'
import { ProductionPause } from './loop/production_pause.ts'
import { ProductionPermission } from './loop/production_permission.ts'
import { ProductionRights } from './production_rights.ts'
import { ProtocolFeatureSchedule } from './protocol_feature_schedule.ts'
import type { TransactionProcessor } from './transaction_processor.ts'
import type { VotePause } from './vote_pause.ts'

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

/**
 * Produces blocks by the clock: starts a block for each slot, fills it with transactions, and
 * finishes it in time. It has at most one timer, and starts no block while production is paused or
 * not permitted.
 */
export class ProductionLoop {
  readonly features: ProtocolFeatureSchedule
  readonly permission: ProductionPermission
  private block_production_: BlockProduction = 'interval'
  private readonly deps: LoopDependencies
  private readonly rights: ProductionRights
  private readonly pausing: ProductionPause
  private readonly builder: BlockBuilder
  private readonly miner: BlockMiner
  private readonly timing: BlockTiming
  /** Called when the head no longer stays at a scheduled height, before a block is started on it. */
  beforeLeavingHeight: () => void = () => {}
  private cancelAlarm: (() => void) | undefined
  /** When it goes off; Infinity if it is not set. */
  private alarm_us = Infinity
  private stopped = false

  constructor(options: ProducerOptions, deps: LoopDependencies) {
    const { chain, clock, processor, votes, log } = deps
    const { enable_stale_production, pause_on_startup, max_reversible_blocks, runtime } = options
    this.deps = deps
    this.features = new ProtocolFeatureSchedule(chain, log)
    this.rights = new ProductionRights(options, chain)
    this.timing = new BlockTiming(runtime)
    const { rights, features } = this
    const pause = new ProductionPause(pause_on_startup, chain, votes, log)
    const builder = new BlockBuilder({ ...deps, rights, features })
    this.pausing = pause
    this.builder = builder
    this.permission = new ProductionPermission(enable_stale_production, { ...deps, rights, pause })
    this.miner = new BlockMiner({ chain, clock, processor, builder, pause, max_reversible_blocks })
    processor.beforeExecution = (meta) => this.prepareFor(meta)
    processor.onIncluded = () => this.included()
    chain.events.on('headerAccepted', (block) => rights.signed(block))
    chain.events.on('wentBack', () => rights.forget())
  }

  /** The kind of the pending block. */
  get mode(): PendingMode {
    return this.builder.mode
  }

  /** Whether blocks that a request asks for are being made. */
  get is_mining(): boolean {
    return this.miner.is_mining
  }

  /** Begins the first block. */
  start(): void {
    this.run()
  }

  /** Discards the pending block and sets no further alarm. */
  stop(): void {
    this.stopped = true
    this.miner.stop()
    this.clearAlarm()
    this.abort()
  }

  /** When blocks are produced. */
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
    this.pausing.begin()
  }

  /** Ends every pause; production continues at once. */
  resume(): void {
    const standing = this.mode !== 'producing'
    const { reachedPause } = this
    this.pausing.end()
    if (reachedPause) this.beforeLeavingHeight()
    if (standing) this.restart()
  }

  /**
   * True if an operator paused production, a scheduled height was reached, or votes are missing.
   */
  get paused(): boolean {
    return this.pausing.is_on
  }

  /** True if an operator paused production, or scheduled a height that was reached. */
  get paused_by_operator(): boolean {
    return this.pausing.by_operator
  }

  /** Evaluation is paused too: there is no block for speculative execution. */
  get reachedPause(): boolean {
    return this.pausing.at_height
  }

  /** Schedules a pause at a height; 0 clears it.
   *  @throws invalid_pause_at_block_request unless the height is above the head */
  pauseAtBlock(block_num: number): void {
    const standing = this.reachedPause
    this.pausing.schedule(block_num)
    if (standing && !this.reachedPause) this.beforeLeavingHeight()
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
    // Each transaction that finds the block full says so: if its end is due, none of them puts it off.
    if (this.alarm_us <= this.deps.clock.now()) return
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
      this.permission.headChanged(this.deps.clock.now())
      this.run()
    }
  }

  /** Discards the pending block; its transactions are executed again in the next one. */
  abort(): void {
    this.builder.abort()
  }

  /**
   * Makes blocks one after the other, without waiting for their slots, as long as `missing` answers how many at least
   * are missing. The first is the pending block. Times of blocks may be ahead of the clock, which follows.
   * @throws ChainError the reason why no block can be made
   */
  async mine(missing: () => number): Promise<void> {
    check(!this.is_mining, 'producer_exception', 'blocks are being mined already')
    this.clearAlarm()
    try {
      await this.miner.mine(missing)
    } finally {
      this.deps.votes.forgetBlocks()
      this.run()
    }
  }

  /** A submission comes: where it gets a block of its own, that has a time at which it has not expired. */
  private prepareFor({ trx }: TransactionMetadata): void {
    const { chain, clock, processor } = this.deps
    if (!this.is_instant || this.mode !== 'producing' || processor.is_filling) return
    const slot = this.builder.slotOnDemand(Math.min(clock.now(), trx.expiration * 1_000_000))
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
    this.builder.times.idle()
    this.clearAlarm()
    this.abort()
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
    const { builder, timing } = this
    const now = clock.now()
    const asked =
      this.block_production === 'interval' ? undefined : (on_demand ?? builder.slotOnDemand(now))
    const slot = asked ?? this.pendingSlot(now)
    const producing = this.permission.mayProduce(now, slot, chain.scheduledProducer(slot))
    if (producing && asked !== undefined) {
      builder.startOnDemand(slot)
      return this.fill({ slot, producing, deadline_us: Infinity, late: false, on_demand: true })
    }
    const begin_us = timing.start(slot)
    if (producing && slot % PRODUCER_REPETITIONS === 0 && now < slotToUs(slot - 1)) {
      processor.next_block_us = begin_us
      return this.alarmAt(slotToUs(slot - 1), () => this.run())
    }
    let deadline_us = timing.deadline(slot)
    // The slot of the first block has already started: the block is finished at once, with time for
    // its actions.
    const late = !builder.has_produced && producing && deadline_us <= now
    if (!producing || late) deadline_us = Math.max(deadline_us, now + BLOCK_INTERVAL_US)
    builder.startTimed({ slot, producing, begin_us, deadline_us })
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

  /** Finishes the pending block, and continues with the next one. */
  private produce(): void {
    const { chain, clock, log } = this.deps
    if (this.stopped || this.mode !== 'producing') return
    try {
      this.builder.finish(this.block_production !== 'interval')
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      const what = chain.pending ? 'block not produced' : 'after a block was produced'
      log('error', `${what}: ${error.message}`)
      this.abort()
      return this.alarmAt(slotToUs(usToSlot(clock.now()) + 1), () => this.run())
    }
    // A turn of the event loop between two full blocks lets waiting requests be answered.
    this.alarmAt(clock.now(), () => void this.continueAfterStore())
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
    const { chain } = this.deps
    const head = chain.head.timestamp
    if (this.rights.producers.size === 0) return head + 1
    const current = usToSlot(now)
    if (current <= head) return head + 1
    const { producer_name } = chain.scheduledProducer(current)
    const catches_up = !this.builder.has_produced && this.permission.is_enabled
    return catches_up && this.rights.producers.has(producer_name) ? current : current + 1
  }

  private nextTurn(slot: number): number | undefined {
    if (!this.permission.is_enabled) return undefined
    const next = this.rights.nextSlot(slot)
    if (next === undefined) return undefined
    const at = this.timing.start(next)
    return at > this.deps.clock.now() ? at : undefined
  }

  private alarmAt(time_us: number, callback: () => void): void {
    this.clearAlarm()
    if (this.stopped) return
    this.alarm_us = time_us
    this.cancelAlarm = this.deps.clock.wakeAt(time_us, () => {
      this.alarm_us = Infinity
      callback()
    })
  }

  private clearAlarm(): void {
    this.cancelAlarm?.()
    this.alarm_us = Infinity
  }
}
