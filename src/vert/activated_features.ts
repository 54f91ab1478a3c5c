import { FEATURE_SPECS } from '../engine/protocol/features.ts'
import { FEATURES } from './machine/new_state.ts'

/**
 * What contracts see as active at first: every feature, by its digest and by the digest of its
 * description, which VeRT takes for the former.
 */
export const ACTIVATED_PROTOCOL_FEATURES: readonly string[] = FEATURE_SPECS.flatMap((feature) => [
  feature.description_digest,
  FEATURES.digestHex(feature.name),
])
