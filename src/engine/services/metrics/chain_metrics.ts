/**
 * Metrics of the node and its chain under the reference's names.
 * spring: plugins/prometheus_plugin/metrics.hpp
 */
import type { Chain } from '../../chain/chain.ts'
import { toHex } from '../../protocol/hex.ts'
import type { ServerVersion } from '../../queries/chain_info.ts'
import { gauge, type Metric } from '../metric.ts'

/** The metrics of the node's version and of its chain. */
export function chainMetrics(chain: Chain, version: ServerVersion): Metric[] {
  return [
    info(chain, version),
    gauge('nodeos_last_irreversible', 'last irreversible block', chain.last_irreversible.block_num),
    gauge('nodeos_head_block_num', 'head block', chain.head.block_num),
    gauge('nodeos_block_num', 'block in work', chain.pending?.block_num ?? chain.head.block_num),
  ]
}

function info(chain: Chain, version: ServerVersion): Metric {
  const labels = {
    ...version,
    chain_id: toHex(chain.chain_id),
    earliest_available_block_num: String(chain.earliest_available_block_num),
  }
  const help = 'static information about the server'
  return { name: 'nodeos_info', help, type: 'gauge', samples: [{ labels, value: 1 }] }
}
