import type { SharedSigning } from '../../../crypto/shared_signing.ts'
import { check } from '../../../errors.ts'
import { BLOCK_INTERVAL_US } from '../../../protocol/constants.ts'
import { slotToUs, usToSlot } from '../../../protocol/time.ts'
import type { Chain } from '../../../chain/chain.ts'
import type { Clock } from '../../../clock.ts'
import type { Log } from '../../../log.ts'
import type { BlockTimes } from '../block_times.ts'
import { executionOf, type BlockMetrics } from '../block_totals.ts'
import { DevelopmentClock } from '../development_clock.ts'
import { ProductionLog } from './production_log.ts'
import type { ProductionRights } from '../production_rights.ts'
import type { ProtocolFeatureSchedule } from '../protocol_feature_schedule.ts'
import type { TransactionProcessor } from '../transaction_processor.ts'

/** The kind of the pending block: `waiting` means that there is none. */
export type PendingMode = 'producing' | 'speculating' | 'waiting'

/** The parts of the node that build blocks. */
export interface BuilderDependencies {
  chain: Chain
  clock: Clock
  processor: TransactionProcessor
  rights: ProductionRights
  features: ProtocolFeatureSchedule
  metrics: BlockMetrics
  log: Log
}

/** A block that the clock ends; times in microseconds since 1970. */
export interface TimedBlock {
  slot: number
  /** It will be signed; else it only serves to execute transactions. */
  producing: boolean
  /** The start of the time that it has. */
  begin_us: number
  deadline_us: number
}

/**
 * Starts, finishes and discards the pending block, and counts what became of it. When that is done is decided by the
 * production loop, or by a request for blocks.
 *
 * In mode `producing` the pending block will be signed and announced. In mode `speculating` it only serves to execute
 * transactions, and is always discarded.
 * spring: plugins/producer_plugin/producer_plugin.cpp (start_block, produce_block)
 */
export class BlockBuilder {
  mode: PendingMode = 'waiting'
  /** A block was produced since the start. */
  has_produced = false
  private readonly deps: BuilderDependencies
  private readonly log: ProductionLog

  constructor(deps: BuilderDependencies) {
    this.deps = deps
    this.log = new ProductionLog(deps.log)
  }

  /** Where the time of the pending block goes. */
  get times(): BlockTimes {
    return this.deps.processor.executor.times
  }

  /** Starts a block that the clock ends, and begins to fill it. @throws ChainError if it cannot be started */
  startTimed({ slot, producing, begin_us, deadline_us }: TimedBlock): void {
    const { chain, processor, rights, features } = this.deps
    const { producer_name } = chain.scheduledProducer(slot)
    chain.startBlock({
      slot,
      confirmed: producing ? rights.blocksToConfirm(producer_name) : 0,
      features: features.forBlock(producing),
      status: producing ? 'incomplete' : 'ephemeral',
      deadline_us,
    })
    this.mode = producing ? 'producing' : 'speculating'
    const full_us = producing ? deadline_us - begin_us : BLOCK_INTERVAL_US
    processor.beginFill({ producing, deadline_us, full_us })
  }

  /**
   * Starts a block that is signed when that is asked for, and begins to fill it.
   * @throws ChainError producer_exception with the reason why it must not be produced; others if it cannot be started
   */
  startOnDemand(slot: number): void {
    const { chain, clock, processor, rights, features } = this.deps
    const scheduled = chain.scheduledProducer(slot)
    const refusal = rights.refusal(clock.now(), slot, scheduled)
    check(refusal === undefined, 'producer_exception', () => `no block can be made: ${refusal}`)
    chain.startBlock({
      slot,
      confirmed: rights.blocksToConfirm(scheduled.producer_name),
      features: features.forBlock(true),
      status: 'incomplete',
    })
    this.mode = 'producing'
    processor.resume()
    processor.beginFill({ producing: true, deadline_us: Infinity, full_us: BLOCK_INTERVAL_US })
  }

  /** The first slot of this node after the head that is not before `time_us`; undefined if there is none. */
  slotOnDemand(time_us: number): number | undefined {
    const { chain, rights } = this.deps
    return rights.ownSlot(Math.max(chain.head.timestamp + 1, usToSlot(time_us)))
  }

  /**
   * Finishes the pending block: it is signed, and becomes the head.
   * @param on_demand it may be ahead of a clock of development, which follows
   * @param signing makes its signature later
   * @throws ChainError if the block cannot be signed or stored; then it is still pending, unless it became the head
   */
  finish(on_demand: boolean, signing?: SharedSigning): void {
    const { chain, clock, processor, rights, features, metrics } = this.deps
    const { times } = this
    times.idle()
    const { report, slot } = chain.pending!
    if (on_demand && clock instanceof DevelopmentClock) clock.advanceTo(slotToUs(slot))
    const block = chain.produceBlock((digest, key) => rights.sign(digest, key, signing))
    this.has_produced = true
    features.produced()
    rights.signed(block)
    times.other()
    const count = block.transactions.length
    const execution = executionOf(count, report, times.report.total_us)
    metrics.blockProduced(block.block_num, times.report, execution)
    metrics.unapplied_transactions += processor.queue.size
    metrics.subjective_bill_accounts += processor.executor.limits.billing.size
    metrics.scheduled_transactions += chain.db.generated_transaction.size
    this.log.produced(block, clock.now())
    times.clear()
    this.mode = 'waiting'
  }

  /** Discards the pending block, if there is one; its transactions are executed again in the next one. */
  abort(): void {
    const { chain, processor, metrics, log } = this.deps
    const { pending } = chain
    this.mode = 'waiting'
    if (!pending) return
    const dropped = processor.queue.addBack('aborted', chain.abortBlock())
    if (dropped > 0) log('warn', `${dropped} transactions were dropped because the queue is full`)
    this.times.other()
    metrics.blockGivenUp(pending.block_num, this.times.report)
    this.times.clear()
  }
}
