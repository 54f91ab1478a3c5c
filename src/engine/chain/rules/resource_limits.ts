/**
 * CPU, NET and RAM of accounts and blocks (spring: resource_limits.cpp). Rows: `resource_limits`
 * (one per account, and a pending one while a change waits for the block's end), `resource_usage`,
 * `resource_limits_state` and `resource_limits_config`. CPU is in microseconds, NET and RAM in bytes.
 */
import type { Database } from '../../state/database.ts'
import {
  ACCOUNT_USAGE_WINDOW_SLOTS,
  BLOCK_USAGE_WINDOW_BLOCKS,
  MAXIMUM_ELASTIC_RESOURCE_MULTIPLIER,
  percentOf,
} from '../base/constants.ts'
import { PERCENT_1 } from '../../protocol/constants.ts'
import type { ElasticLimitParameters } from '../../state/rows.ts'
import { newUsageAccumulator } from './resource_limits/usage_accumulator.ts'

export { getAccountCpuLimit, getAccountNetLimit } from './resource_limits/account_limit.ts'
export type {
  AccountResourceLimit,
  GreylistedLimit,
  LimitOptions,
} from './resource_limits/account_limit.ts'
export {
  getAccountLimits,
  isUnlimitedCpu,
  setAccountLimits,
} from './resource_limits/account_limits.ts'
export type { AccountLimits } from './resource_limits/account_limits.ts'
export { addTransactionUsage, updateAccountUsage } from './resource_limits/account_usage.ts'
export * from './resource_limits/block_usage.ts'
export type { ElasticLimitParameters } from '../../state/rows.ts'
export {
  addPendingRamUsage,
  getAccountRamUsage,
  verifyAccountRamUsage,
} from './resource_limits/ram.ts'

/**
 * The initial values of the reference's rows, before the first block adopts the parameters of
 * genesis.
 */
const DEFAULT_MAX_BLOCK_CPU_USAGE = 200_000n
const DEFAULT_MAX_BLOCK_NET_USAGE = 1024n * 1024n
const DEFAULT_TARGET_PCT = 10 * PERCENT_1

/** The elastic limit of a block resource with this maximum and target (percent_100 units). */
export function elasticLimit(max: bigint, target_pct: number): ElasticLimitParameters {
  return {
    target: percentOf(max, target_pct),
    max,
    periods: BLOCK_USAGE_WINDOW_BLOCKS,
    max_multiplier: MAXIMUM_ELASTIC_RESOURCE_MULTIPLIER,
    contract_rate: { numerator: 99n, denominator: 100n },
    expand_rate: { numerator: 1000n, denominator: 999n },
  }
}

/** Creates the state and config rows of a new chain: congested, so that it starts slowly. */
export function initializeResourceLimits(db: Database): void {
  const cpu = elasticLimit(DEFAULT_MAX_BLOCK_CPU_USAGE, DEFAULT_TARGET_PCT)
  const net = elasticLimit(DEFAULT_MAX_BLOCK_NET_USAGE, DEFAULT_TARGET_PCT)
  db.resource_limits_config.create({
    cpu_limit_parameters: cpu,
    net_limit_parameters: net,
    account_cpu_usage_average_window: ACCOUNT_USAGE_WINDOW_SLOTS,
    account_net_usage_average_window: ACCOUNT_USAGE_WINDOW_SLOTS,
  })
  db.resource_limits_state.create({
    average_block_net_usage: newUsageAccumulator(),
    average_block_cpu_usage: newUsageAccumulator(),
    pending_net_usage: 0n,
    pending_cpu_usage: 0n,
    total_net_weight: 0n,
    total_cpu_weight: 0n,
    total_ram_bytes: 0n,
    virtual_net_limit: net.max,
    virtual_cpu_limit: cpu.max,
  })
}

/** Creates the rows of a new account: unlimited, nothing used. */
export function initializeAccountResources(db: Database, account: bigint): void {
  db.resource_limits.create({
    owner: account,
    pending: false,
    net_weight: -1n,
    cpu_weight: -1n,
    ram_bytes: -1n,
  })
  db.resource_usage.create({
    owner: account,
    net_usage: newUsageAccumulator(),
    cpu_usage: newUsageAccumulator(),
    ram_usage: 0n,
  })
}
