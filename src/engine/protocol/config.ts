/**
 * Chain and WASM parameters. Validation is the chain's.
 * spring: libraries/chain/include/eosio/chain/{chain_config,wasm_config,config}.hpp
 */
import type { Reader } from './reader.ts'
import type { Writer } from './writer.ts'

/** Version 0; percentages in hundredths of a percent, cpu in microseconds, net in bytes. */
export interface ChainConfigV0 {
  max_block_net_usage: bigint
  target_block_net_usage_pct: number
  max_transaction_net_usage: number
  base_per_transaction_net_usage: number
  net_usage_leeway: number
  context_free_discount_net_usage_num: number
  context_free_discount_net_usage_den: number
  max_block_cpu_usage: number
  target_block_cpu_usage_pct: number
  max_transaction_cpu_usage: number
  min_transaction_cpu_usage: number
  max_transaction_lifetime: number
  deferred_trx_expiration_window: number
  max_transaction_delay: number
  max_inline_action_size: number
  max_inline_action_depth: number
  max_authority_depth: number
}

/** Version 1 adds the limit of ACTION_RETURN_VALUE. */
export interface ChainConfig extends ChainConfigV0 {
  max_action_return_value_size: number
}

type FieldType = 'u16' | 'u32' | 'u64'

/** Fields in wire order; the position is the parameter's id for contracts. */
export const CHAIN_CONFIG_FIELDS: readonly (readonly [keyof ChainConfig, FieldType])[] = [
  ['max_block_net_usage', 'u64'],
  ['target_block_net_usage_pct', 'u32'],
  ['max_transaction_net_usage', 'u32'],
  ['base_per_transaction_net_usage', 'u32'],
  ['net_usage_leeway', 'u32'],
  ['context_free_discount_net_usage_num', 'u32'],
  ['context_free_discount_net_usage_den', 'u32'],
  ['max_block_cpu_usage', 'u32'],
  ['target_block_cpu_usage_pct', 'u32'],
  ['max_transaction_cpu_usage', 'u32'],
  ['min_transaction_cpu_usage', 'u32'],
  ['max_transaction_lifetime', 'u32'],
  ['deferred_trx_expiration_window', 'u32'],
  ['max_transaction_delay', 'u32'],
  ['max_inline_action_size', 'u32'],
  ['max_inline_action_depth', 'u16'],
  ['max_authority_depth', 'u16'],
  ['max_action_return_value_size', 'u32'],
]

/** The number of fields in version 0. */
export const CHAIN_CONFIG_V0_FIELDS = 17

/** Writes one parameter by its position in `CHAIN_CONFIG_FIELDS`. */
export function packChainConfigField(w: Writer, config: ChainConfig, index: number): void {
  const [name, type] = CHAIN_CONFIG_FIELDS[index] as readonly [keyof ChainConfig, FieldType]
  if (type === 'u64') w.u64(config[name] as bigint)
  else w[type](config[name] as number)
}

/** Reads one parameter by its position into `config`. */
export function unpackChainConfigField(r: Reader, config: ChainConfigV0, index: number): void {
  const [name, type] = CHAIN_CONFIG_FIELDS[index] as readonly [keyof ChainConfig, FieldType]
  ;(config as unknown as Record<string, number | bigint>)[name] = r[type]()
}

/**
 * Writes the chain parameters without `max_action_return_value_size` in the wire format. spring:
 * libraries/chain/include/eosio/chain/chain_config.hpp
 */
export function packChainConfigV0(w: Writer, config: ChainConfigV0): void {
  const all = { ...config, max_action_return_value_size: 0 }
  for (let i = 0; i < CHAIN_CONFIG_V0_FIELDS; i++) packChainConfigField(w, all, i)
}

/** Reads the chain parameters without `max_action_return_value_size` in the wire format. */
export function unpackChainConfigV0(r: Reader): ChainConfigV0 {
  const config = { ...DEFAULT_CHAIN_CONFIG_V0 }
  for (let i = 0; i < CHAIN_CONFIG_V0_FIELDS; i++) unpackChainConfigField(r, config, i)
  return config
}

/**
 * Writes the chain parameters in the wire format. spring:
 * libraries/chain/include/eosio/chain/chain_config.hpp
 */
export function packChainConfig(w: Writer, config: ChainConfig): void {
  for (let i = 0; i < CHAIN_CONFIG_FIELDS.length; i++) packChainConfigField(w, config, i)
}

/** Reads the chain parameters in the wire format. */
export function unpackChainConfig(r: Reader): ChainConfig {
  const config = { ...DEFAULT_CHAIN_CONFIG }
  for (let i = 0; i < CHAIN_CONFIG_FIELDS.length; i++) unpackChainConfigField(r, config, i)
  return config
}

/** The initial values of a chain if its genesis does not set them. */
export const DEFAULT_CHAIN_CONFIG_V0: Readonly<ChainConfigV0> = {
  max_block_net_usage: 1024n * 1024n,
  target_block_net_usage_pct: 1000,
  max_transaction_net_usage: 512 * 1024,
  base_per_transaction_net_usage: 12,
  net_usage_leeway: 500,
  context_free_discount_net_usage_num: 20,
  context_free_discount_net_usage_den: 100,
  max_block_cpu_usage: 200_000,
  target_block_cpu_usage_pct: 1000,
  max_transaction_cpu_usage: 150_000,
  min_transaction_cpu_usage: 100,
  max_transaction_lifetime: 60 * 60,
  deferred_trx_expiration_window: 10 * 60,
  max_transaction_delay: 45 * 24 * 3600,
  max_inline_action_size: 512 * 1024,
  max_inline_action_depth: 4,
  max_authority_depth: 6,
}

/** The default chain parameters. spring: libraries/chain/include/eosio/chain/config.hpp */
export const DEFAULT_CHAIN_CONFIG: Readonly<ChainConfig> = {
  ...DEFAULT_CHAIN_CONFIG_V0,
  max_action_return_value_size: 256,
}

/** Limits for contract code. */
export interface WasmConfig {
  max_mutable_global_bytes: number
  max_table_elements: number
  max_section_elements: number
  max_linear_memory_init: number
  max_func_local_bytes: number
  max_nested_structures: number
  max_symbol_bytes: number
  max_module_bytes: number
  max_code_bytes: number
  max_pages: number
  max_call_depth: number
}

/** The default WASM limits. spring: libraries/chain/include/eosio/chain/config.hpp */
export const DEFAULT_WASM_CONFIG: Readonly<WasmConfig> = {
  max_mutable_global_bytes: 1024,
  max_table_elements: 1024,
  max_section_elements: 8192,
  max_linear_memory_init: 64 * 1024,
  max_func_local_bytes: 8192,
  max_nested_structures: 1024,
  max_symbol_bytes: 8192,
  max_module_bytes: 20 * 1024 * 1024,
  max_code_bytes: 20 * 1024 * 1024,
  max_pages: 528,
  max_call_depth: 251,
}

/** Fields in wire order, all 32 bits wide. */
export const WASM_CONFIG_FIELDS = Object.keys(DEFAULT_WASM_CONFIG) as readonly (keyof WasmConfig)[]

/**
 * Writes the WASM limits in the wire format. spring:
 * libraries/chain/include/eosio/chain/wasm_config.hpp
 */
export function packWasmConfig(w: Writer, config: WasmConfig): void {
  for (const name of WASM_CONFIG_FIELDS) w.u32(config[name])
}

/** Reads the WASM limits in the wire format. */
export function unpackWasmConfig(r: Reader): WasmConfig {
  const config = { ...DEFAULT_WASM_CONFIG }
  for (const name of WASM_CONFIG_FIELDS) config[name] = r.u32()
  return config
}
