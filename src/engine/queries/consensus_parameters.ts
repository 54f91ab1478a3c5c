import type { JsonObject } from '../abi/json.ts'
import { integerToJson } from '../abi/number_text.ts'
import {
  CHAIN_CONFIG_FIELDS,
  CHAIN_CONFIG_V0_FIELDS,
  WASM_CONFIG_FIELDS,
} from '../protocol/config.ts'
import type { BuiltinFeatureName } from '../vm/host_context.ts'
import type { QueryChain } from './query.ts'
import { isFeatureActive } from './features.ts'

/**
 * The chain's parameters, each part once the protocol feature that brings it is active
 * (spring: read_only::get_consensus_parameters).
 */
export function getConsensusParameters(chain: QueryChain): JsonObject {
  const { configuration, wasm_configuration } = chain.db.global_property.single()
  const active = (feature: BuiltinFeatureName): boolean =>
    isFeatureActive(chain, chain.features.byName(feature).digest)
  const fields = active('ACTION_RETURN_VALUE')
    ? CHAIN_CONFIG_FIELDS
    : CHAIN_CONFIG_FIELDS.slice(0, CHAIN_CONFIG_V0_FIELDS)
  const result: JsonObject = {
    chain_config: Object.fromEntries(
      fields.map(([name]) => [name, integerToJson(configuration[name])]),
    ),
  }
  if (active('CONFIGURABLE_WASM_LIMITS2')) {
    result['wasm_config'] = Object.fromEntries(
      WASM_CONFIG_FIELDS.map((name) => [name, wasm_configuration[name]]),
    )
  }
  return result
}
