/** Rules for chain and WASM parameters, and their packed forms for privileged contracts. */
import { MAX_BYTES } from '../../protocol/constants.ts'
import { PERCENT_1, PERCENT_100 } from '../../protocol/constants.ts'
import {
  CHAIN_CONFIG_FIELDS,
  packChainConfigField,
  packChainConfigV0,
  packWasmConfig,
  unpackChainConfigField,
  unpackChainConfigV0,
  unpackWasmConfig,
} from '../../protocol/config.ts'
import type { ChainConfig, ChainConfigV0, WasmConfig } from '../../protocol/config.ts'
import { Reader } from '../../protocol/reader.ts'
import {
  CHAIN_CONFIG_V0,
  WASM_CONFIG,
  WASM_CONFIG_VERSION,
  parameter,
  parameters,
  readWithContext,
} from '../../protocol/error_context.ts'
import { Writer } from '../../protocol/writer.ts'
import type { Database } from '../../state/database.ts'
import type { BuiltinFeatureName } from '../../protocol/features.ts'
import { MIN_NET_USAGE_DELTA_BETWEEN_BASE_AND_MAX_FOR_TRX } from '../base/constants.ts'
import { ensure } from '../base/refuse.ts'

/**
 * Refuses parameters that would stop the chain (spring: chain_config_v0::validate).
 * @throws ChainError action_validate_exception
 */
export function validateChainConfigV0(config: ChainConfigV0): void {
  const {
    target_block_net_usage_pct: net_pct,
    target_block_cpu_usage_pct: cpu_pct,
    base_per_transaction_net_usage: base_net,
    max_transaction_net_usage: max_net,
    context_free_discount_net_usage_num: discount_num,
    context_free_discount_net_usage_den: discount_den,
    min_transaction_cpu_usage: min_cpu,
    max_transaction_cpu_usage: max_cpu,
  } = config
  valid(net_pct <= PERCENT_100, 'target block net usage percentage cannot exceed 100%')
  valid(net_pct >= PERCENT_1 / 10, 'target block net usage percentage must be at least 0.1%')
  valid(cpu_pct <= PERCENT_100, 'target block cpu usage percentage cannot exceed 100%')
  valid(cpu_pct >= PERCENT_1 / 10, 'target block cpu usage percentage must be at least 0.1%')
  valid(
    BigInt(max_net) < config.max_block_net_usage,
    'max transaction net usage must be less than max block net usage',
  )
  valid(
    max_cpu < config.max_block_cpu_usage,
    'max transaction cpu usage must be less than max block cpu usage',
  )
  valid(
    base_net < max_net,
    'base net usage per transaction must be less than the max transaction net usage',
  )
  ensure(
    max_net - base_net >= MIN_NET_USAGE_DELTA_BETWEEN_BASE_AND_MAX_FOR_TRX,
    'action_validate_exception',
    'max transaction net usage must be at least ${delta} bytes larger than base net usage per transaction',
    () => ({ delta: MIN_NET_USAGE_DELTA_BETWEEN_BASE_AND_MAX_FOR_TRX }),
  )
  valid(
    discount_den > 0,
    'net usage discount ratio for context free data cannot have a 0 denominator',
  )
  valid(
    discount_num <= discount_den,
    'net usage discount ratio for context free data cannot exceed 1',
  )
  valid(min_cpu <= max_cpu, 'min transaction cpu usage cannot exceed max transaction cpu usage')
  valid(
    max_cpu < config.max_block_cpu_usage - min_cpu,
    'max transaction cpu usage must be at less than the difference between the max block cpu usage and the min transaction cpu usage',
  )
  valid(1 <= config.max_authority_depth, 'max authority depth should be at least 1')
}

/**
 * Refuses parameters that would stop the chain (spring: chain_config_v1::validate).
 * @throws ChainError action_validate_exception
 */
export function validateChainConfig(config: ChainConfig): void {
  validateChainConfigV0(config)
  valid(
    config.max_action_return_value_size <= MAX_BYTES,
    'max action return value size should be less than MAX_SIZE_OF_BYTE_ARRAYS',
  )
}

/** Least value of each WASM limit that has one (spring: wasm_config::validate). */
const WASM_MINIMUMS = [
  ['max_section_elements', 4],
  ['max_func_local_bytes', 8],
  ['max_nested_structures', 1],
  ['max_symbol_bytes', 32],
  ['max_module_bytes', 256],
  ['max_code_bytes', 32],
  ['max_pages', 1],
  ['max_call_depth', 2],
] as const

/** Refuses WASM limits under which no contract could be set. */
export function validateWasmConfig(config: WasmConfig): void {
  for (const [name, minimum] of WASM_MINIMUMS) {
    valid(config[name] >= minimum, `${name} cannot be less than ${minimum}`)
  }
}

function valid(condition: boolean, message: string): void {
  ensure(condition, 'action_validate_exception', message)
}

/** The data on which setting parameters depends. */
export interface ParameterContext {
  readonly db: Database
  isFeatureActivated(feature: BuiltinFeatureName): boolean
  /** Throws when the transaction's time is over. */
  checktime(): void
}

/** Packed chain_config_v0 in force. */
export function getBlockchainParameters(db: Database): Uint8Array {
  const writer = new Writer()
  packChainConfigV0(writer, db.global_property.single().configuration)
  return writer.bytes()
}

/** Sets the parameters of version 0; later ones stay. */
export function setBlockchainParameters(db: Database, packed: Uint8Array): void {
  const config = readWithContext(CHAIN_CONFIG_V0, packed, unpackChainConfigV0)
  validateChainConfigV0(config)
  setConfiguration(db, { ...db.global_property.single().configuration, ...config })
}

/** Packed parameters by number, in the requested order (spring: get_parameters_packed). */
export function getParametersPacked(ctx: ParameterContext, packed_ids: Uint8Array): Uint8Array {
  const r = new Reader(packed_ids)
  r.between = () => ctx.checktime()
  const ids = r.array(() => r.varuint32())
  const config = ctx.db.global_property.single().configuration
  const writer = new Writer()
  const seen = new Set<number>()
  writer.array(ids, (w, id) => {
    checkParameterId(id, seen)
    checkParameterAllowed(ctx, id)
    w.varuint32(id)
    packChainConfigField(w, config, id)
  })
  return writer.bytes()
}

/** Sets the parameters that are given, by number, each once (spring: set_parameters_packed). */
export function setParametersPacked(ctx: ParameterContext, packed: Uint8Array): void {
  const config = { ...ctx.db.global_property.single().configuration }
  const seen = new Set<number>()
  const read = parameters((r) => {
    for (let left = r.varuint32(); left > 0; left--) {
      const id = r.varuint32()
      checkParameterId(id, seen)
      parameter(id, () => {
        checkParameterAllowed(ctx, id)
        unpackChainConfigField(r, config, id)
      })(r)
    }
  })
  read(new Reader(packed))
  validateChainConfig(config)
  setConfiguration(ctx.db, config)
}

/** Known, and given once. */
function checkParameterId(id: number, seen: Set<number>): void {
  ensure(
    id < CHAIN_CONFIG_FIELDS.length,
    'config_parse_error',
    'provided id ${id} should be less than ${size}',
    () => ({ id, size: CHAIN_CONFIG_FIELDS.length }),
  )
  ensure(!seen.has(id), 'config_parse_error', 'duplicate id provided: ${id}', () => ({ id }))
  seen.add(id)
}

/** Not before its protocol feature. */
function checkParameterAllowed(ctx: ParameterContext, id: number): void {
  ensure(
    CHAIN_CONFIG_FIELDS[id]?.[0] !== 'max_action_return_value_size' ||
      ctx.isFeatureActivated('ACTION_RETURN_VALUE'),
    'unsupported_feature',
    'config id ${id} is no allowed',
    () => ({ id }),
  )
}

/** Packed wasm_config in force, without a version. */
export function getWasmParameters(db: Database): Uint8Array {
  const writer = new Writer()
  packWasmConfig(writer, db.global_property.single().wasm_configuration)
  return writer.bytes()
}

/**
 * Sets the WASM limits: u32 version (0), then wasm_config (spring: set_wasm_parameters_packed).
 * @throws ChainError wasm_config_unknown_version, action_validate_exception, or
 *   out_of_range_exception if bytes are missing
 */
export function setWasmParameters(db: Database, packed: Uint8Array): void {
  const version = readWithContext(WASM_CONFIG_VERSION, packed, (r) => r.u32())
  ensure(
    version === 0,
    'wasm_config_unknown_version',
    'set_wasm_parameters_packed: Unknown version: ${version}',
    () => ({ version }),
  )
  const config = readWithContext(WASM_CONFIG, packed, (r) => {
    r.u32()
    return unpackWasmConfig(r)
  })
  validateWasmConfig(config)
  db.global_property.modify(db.global_property.single(), (row) => {
    row.wasm_configuration = config
  })
}

function setConfiguration(db: Database, configuration: ChainConfig): void {
  db.global_property.modify(db.global_property.single(), (row) => {
    row.configuration = configuration
  })
}
