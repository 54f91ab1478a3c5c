import type { Body } from '../contract.ts'
import { activatedFeatureJson } from '../json/feature.ts'
import { bytesEqual } from '../protocol/hex.ts'
import { parseParams, unwrapped } from './params.ts'
import type { QueryChain } from './query.ts'

/** Whether a feature is active in the state that queries see. */
export function isFeatureActive(chain: QueryChain, digest: Uint8Array): boolean {
  const { activated_protocol_features } = chain.db.protocol_state.single()
  return activated_protocol_features.some((f) => bytesEqual(f.feature_digest, digest))
}

const UINT32_MAX = 0xffffffff

/**
 * Active protocol features in the order of their activation. Bounds are ordinals, or block numbers
 * with `search_by_block_num`; both ends are included. `limit` is accepted and without effect, as
 * features are few. spring: read_only::get_activated_protocol_features
 */
export function getActivatedProtocolFeatures(
  chain: QueryChain,
  params: Body<'get_activated_protocol_features'>,
) {
  const p = parseParams(unwrapped(params === undefined ? {} : params, 'params'), (fields) => ({
    lower: fields.optionalUint32('lower_bound') ?? 0,
    upper: fields.optionalUint32('upper_bound') ?? UINT32_MAX,
    limit: fields.uint32('limit', UINT32_MAX),
    by_block: fields.bool('search_by_block_num'),
    reverse: fields.bool('reverse'),
    // Without effect, like `limit`.
    time_limit_ms: fields.optionalUint32('time_limit_ms'),
  }))
  const { activated_protocol_features } = chain.db.protocol_state.single()
  const found: ReturnType<typeof activatedFeatureJson>[] = []
  activated_protocol_features.forEach(({ feature_digest, activation_block_num }, ordinal) => {
    const position = p.by_block ? activation_block_num : ordinal
    if (position < p.lower || position > p.upper) return
    const feature = chain.features.byDigest(feature_digest)
    found.push(activatedFeatureJson(feature, ordinal, activation_block_num))
  })
  if (p.reverse) found.reverse()
  return { activated_protocol_features: found }
}
