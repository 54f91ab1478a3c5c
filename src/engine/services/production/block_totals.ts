/**
 * Totals of the node's blocks since its start.
 * spring: plugins/prometheus_plugin/metrics.hpp; libraries/chain/controller.cpp (block reports)
 */
import type { BlockReport } from '../../chain/execution/block_context.ts'
import { emptyReport, type BlockTimesReport } from './block_times.ts'

/** Blocks of one kind and what the time for them went to. */
export interface BlockTotals extends BlockTimesReport {
  blocks: number
  /** The number of the last one. */
  block_num: number
}

/** Sums of executed blocks: transactions, microseconds, bytes. */
export interface ExecutionTotals {
  transactions: number
  cpu_usage_us: number
  net_usage: number
  /** Time that their transactions took. */
  elapsed_us: number
  /** Time from their beginning to their end. */
  total_us: number
}

/**
 * Counters of produced, received and discarded blocks since the start. All times are in
 * microseconds.
 */
export class BlockMetrics {
  /** Blocks that were started and discarded. */
  readonly speculative = emptyTotals()
  readonly produced = emptyTotals()
  readonly produced_execution = emptyExecution()
  /** Received blocks. */
  incoming_blocks = 0
  readonly incoming_execution = emptyExecution()
  incoming_latency_us = 0
  /** Sums over produced blocks, of what was there when each was produced. */
  unapplied_transactions = 0
  subjective_bill_accounts = 0
  scheduled_transactions = 0

  /** Counts a block that was started and discarded. */
  blockGivenUp(block_num: number, times: BlockTimesReport): void {
    addTimes(this.speculative, block_num, times)
  }

  /** Counts a block of a producer of this node. */
  blockProduced(block_num: number, times: BlockTimesReport, execution: ExecutionTotals): void {
    addTimes(this.produced, block_num, times)
    addExecution(this.produced_execution, execution)
  }

  /**
   * Counts a block from a peer.
   * @param latency_us from the time of the block to its arrival
   */
  blockReceived(latency_us: number, execution: ExecutionTotals): void {
    this.incoming_blocks += 1
    this.incoming_latency_us += latency_us
    addExecution(this.incoming_execution, execution)
  }
}

/** The sums of one executed block. */
export function executionOf(
  transactions: number,
  report: BlockReport,
  total_us: number,
): ExecutionTotals {
  return {
    transactions,
    cpu_usage_us: report.total_cpu_usage_us,
    net_usage: report.total_net_usage,
    elapsed_us: report.total_elapsed_us,
    total_us,
  }
}

function addTimes(totals: BlockTotals, block_num: number, times: BlockTimesReport): void {
  totals.blocks += 1
  totals.block_num = block_num
  totals.total_us += times.total_us
  totals.idle_us += times.idle_us
  totals.other_us += times.other_us
  totals.success_count += times.success_count
  totals.success_us += times.success_us
  totals.failure_count += times.failure_count
  totals.failure_us += times.failure_us
  totals.transient_count += times.transient_count
  totals.transient_us += times.transient_us
}

function addExecution(totals: ExecutionTotals, execution: ExecutionTotals): void {
  totals.transactions += execution.transactions
  totals.cpu_usage_us += execution.cpu_usage_us
  totals.net_usage += execution.net_usage
  totals.elapsed_us += execution.elapsed_us
  totals.total_us += execution.total_us
}

function emptyTotals(): BlockTotals {
  return { blocks: 0, block_num: 0, ...emptyReport() }
}

function emptyExecution(): ExecutionTotals {
  return { transactions: 0, cpu_usage_us: 0, net_usage: 0, elapsed_us: 0, total_us: 0 }
}
