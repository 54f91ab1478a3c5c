import { UINT64_MAX } from '../../../protocol/integer.ts'
import type { Database } from '../../../state/database.ts'
import { ensure } from '../../base/refuse.ts'
import { sameElasticLimit, checkElasticLimit, updateElasticLimit } from './elastic_limit.ts'
import type { ElasticLimitParameters } from '../../../state/rows.ts'
import { addUsage, average } from './usage_accumulator.ts'

/** Adopts the limits of CPU and NET per block, at the end of each block. */
export function setBlockParameters(
  db: Database,
  cpu: ElasticLimitParameters,
  net: ElasticLimitParameters,
): void {
  checkElasticLimit(cpu)
  checkElasticLimit(net)
  const config = db.resource_limits_config.single()
  if (
    sameElasticLimit(config.cpu_limit_parameters, cpu) &&
    sameElasticLimit(config.net_limit_parameters, net)
  ) {
    return
  }
  db.resource_limits_config.modify(config, (row) => {
    row.cpu_limit_parameters = cpu
    row.net_limit_parameters = net
  })
}

/** Sets the limits of accounts that the block's transactions requested. */
export function processAccountLimitUpdates(db: Database): void {
  const pending = [...db.resource_limits.range('by_owner', [true], [true])]
  if (pending.length === 0) return
  db.resource_limits_state.modify(db.resource_limits_state.single(), (state) => {
    for (const change of pending) {
      const actual = db.resource_limits.get('by_owner', false, change.owner)
      const { ram_bytes, cpu_weight, net_weight } = change
      state.total_ram_bytes = retotal(
        state.total_ram_bytes,
        actual.ram_bytes,
        ram_bytes,
        'ram_bytes',
      )
      state.total_cpu_weight = retotal(
        state.total_cpu_weight,
        actual.cpu_weight,
        cpu_weight,
        'cpu_weight',
      )
      state.total_net_weight = retotal(
        state.total_net_weight,
        actual.net_weight,
        net_weight,
        'net_weight',
      )
      db.resource_limits.modify(actual, (row) => {
        row.ram_bytes = ram_bytes
        row.cpu_weight = cpu_weight
        row.net_weight = net_weight
      })
      db.resource_limits.remove(change)
    }
  })
}

function retotal(total: bigint, before: bigint, after: bigint, which: string): bigint {
  let result = total
  if (before > 0n) {
    ensure(
      result >= before,
      'rate_limiting_state_inconsistent',
      'underflow when reverting old value to ${which}',
      () => ({ which }),
    )
    result -= before
  }
  if (after > 0n) {
    ensure(
      UINT64_MAX - result >= after,
      'rate_limiting_state_inconsistent',
      'overflow when applying new value to ${which}',
      () => ({ which }),
    )
    result += after
  }
  return result
}

/** Ends the accounting of block `block_num`: averages, virtual limits, and nothing pending. */
export function processBlockUsage(db: Database, block_num: number): void {
  const { cpu_limit_parameters, net_limit_parameters } = db.resource_limits_config.single()
  db.resource_limits_state.modify(db.resource_limits_state.single(), (state) => {
    const cpu = state.average_block_cpu_usage
    addUsage(cpu, state.pending_cpu_usage, block_num, cpu_limit_parameters.periods)
    state.virtual_cpu_limit = updateElasticLimit(
      state.virtual_cpu_limit,
      average(cpu),
      cpu_limit_parameters,
    )
    state.pending_cpu_usage = 0n
    const net = state.average_block_net_usage
    addUsage(net, state.pending_net_usage, block_num, net_limit_parameters.periods)
    state.virtual_net_limit = updateElasticLimit(
      state.virtual_net_limit,
      average(net),
      net_limit_parameters,
    )
    state.pending_net_usage = 0n
  })
}

/** Microseconds of CPU left in the pending block. */
export function getBlockCpuLimit(db: Database): bigint {
  const { cpu_limit_parameters } = db.resource_limits_config.single()
  return cpu_limit_parameters.max - db.resource_limits_state.single().pending_cpu_usage
}

/** Bytes of NET left in the pending block. */
export function getBlockNetLimit(db: Database): bigint {
  const { net_limit_parameters } = db.resource_limits_config.single()
  return net_limit_parameters.max - db.resource_limits_state.single().pending_net_usage
}
