/**
 * JSON types of the rows of a snapshot of the current version, as the reference reflects them.
 * spring: FC_REFLECT in the *_object.hpp headers of libraries/chain
 */
import { CHAIN_CONFIG_FIELDS, WASM_CONFIG_FIELDS } from '../protocol/config.ts'
import type { ContractTableName, ObjectTableName } from '../state/tables.ts'
import { producer_authority_schedule } from './block_state_json.ts'
import * as t from './json_type.ts'
import type { JsonType } from './json_type.ts'

const chain_config = t.struct(
  Object.fromEntries(CHAIN_CONFIG_FIELDS.map(([field, type]) => [field, t[type]])),
)

const wasm_config = t.struct(Object.fromEntries(WASM_CONFIG_FIELDS.map((field) => [field, t.u32])))

const authority = t.struct({
  threshold: t.u32,
  keys: t.vector(t.struct({ key: t.public_key, weight: t.u16 })),
  accounts: t.vector(
    t.struct({ permission: t.struct({ actor: t.name, permission: t.name }), weight: t.u16 }),
  ),
  waits: t.vector(t.struct({ wait_sec: t.u32, weight: t.u16 })),
})

const usage = t.struct({ last_ordinal: t.u32, value_ex: t.u64, consumed: t.u64 })
const ratio = t.struct({ numerator: t.u64, denominator: t.u64 })
const elastic_limit = t.struct({
  target: t.u64,
  max: t.u64,
  periods: t.u32,
  max_multiplier: t.u32,
  contract_rate: ratio,
  expand_rate: ratio,
})

/** Tables that a snapshot has as sections. */
export type SnapshotTableName = Exclude<ObjectTableName, 'database_header' | 'permission_usage'>

/** The JSON types of rows of object tables. */
export const OBJECT_ROWS: Readonly<Record<SnapshotTableName, JsonType>> = {
  account: t.struct({ name: t.name, creation_date: t.slot, abi: t.base64 }),
  account_metadata: t.struct({
    name: t.name,
    recv_sequence: t.u64,
    auth_sequence: t.u64,
    code_sequence: t.u64,
    abi_sequence: t.u64,
    code_hash: t.sha256,
    last_code_update: t.time_point,
    flags: t.u32,
    vm_type: t.u8,
    vm_version: t.u8,
  }),
  account_ram_correction: t.struct({ name: t.name, ram_correction: t.u64 }),
  global_property: t.struct({
    proposed_schedule_block_num: t.optional(t.u32),
    proposed_schedule: producer_authority_schedule,
    configuration: chain_config,
    chain_id: t.sha256,
    wasm_configuration: wasm_config,
  }),
  protocol_state: t.struct({
    activated_protocol_features: t.vector(
      t.struct({ feature_digest: t.sha256, activation_block_num: t.u32 }),
    ),
    preactivated_protocol_features: t.vector(t.sha256),
    whitelisted_intrinsics: t.vector(t.string),
    num_supported_key_types: t.u32,
  }),
  dynamic_global_property: t.struct({ global_action_sequence: t.u64 }),
  block_summary: t.struct({ block_id: t.sha256 }),
  transaction: t.struct({ expiration: t.time_point_sec, trx_id: t.sha256 }),
  generated_transaction: t.struct({
    trx_id: t.sha256,
    sender: t.name,
    sender_id: t.u128,
    payer: t.name,
    delay_until: t.time_point,
    expiration: t.time_point,
    published: t.time_point,
    packed_trx: t.base64,
  }),
  table_id: t.struct({
    code: t.name,
    scope: t.name,
    table: t.name,
    payer: t.name,
    count: t.u32,
  }),
  code: t.struct({
    code_hash: t.sha256,
    code: t.base64,
    code_ref_count: t.u64,
    first_block_used: t.u32,
    vm_type: t.u8,
    vm_version: t.u8,
  }),
  permission: t.struct({
    parent: t.name,
    owner: t.name,
    name: t.name,
    last_updated: t.time_point,
    last_used: t.time_point,
    auth: authority,
  }),
  permission_link: t.struct({
    account: t.name,
    code: t.name,
    message_type: t.name,
    required_permission: t.name,
  }),
  resource_limits: t.struct({
    owner: t.name,
    net_weight: t.i64,
    cpu_weight: t.i64,
    ram_bytes: t.i64,
  }),
  resource_usage: t.struct({
    owner: t.name,
    net_usage: usage,
    cpu_usage: usage,
    ram_usage: t.u64,
  }),
  resource_limits_state: t.struct({
    average_block_net_usage: usage,
    average_block_cpu_usage: usage,
    pending_net_usage: t.u64,
    pending_cpu_usage: t.u64,
    total_net_weight: t.u64,
    total_cpu_weight: t.u64,
    total_ram_bytes: t.u64,
    virtual_net_limit: t.u64,
    virtual_cpu_limit: t.u64,
  }),
  resource_limits_config: t.struct({
    cpu_limit_parameters: elastic_limit,
    net_limit_parameters: elastic_limit,
    account_cpu_usage_average_window: t.u32,
    account_net_usage_average_window: t.u32,
  }),
}

const secondary = (secondary_key: JsonType): JsonType =>
  t.struct({ primary_key: t.u64, payer: t.name, secondary_key })

/** The JSON types of rows of contract tables. */
export const CONTRACT_ROWS: Readonly<Record<ContractTableName, JsonType>> = {
  key_value: t.struct({ primary_key: t.u64, payer: t.name, value: t.base64 }),
  index64: secondary(t.u64),
  index128: secondary(t.u128),
  index256: secondary(t.key256),
  index_double: secondary(t.float64),
  index_long_double: secondary(t.float128),
}
