import type { Database } from '../../../state/database.ts'
import { nameToString } from '../../../protocol/name.ts'
import { RATE_LIMITING_PRECISION } from '../../base/constants.ts'
import { ensure } from '../../base/refuse.ts'
import { shareOf } from './account_limit.ts'
import { getAccountLimits } from './account_limits.ts'
import { addUsage } from './usage_accumulator.ts'
import { usageRow } from './account_rows.ts'

const PRECISION = BigInt(RATE_LIMITING_PRECISION)

/** Decays the averages of accounts up to `slot`, before a transaction is compared with them. */
export function updateAccountUsage(db: Database, accounts: Iterable<bigint>, slot: number): void {
  const config = db.resource_limits_config.single()
  for (const account of accounts) {
    const row = usageRow(db, account)
    // Done by a transaction before, in the same block.
    if (row.net_usage.last_ordinal === slot && row.cpu_usage.last_ordinal === slot) continue
    db.resource_usage.modifyHot(row, (usage) => {
      addUsage(usage.net_usage, 0n, slot, config.account_net_usage_average_window)
      addUsage(usage.cpu_usage, 0n, slot, config.account_cpu_usage_average_window)
    })
  }
}

/**
 * Bills a transaction to its accounts and to the block: the usage is added, then each account's
 * share and the block's limits are enforced. `accounts` ascending (the order decides which error
 * comes first); `cpu_us` microseconds, `net_bytes` bytes, `slot` the pending block's.
 * @throws ChainError tx_cpu_usage_exceeded, tx_net_usage_exceeded, block_resource_exhausted
 */
export function addTransactionUsage(
  db: Database,
  accounts: Iterable<bigint>,
  cpu_us: number,
  net_bytes: number,
  slot: number,
): void {
  const state = db.resource_limits_state.single()
  const config = db.resource_limits_config.single()
  const cpu = BigInt(cpu_us)
  const net = BigInt(net_bytes)
  for (const account of accounts) {
    const usage = usageRow(db, account)
    db.resource_usage.modifyHot(usage, (row) => {
      addUsage(row.net_usage, net, slot, config.account_net_usage_average_window)
      addUsage(row.cpu_usage, cpu, slot, config.account_cpu_usage_average_window)
    })
    const { cpu_weight, net_weight } = getAccountLimits(db, account)
    if (cpu_weight >= 0n && state.total_cpu_weight > 0n) {
      const window = BigInt(config.account_cpu_usage_average_window)
      const used = (usage.cpu_usage.value_ex * window) / PRECISION
      const allowed = shareOf(state.virtual_cpu_limit, {
        window: config.account_cpu_usage_average_window,
        weight: cpu_weight,
        total_weight: state.total_cpu_weight,
      })
      ensure(used <= allowed, 'tx_cpu_usage_exceeded', CPU_EXCEEDED, () => ({
        n: nameToString(account),
        cpu_used_in_window: used.toString(),
        max_user_use_in_window: allowed.toString(),
      }))
    }
    if (net_weight >= 0n && state.total_net_weight > 0n) {
      const window = BigInt(config.account_net_usage_average_window)
      const used = (usage.net_usage.value_ex * window) / PRECISION
      const allowed = shareOf(state.virtual_net_limit, {
        window: config.account_net_usage_average_window,
        weight: net_weight,
        total_weight: state.total_net_weight,
      })
      ensure(used <= allowed, 'tx_net_usage_exceeded', NET_EXCEEDED, () => ({
        n: nameToString(account),
        net_used_in_window: used.toString(),
        max_user_use_in_window: allowed.toString(),
      }))
    }
  }
  addBlockUsage(db, cpu, net)
}

const CPU_EXCEEDED =
  "authorizing account '${n}' has insufficient objective cpu resources for this transaction, used in window ${cpu_used_in_window}us, allowed in window ${max_user_use_in_window}us"
const NET_EXCEEDED =
  "authorizing account '${n}' has insufficient net resources for this transaction, used in window ${net_used_in_window}, allowed in window ${max_user_use_in_window}"

function addBlockUsage(db: Database, cpu: bigint, net: bigint): void {
  const state = db.resource_limits_state.single()
  const config = db.resource_limits_config.single()
  db.resource_limits_state.modifyHot(state, (row) => {
    row.pending_cpu_usage = BigInt.asUintN(64, row.pending_cpu_usage + cpu)
    row.pending_net_usage = BigInt.asUintN(64, row.pending_net_usage + net)
  })
  ensure(
    state.pending_cpu_usage <= config.cpu_limit_parameters.max,
    'block_resource_exhausted',
    'Block has insufficient cpu resources',
  )
  ensure(
    state.pending_net_usage <= config.net_limit_parameters.max,
    'block_resource_exhausted',
    'Block has insufficient net resources',
  )
}
