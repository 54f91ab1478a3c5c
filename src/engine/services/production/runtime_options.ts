/**
 * Options that an operator may change while the node runs, and their effects.
 * spring: plugins/producer_plugin/producer_plugin.cpp (update_runtime_options); the last four
 * fields of the answer are additions of the specification.
 */
import { check } from '../../errors.ts'
import type { SubjectiveRules } from '../../chain/execution/subjective_rules.ts'
import { BLOCK_INTERVAL_US, PRODUCER_REPETITIONS } from '../../protocol/constants.ts'
import { cpuEffort } from './timing.ts'

/** The options of production that operators can change at run time. */
export interface RuntimeOptions {
  /** Milliseconds that one transaction may run here; negative: only the chain's limits. */
  max_transaction_time: number
  /** Seconds; production stops while the last irreversible block is older. Negative: never. */
  max_irreversible_block_age: number
  /** Milliseconds kept free at the end of a round of 12 blocks. */
  produce_block_offset_ms: number
  /** Microseconds by which every block is cut later (negative: earlier). */
  produce_time_offset_us: number
  /** Microseconds by which the last block of a round is cut later still (negative: earlier). */
  last_block_time_offset_us: number
  /** Milliseconds that deferred transactions may take of each block. */
  max_scheduled_transaction_time_per_block_ms: number
  /** Waiting incoming transactions executed before each deferred one. */
  incoming_defer_ratio: number
}

/** The rules of execution that are run-time options too. */
export type AdjustableRules = Pick<SubjectiveRules, 'greylist_limit' | 'subjective_cpu_leeway_us'>

/** The default run-time options. */
export const DEFAULT_RUNTIME_OPTIONS: RuntimeOptions = {
  max_transaction_time: 499,
  max_irreversible_block_age: -1,
  produce_block_offset_ms: 450,
  produce_time_offset_us: 0,
  last_block_time_offset_us: 0,
  max_scheduled_transaction_time_per_block_ms: 100,
  incoming_defer_ratio: 1,
}

/** New values; absent ones are not changed. */
export type RuntimeOptionsUpdate = Partial<RuntimeOptions> & {
  subjective_cpu_leeway_us?: number
  greylist_limit?: number
}

/** The options in the form of the answer: the reference's fields, then the specification's. */
export function describeRuntimeOptions(options: RuntimeOptions, rules: AdjustableRules) {
  const { subjective_cpu_leeway_us, greylist_limit } = rules
  return {
    max_transaction_time: options.max_transaction_time,
    max_irreversible_block_age: Math.max(-1, options.max_irreversible_block_age),
    produce_block_offset_ms: offsetInForce(options.produce_block_offset_ms),
    ...(subjective_cpu_leeway_us === undefined ? {} : { subjective_cpu_leeway_us }),
    greylist_limit,
    produce_time_offset_us: options.produce_time_offset_us,
    last_block_time_offset_us: options.last_block_time_offset_us,
    max_scheduled_transaction_time_per_block_ms:
      options.max_scheduled_transaction_time_per_block_ms,
    incoming_defer_ratio: options.incoming_defer_ratio.toFixed(17),
  }
}

/**
 * Sets new values, all or none.
 * @throws plugin_config_exception, misc_exception if a value is out of its bounds
 */
export function updateRuntimeOptions(
  options: RuntimeOptions,
  rules: AdjustableRules,
  update: RuntimeOptionsUpdate,
): void {
  const { greylist_limit, subjective_cpu_leeway_us, ...own } = update
  checkBounds(update)
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined) options[name as keyof RuntimeOptions] = value
  }
  if (greylist_limit !== undefined) rules.greylist_limit = greylist_limit
  if (subjective_cpu_leeway_us !== undefined) {
    rules.subjective_cpu_leeway_us = subjective_cpu_leeway_us
  }
}

const ROUND_MS = (PRODUCER_REPETITIONS * BLOCK_INTERVAL_US) / 1000
const MAX_GREYLIST_LIMIT = 1000
/** A block never ends before its own slot, nor after the next one. */
const MAX_OFFSET_US = BLOCK_INTERVAL_US - 1

function checkBounds(update: RuntimeOptionsUpdate): void {
  const offset = update.produce_block_offset_ms
  check(
    offset === undefined || (offset >= 0 && offset < ROUND_MS),
    'plugin_config_exception',
    () => `produce-block-offset-ms ${offset} must be [0 - ${ROUND_MS})`,
  )
  const limit = update.greylist_limit
  check(
    limit === undefined || (limit > 0 && limit <= MAX_GREYLIST_LIMIT),
    'misc_exception',
    () =>
      `Invalid limit (${limit}) passed into set_greylist_limit. ` +
      `Must be between 1 and ${MAX_GREYLIST_LIMIT}.`,
  )
  for (const name of ['produce_time_offset_us', 'last_block_time_offset_us'] as const) {
    const value = update[name]
    check(
      value === undefined || (value <= 0 && value >= -MAX_OFFSET_US),
      'plugin_config_exception',
      () => `${name} ${value} must be [-${MAX_OFFSET_US} - 0]`,
    )
  }
  for (const name of [
    'max_scheduled_transaction_time_per_block_ms',
    'incoming_defer_ratio',
    'subjective_cpu_leeway_us',
  ] as const) {
    const value = update[name]
    check(
      value === undefined || value >= 0,
      'plugin_config_exception',
      () => `${name} ${value} must not be negative`,
    )
  }
}

/** The effective offset: each block is shortened by whole milliseconds. */
function offsetInForce(offset_ms: number): number {
  const effort_ms = Math.floor(cpuEffort(offset_ms) / 1000)
  return (BLOCK_INTERVAL_US / 1000 - effort_ms) * PRODUCER_REPETITIONS
}
