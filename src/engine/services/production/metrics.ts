/**
 * Metrics about blocks under the reference's names.
 * spring: plugins/prometheus_plugin/metrics.hpp
 */
import { counter, counters, type Metric } from '../metric.ts'
import type { BlockMetrics, BlockTotals } from './block_totals.ts'

/** The metrics of blocks. */
export function blockMetrics(metrics: BlockMetrics): Metric[] {
  const { produced_execution, incoming_execution } = metrics
  const kinds = (value: 'cpu_usage_us' | 'net_usage') => [
    { labels: { block_type: 'produced' }, value: produced_execution[value] },
    { labels: { block_type: 'incoming' }, value: incoming_execution[value] },
  ]
  return [
    counters(
      'nodeos_cpu_usage_us_total',
      'CPU time of blocks, microseconds',
      kinds('cpu_usage_us'),
    ),
    counters('nodeos_net_usage_us_total', 'NET of blocks, bytes', kinds('net_usage')),
    ...producedBlocks(metrics),
    ...times('produced', metrics.produced),
    counter(
      'nodeos_blocks_speculative_num',
      'blocks that were started and discarded',
      metrics.speculative.blocks,
    ),
    ...times('speculative', metrics.speculative),
    counter(
      'nodeos_trxs_incoming_total',
      'transactions of received blocks',
      incoming_execution.transactions,
    ),
    counter('nodeos_blocks_incoming', 'received blocks', metrics.incoming_blocks),
    counter(
      'nodeos_incoming_elapsed_us_total',
      'time of the transactions of received blocks, microseconds',
      incoming_execution.elapsed_us,
    ),
    counter(
      'nodeos_incoming_us_total',
      'time of received blocks, microseconds',
      incoming_execution.total_us,
    ),
    counter(
      'nodeos_incoming_us_block_latency',
      'age of received blocks when they were executed, microseconds',
      metrics.incoming_latency_us,
    ),
  ]
}

function producedBlocks(metrics: BlockMetrics): Metric[] {
  const { produced, produced_execution } = metrics
  return [
    counter('nodeos_blocks_produced', 'blocks produced', produced.blocks),
    counter(
      'nodeos_unapplied_transactions_total',
      'transactions that waited when blocks were produced',
      metrics.unapplied_transactions,
    ),
    counter(
      'nodeos_subjective_bill_account_size_total',
      'accounts that were charged subjectively when blocks were produced',
      metrics.subjective_bill_accounts,
    ),
    counter(
      'nodeos_scheduled_trxs_total',
      'deferred transactions that waited when blocks were produced',
      metrics.scheduled_transactions,
    ),
    counter(
      'nodeos_trxs_produced_total',
      'transactions in produced blocks',
      produced_execution.transactions,
    ),
    counter(
      'nodeos_produced_elapsed_us_total',
      'time of the transactions of produced blocks, microseconds',
      produced_execution.elapsed_us,
    ),
    counter(
      'nodeos_produced_us_total',
      'time of produced blocks, microseconds',
      produced_execution.total_us,
    ),
  ]
}

/** The use of the time of blocks. */
function times(kind: 'produced' | 'speculative', totals: BlockTotals): Metric[] {
  const time = (name: string, what: string, value: number) =>
    counter(
      `nodeos_${name}_time_us_${kind}_block`,
      `${what} of ${kind} blocks, microseconds`,
      value,
    )
  const count = (name: string, what: string, value: number) =>
    counter(`nodeos_num_${name}_${kind}_block`, `${what} during ${kind} blocks`, value)
  return [
    time('total', 'time', totals.total_us),
    time('idle', 'idle time', totals.idle_us),
    count('success_trx', 'transactions that succeeded', totals.success_count),
    time('success_trx', 'time of successful transactions', totals.success_us),
    count('failed_trx', 'transactions that failed', totals.failure_count),
    time('fail_trx', 'time of failed transactions', totals.failure_us),
    count('transient_trx', 'dry runs and read-only transactions', totals.transient_count),
    time('transient_trx', 'time of dry runs and read-only transactions', totals.transient_us),
    time('other', 'other time', totals.other_us),
  ]
}
