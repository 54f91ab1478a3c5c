import { check } from '../errors.ts'
import { parseTimePoint } from '../protocol/time.ts'
import type { BuiltinFeatureName } from '../protocol/features.ts'
import type { FeatureRestrictions } from '../chain/rules/features/feature_set.ts'
import { FEATURE_SPECS } from '../protocol/features.ts'

/**
 * The operator's settings of a feature, from a parsed file in the reference's format.
 * @throws ChainError bad_cast_exception, protocol_feature_exception
 * spring: libraries/chain/protocol_feature_manager.cpp (builtin_protocol_feature::reflector_init)
 */
export function featureRestrictionsFromJson(
  json: unknown,
): [BuiltinFeatureName, FeatureRestrictions] {
  const { builtin_feature_codename, description_digest, subjective_restrictions } = objectOf(json)
  const spec = FEATURE_SPECS.find(({ name }) => name === builtin_feature_codename)
  check(
    spec,
    'protocol_feature_exception',
    () => `Unrecognized protocol feature codename: ${String(builtin_feature_codename)}`,
  )
  check(
    description_digest === undefined || description_digest === spec.description_digest,
    'protocol_feature_exception',
    `the description digest is not that of ${spec.name}`,
  )
  const given = objectOf(subjective_restrictions ?? {})
  const restrictions: { -readonly [K in keyof FeatureRestrictions]: FeatureRestrictions[K] } = {}
  for (const name of ['enabled', 'preactivation_required'] as const) {
    const value = given[name]
    if (value === undefined) continue
    check(typeof value === 'boolean', 'bad_cast_exception', `${name} is true or false`)
    restrictions[name] = value
  }
  const time = given.earliest_allowed_activation_time
  if (time !== undefined) {
    check(typeof time === 'string', 'bad_cast_exception', 'a time of activation is a text')
    restrictions.earliest_allowed_activation_time = parseTimePoint(time)
  }
  return [spec.name, restrictions]
}

function objectOf(value: unknown): Record<string, unknown> {
  check(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    'bad_cast_exception',
    'it is not an object',
  )
  return value as Record<string, unknown>
}
