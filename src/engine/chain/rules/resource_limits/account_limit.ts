import type { Database } from '../../../state/database.ts'
import {
  MAXIMUM_ELASTIC_RESOURCE_MULTIPLIER,
  RATE_LIMITING_PRECISION,
} from '../../base/constants.ts'
import { getAccountLimits } from './account_limits.ts'
import { addUsage, divideCeil, toInt64 } from './usage_accumulator.ts'
import type { UsageAccumulator } from './usage_accumulator.ts'
import { usageRow } from './account_rows.ts'

/**
 * An account's amounts of a resource in its window; -1 in all fields except the time means
 * unlimited.
 */
export interface AccountResourceLimit {
  used: bigint
  available: bigint
  max: bigint
  /** Slot of the last usage. */
  last_usage_update_time: number
  /** The usage decayed to the requested time; `used` if no time is requested. */
  current_used: bigint
}

/** A limit and whether the greylist made it smaller. */
export interface GreylistedLimit {
  limit: AccountResourceLimit
  greylisted: boolean
}

/** Computes an {@link AccountResourceLimit}; the options are the same for both resources. */
export interface LimitOptions {
  /** 1 to 1000: the virtual limit counts as at most this many times the real one. Default 1000. */
  greylist_limit?: number | undefined
  /** Slot to decay `current_used` to. */
  current_slot?: number | undefined
}

/** CPU of an account, microseconds. The account must exist. */
export function getAccountCpuLimit(
  db: Database,
  account: bigint,
  options: LimitOptions = {},
): GreylistedLimit {
  const state = db.resource_limits_state.single()
  const config = db.resource_limits_config.single()
  return accountLimit(
    {
      usage: usageRow(db, account).cpu_usage,
      weight: getAccountLimits(db, account).cpu_weight,
      total_weight: state.total_cpu_weight,
      virtual_limit: state.virtual_cpu_limit,
      block_max: config.cpu_limit_parameters.max,
      window: config.account_cpu_usage_average_window,
    },
    options,
  )
}

/** NET of an account, bytes. The account must exist. */
export function getAccountNetLimit(
  db: Database,
  account: bigint,
  options: LimitOptions = {},
): GreylistedLimit {
  const state = db.resource_limits_state.single()
  const config = db.resource_limits_config.single()
  return accountLimit(
    {
      usage: usageRow(db, account).net_usage,
      weight: getAccountLimits(db, account).net_weight,
      total_weight: state.total_net_weight,
      virtual_limit: state.virtual_net_limit,
      block_max: config.net_limit_parameters.max,
      window: config.account_net_usage_average_window,
    },
    options,
  )
}

interface Share {
  usage: UsageAccumulator
  weight: bigint
  total_weight: bigint
  virtual_limit: bigint
  block_max: bigint
  window: number
}

function accountLimit(share: Share, options: LimitOptions): GreylistedLimit {
  const last_usage_update_time = share.usage.last_ordinal
  if (share.weight < 0n || share.total_weight === 0n) {
    return {
      limit: { used: -1n, available: -1n, max: -1n, last_usage_update_time, current_used: -1n },
      greylisted: false,
    }
  }
  const greylist = options.greylist_limit ?? MAXIMUM_ELASTIC_RESOURCE_MULTIPLIER
  let virtual_limit = share.virtual_limit
  let greylisted = false
  if (greylist < MAXIMUM_ELASTIC_RESOURCE_MULTIPLIER) {
    const reduced = BigInt.asUintN(64, share.block_max * BigInt(greylist))
    greylisted = reduced < virtual_limit
    if (greylisted) virtual_limit = reduced
  }
  const max = shareOf(virtual_limit, share)
  const used = usedInWindow(share.usage.value_ex, share.window)
  const available = max <= used ? 0n : toInt64(max - used)
  const limit = {
    used: toInt64(used),
    available,
    max: toInt64(max),
    last_usage_update_time,
    current_used: used,
  }
  const slot = options.current_slot
  if (slot !== undefined && slot > last_usage_update_time) {
    const decayed = { ...share.usage }
    addUsage(decayed, 0n, slot, share.window)
    limit.current_used = toInt64(usedInWindow(decayed.value_ex, share.window))
  }
  return { limit, greylisted }
}

/** The share of a window's capacity for a weight. The product has 128 bits in the reference. */
export function shareOf(
  virtual_limit: bigint,
  share: { window: number; weight: bigint; total_weight: bigint },
): bigint {
  const product = virtual_limit * BigInt(share.window) * share.weight
  return BigInt.asUintN(128, product) / share.total_weight
}

function usedInWindow(value_ex: bigint, window: number): bigint {
  return divideCeil(value_ex * BigInt(window), BigInt(RATE_LIMITING_PRECISION))
}
