/**
 * Rows of the object tables, with the reference's field names (spring: the *_object.hpp headers of
 * libraries/chain). Every row also has `id`, given by the table and never changed.
 */
import type { Authority } from '../protocol/authority.ts'
import type { ChainConfig, WasmConfig } from '../protocol/config.ts'
import type { ProducerAuthoritySchedule } from '../protocol/schedule.ts'

/** An account: its name and its ABI. spring: account_object.hpp */
export interface Account {
  name: bigint
  /** Block timestamp slot: half seconds since 2000-01-01. */
  creation_date: number
  /** Packed abi_def; empty if no ABI is set. */
  abi: Uint8Array
}

/** Bits of {@link AccountMetadata.flags}. spring: account_metadata_object::flags_fields */
export const ACCOUNT_FLAG_PRIVILEGED = 1

/** Sequence numbers and code of an account. spring: account_object.hpp */
export interface AccountMetadata {
  name: bigint
  recv_sequence: bigint
  auth_sequence: bigint
  code_sequence: bigint
  abi_sequence: bigint
  /** SHA-256 of the code; all zero if no code is set. */
  code_hash: Uint8Array
  /** Microseconds since 1970. */
  last_code_update: number
  flags: number
  vm_type: number
  vm_version: number
}

/** RAM that an account was overcharged. spring: account_object.hpp */
export interface AccountRamCorrection {
  name: bigint
  ram_correction: bigint
}

/** spring: permission_object.hpp */
export interface PermissionUsage {
  /** Microseconds since 1970. */
  last_used: number
}

/** A named authority of an account. Row 0 is reserved and empty. spring: permission_object.hpp */
export interface Permission {
  /** Id of a permission_usage row. */
  usage_id: number
  /** Id of the parent permission; 0 means none. */
  parent: number
  owner: bigint
  name: bigint
  /** Microseconds since 1970. */
  last_updated: number
  auth: Authority
}

/** The permission that an account requires for an action. spring: permission_link_object.hpp */
export interface PermissionLink {
  account: bigint
  code: bigint
  /** 0 = every action of `code`. */
  message_type: bigint
  required_permission: bigint
}

/** One row. spring: global_property_object.hpp */
export interface GlobalProperty {
  proposed_schedule_block_num: number | undefined
  proposed_schedule: ProducerAuthoritySchedule
  configuration: ChainConfig
  chain_id: Uint8Array
  wasm_configuration: WasmConfig
}

/** One row. spring: global_property_object.hpp */
export interface DynamicGlobalProperty {
  global_action_sequence: bigint
}

/** A feature and the block that activated it. spring: protocol_state_object.hpp */
export interface ActivatedProtocolFeature {
  feature_digest: Uint8Array
  activation_block_num: number
}

/** One row. spring: protocol_state_object.hpp */
export interface ProtocolState {
  activated_protocol_features: ActivatedProtocolFeature[]
  preactivated_protocol_features: Uint8Array[]
  /** Names of host functions that new code may import. */
  whitelisted_intrinsics: Set<string>
  num_supported_key_types: number
}

/** Id of a recent block; row id = block number modulo 65536. spring: block_summary_object.hpp */
export interface BlockSummary {
  block_id: Uint8Array
}

/** A transaction that must not be included again. spring: transaction_object.hpp */
export interface TransactionRow {
  /** Seconds since 1970. */
  expiration: number
  trx_id: Uint8Array
}

/** A deferred transaction; times in microseconds. spring: generated_transaction_object.hpp */
export interface GeneratedTransaction {
  trx_id: Uint8Array
  sender: bigint
  /** u128. */
  sender_id: bigint
  payer: bigint
  delay_until: number
  expiration: number
  published: number
  packed_trx: Uint8Array
}

/** A contract table that has rows; its id is the `t_id` of them. spring: contract_table_objects.hpp */
export interface TableId {
  code: bigint
  scope: bigint
  table: bigint
  payer: bigint
  /** Rows in the table, primary and secondary ones. */
  count: number
}

/** WASM code, shared by the accounts that set the same. spring: code_object.hpp */
export interface Code {
  code_hash: Uint8Array
  code: Uint8Array
  code_ref_count: bigint
  first_block_used: number
  vm_type: number
  vm_version: number
}

/** One row: format version of the state. spring: database_header_object.hpp */
export interface DatabaseHeader {
  version: number
}

/** Moving average of a usage. spring: resource_limits_private.hpp */
export interface UsageAccumulator {
  last_ordinal: number
  value_ex: bigint
  consumed: bigint
}

/**
 * The resources that an account may use; -1 means unlimited. spring: resource_limits_private.hpp
 */
export interface ResourceLimits {
  owner: bigint
  /** A second row of the account, pending until the end of the block. */
  pending: boolean
  /** i64. */
  net_weight: bigint
  /** i64. */
  cpu_weight: bigint
  /** i64. */
  ram_bytes: bigint
}

/** The resources that an account used. spring: resource_limits_private.hpp */
export interface ResourceUsage {
  owner: bigint
  net_usage: UsageAccumulator
  cpu_usage: UsageAccumulator
  ram_usage: bigint
}

/** A ratio of u64. */
export interface Ratio {
  numerator: bigint
  denominator: bigint
}

/**
 * The rule by which the virtual limit of a block resource follows its usage (spring:
 * resource_limits.hpp).
 */
export interface ElasticLimitParameters {
  /** u64: usage per block above which the virtual limit shrinks. */
  target: bigint
  /** u64: the real limit per block, the floor of the virtual one. */
  max: bigint
  /** u32: blocks that the average spans. */
  periods: number
  /** u32: the virtual limit is at most this many times `max`. */
  max_multiplier: number
  contract_rate: Ratio
  expand_rate: Ratio
}

/** One row. spring: resource_limits_private.hpp */
export interface ResourceLimitsConfig {
  cpu_limit_parameters: ElasticLimitParameters
  net_limit_parameters: ElasticLimitParameters
  account_cpu_usage_average_window: number
  account_net_usage_average_window: number
}

/** One row. spring: resource_limits_private.hpp */
export interface ResourceLimitsState {
  average_block_net_usage: UsageAccumulator
  average_block_cpu_usage: UsageAccumulator
  pending_net_usage: bigint
  pending_cpu_usage: bigint
  total_net_weight: bigint
  total_cpu_weight: bigint
  total_ram_bytes: bigint
  virtual_net_limit: bigint
  virtual_cpu_limit: bigint
}
