import { integerToJson } from '../abi/number_text.ts'
import { toHex } from '../protocol/hex.ts'
import { nameToString } from '../protocol/name.ts'
import { slotToString } from '../protocol/time.ts'
import type { StateChain } from './query.ts'

/** The version names of the node. */
export interface ServerVersion {
  /** Eight hex digits. */
  server_version: string
  /** For example `v1.2.2`. */
  server_version_string: string
  server_full_version_string: string
}

/**
 * The version names for a version without a leading v. The reference has eight hexadecimal digits
 * of its source's commit there.
 */
export function serverVersion(version: string): ServerVersion {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return {
    server_version: ((major << 24) | (minor << 12) | patch).toString(16).padStart(8, '0'),
    server_version_string: `v${version}`,
    server_full_version_string: `v${version}-pronghorn`,
  }
}

/**
 * The head, the last irreversible block and the chain's limits. The limits of a block are those of
 * an empty one, without the usage of the pending block.
 * spring: plugins/chain_plugin/get_info_db.cpp
 */
export function getInfo(chain: StateChain, version: ServerVersion) {
  const { head, last_irreversible, fork_head } = chain
  const limits = chain.db.resource_limits_state.single()
  const config = chain.db.resource_limits_config.single()
  return {
    server_version: version.server_version,
    chain_id: toHex(chain.chain_id),
    head_block_num: head.block_num,
    last_irreversible_block_num: last_irreversible.block_num,
    last_irreversible_block_id: toHex(last_irreversible.id),
    head_block_id: toHex(head.id),
    head_block_time: slotToString(head.timestamp),
    head_block_producer: nameToString(head.producer),
    virtual_block_cpu_limit: integerToJson(limits.virtual_cpu_limit),
    virtual_block_net_limit: integerToJson(limits.virtual_net_limit),
    block_cpu_limit: integerToJson(config.cpu_limit_parameters.max),
    block_net_limit: integerToJson(config.net_limit_parameters.max),
    server_version_string: version.server_version_string,
    fork_db_head_block_num: fork_head.block_num,
    fork_db_head_block_id: toHex(fork_head.id),
    server_full_version_string: version.server_full_version_string,
    total_cpu_weight: integerToJson(limits.total_cpu_weight),
    total_net_weight: integerToJson(limits.total_net_weight),
    earliest_available_block_num: chain.earliest_available_block_num,
    last_irreversible_block_time: slotToString(last_irreversible.timestamp),
  }
}
