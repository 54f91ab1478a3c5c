import { DEFAULT_RUNTIME_OPTIONS, nameFromString, type EngineOptions } from '../engine/index.ts'
import { OptionError, type OptionValues } from '../options/parse.ts'
import { namesOf, parsed } from '../engine/options/option_text.ts'
import { signingKeys } from './signature_providers.ts'

type ProducerOptions = EngineOptions['producer']

const GIB = 2 ** 30
const SECOND_US = 1_000_000

/** The producer's options from the user's.
 *  @throws OptionError for every value that is wrong */
export function producerOptions(
  values: OptionValues,
  producer_names: readonly string[],
  development: boolean,
): ProducerOptions {
  const retry = retryOptions(values)
  return {
    producers: producer_names.map((name) => parsed('producer-name', name, nameFromString)),
    signing_keys: signingKeys(values),
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
    subjective_billing: {
      bill_api: !values.bool('disable-subjective-api-billing'),
      bill_p2p: !values.bool('disable-subjective-p2p-billing'),
      disabled_accounts: namesOf(values, 'disable-subjective-account-billing'),
      decay_time_minutes: values.integer('subjective-account-decay-time-minutes'),
    },
    account_failures: {
      max_failures: values.integer('subjective-account-max-failures'),
      window_blocks: values.integer('subjective-account-max-failures-window-size'),
    },
    ...(retry ? { retry } : {}),
    runtime: {
      ...DEFAULT_RUNTIME_OPTIONS,
      max_transaction_time: values.integer('max-transaction-time'),
      max_irreversible_block_age: values.integer('max-irreversible-block-age'),
      produce_block_offset_ms: values.integer('produce-block-offset-ms'),
    },
  }
}

function retryOptions(values: OptionValues): ProducerOptions['retry'] {
  const size_gb = values.integer('transaction-retry-max-storage-size-gb')
  if (size_gb === 0) return undefined
  const interval = values.integer('transaction-retry-interval-sec')
  const max_expiration = values.integer('transaction-retry-max-expiration-sec')
  if (max_expiration <= interval) {
    throw new OptionError(
      `transaction-retry-max-expiration-sec ${max_expiration} must be more than ` +
        `transaction-retry-interval-sec ${interval}`,
    )
  }
  return {
    max_bytes: size_gb * GIB,
    interval_us: interval * SECOND_US,
    max_expiration_us: max_expiration * SECOND_US,
  }
}

function noLimit(value: number): number {
  return value < 0 ? Infinity : value
}
