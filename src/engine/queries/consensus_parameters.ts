import type { IntegerJson } from '../abi/number_text.ts'
import { integerToJson } from '../abi/number_text.ts'
import type { ChainConfigV0, WasmConfig } from '../protocol/config.ts'
import {
  CHAIN_CONFIG_FIELDS,
  CHAIN_CONFIG_V0_FIELDS,
  WASM_CONFIG_FIELDS,
} from '../protocol/config.ts'
import type { BuiltinFeatureName } from '../protocol/features.ts'
import type { QueryChain } from './query.ts'
import { isFeatureActive } from './features.ts'

/** The chain's parameters; the last field once the feature that brings it is active. */
export type ChainConfigJson = Omit<ChainConfigV0, 'max_block_net_usage'> & {
  max_block_net_usage: IntegerJson
  max_action_return_value_size?: number
}

/**
 * The chain's parameters, each part once the protocol feature that brings it is active
 * (spring: read_only::get_consensus_parameters).
 */
export function getConsensusParameters(chain: QueryChain): {
  chain_config: ChainConfigJson
  wasm_config?: WasmConfig
} {
  const { configuration, wasm_configuration } = chain.db.global_property.single()
  const active = (feature: BuiltinFeatureName): boolean =>
    isFeatureActive(chain, chain.features.byName(feature).digest)
  const fields = active('ACTION_RETURN_VALUE')
    ? CHAIN_CONFIG_FIELDS
    : CHAIN_CONFIG_FIELDS.slice(0, CHAIN_CONFIG_V0_FIELDS)
  const pick = (names: readonly string[], from: object): unknown =>
    Object.fromEntries(
      names.map((name) => [name, integerToJson((from as Record<string, number | bigint>)[name]!)]),
    )
  const chain_config = pick(
    fields.map(([name]) => name),
    configuration,
  ) as ChainConfigJson
  if (!active('CONFIGURABLE_WASM_LIMITS2')) return { chain_config }
  return { chain_config, wasm_config: pick(WASM_CONFIG_FIELDS, wasm_configuration) as WasmConfig }
}
