import { timePointToString } from '../protocol/time.ts'
import type { FeatureSet, ProtocolFeature } from '../chain/rules/features/feature_set.ts'

type ObjectiveJson = {
  description_digest: string
  dependencies: string[]
  protocol_feature_type: 'builtin'
  specification: { name: 'builtin_feature_codename'; value: string }[]
}

/** A feature as get_supported_protocol_features has it. */
export type SupportedFeatureJson = {
  feature_digest: string
  subjective_restrictions: {
    enabled: boolean
    preactivation_required: boolean
    earliest_allowed_activation_time: string
  }
} & ObjectiveJson

/** A feature as get_activated_protocol_features has it. */
export type ActivatedFeatureJson = {
  feature_digest: string
  activation_ordinal: number
  activation_block_num: number
} & ObjectiveJson

/** A feature that the node supports, with the operator's restrictions. */
export function supportedFeatureJson(feature: ProtocolFeature): SupportedFeatureJson {
  const { enabled, preactivation_required } = feature
  return {
    feature_digest: feature.digest_hex,
    subjective_restrictions: {
      enabled,
      preactivation_required,
      earliest_allowed_activation_time: timePointToString(feature.earliest_allowed_activation_time),
    },
    ...objectiveJson(feature),
  }
}

/** A feature that is active, with its place in the order of activation (from 0) and its block. */
export function activatedFeatureJson(
  feature: ProtocolFeature,
  activation_ordinal: number,
  activation_block_num: number,
): ActivatedFeatureJson {
  return {
    feature_digest: feature.digest_hex,
    activation_ordinal,
    activation_block_num,
    ...objectiveJson(feature),
  }
}

function objectiveJson(feature: ProtocolFeature): ObjectiveJson {
  return {
    description_digest: feature.description_digest,
    dependencies: [...feature.dependencies],
    protocol_feature_type: 'builtin',
    specification: [{ name: 'builtin_feature_codename', value: feature.name }],
  }
}

/** The features to omit, and the time of the next block in microseconds. */
export interface SupportedFilter {
  exclude_disabled: boolean
  exclude_unactivatable: boolean
  next_block_time_us: number
}

/**
 * Supported features by ascending digest, but each after its dependencies. A feature is omitted if
 * one of its dependencies is (spring: producer_plugin::get_supported_protocol_features).
 */
export function supportedFeatures(set: FeatureSet, filter: SupportedFilter): ProtocolFeature[] {
  const visited = new Map<string, boolean>()
  let results: ProtocolFeature[] = []
  const add = (feature: ProtocolFeature): boolean => {
    const { exclude_disabled, exclude_unactivatable, next_block_time_us } = filter
    if ((exclude_disabled || exclude_unactivatable) && !feature.enabled) return false
    const too_early = next_block_time_us < feature.earliest_allowed_activation_time
    if (exclude_unactivatable && too_early) return false
    const known = visited.get(feature.digest_hex)
    if (known !== undefined) return known
    visited.set(feature.digest_hex, false)
    const size = results.length
    for (const dependency of feature.dependencies) {
      if (add(set.byHex(dependency))) continue
      results = results.slice(0, size)
      return false
    }
    visited.set(feature.digest_hex, true)
    results.push(feature)
    return true
  }
  for (const feature of set.features) add(feature)
  return results
}
