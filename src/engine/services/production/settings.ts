import type { OptionReader } from '../../options/option_reader.ts'
import type { NodeFacts } from '../service.ts'
import type { ProducerOptions } from './producer_options.ts'
import { DEFAULT_RUNTIME_OPTIONS } from './runtime_options.ts'

/** The settings of production that follow from the options.
 *  @throws OptionError for every value that is wrong */
export function productionSettings(values: OptionReader, node: NodeFacts): ProducerOptions {
  const { development, producers, signing_keys } = node
  return {
    producers,
    signing_keys,
    enable_stale_production: development || values.switch('enable-stale-production'),
    pause_on_startup: values.switch('pause-on-startup'),
    max_reversible_blocks: values.integer('max-reversible-blocks'),
    pause_vote_timeout_us: values.integer('production-pause-vote-timeout-ms') * 1000,
    max_block_cpu_usage_threshold_us: values.integer('max-block-cpu-usage-threshold-us'),
    max_block_net_usage_threshold_bytes: values.integer('max-block-net-usage-threshold-bytes'),
    max_queue_bytes: values.integer('incoming-transaction-queue-size-mb') * 2 ** 20,
    recovery_threads: values.integer('chain-threads'),
    read_only_window_us: values.integer('read-only-read-window-time-us'),
    max_dry_runs_per_second: noLimit(values.integer('max-compute-transactions-per-second')),
    waits_for_processor: development,
    runtime: {
      ...DEFAULT_RUNTIME_OPTIONS,
      max_transaction_time: values.integer('max-transaction-time'),
      max_irreversible_block_age: values.integer('max-irreversible-block-age'),
      produce_block_offset_ms: values.integer('produce-block-offset-ms'),
    },
  }
}

function noLimit(value: number): number {
  return value < 0 ? Infinity : value
}
