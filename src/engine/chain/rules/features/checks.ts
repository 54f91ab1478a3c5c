import { toHex } from '../../../protocol/hex.ts'
import { timePointToString } from '../../../protocol/time.ts'
import type { Database } from '../../../state/database.ts'
import type { ErrorName } from '../../../errors.ts'
import { ensure, refuse } from '../../base/refuse.ts'
import type { FeatureSet } from './feature_set.ts'

/**
 * Checks the features that a block activates: recognized and ready at `time_us`, not active yet, and
 * each after its dependencies (spring: controller.cpp, check_protocol_features).
 *
 * @param isActivated whether the feature with this hex digest is active before the block
 * @throws ChainError protocol_feature_exception
 */
export function checkProtocolFeatures(
  set: FeatureSet,
  time_us: number,
  isActivated: (digest: string) => boolean,
  digests: readonly Uint8Array[],
): void {
  const earlier = new Set<string>()
  for (const bytes of digests) {
    const digest = toHex(bytes)
    checkRecognized(set, bytes, time_us, 'protocol_feature_exception')
    ensure(
      !isActivated(digest),
      'protocol_feature_exception',
      "protocol feature with digest '${digest}' has already been activated",
      () => ({ digest }),
    )
    ensure(
      set.dependenciesSatisfy(bytes, (d) => isActivated(d) || earlier.has(d)),
      'protocol_feature_exception',
      "not all dependencies of protocol feature with digest '${digest}' have been activated",
      () => ({ digest }),
    )
    earlier.add(digest)
  }
}

/** The data of the pending block that preactivation needs. */
export interface PreactivationContext {
  readonly db: Database
  readonly features: FeatureSet
  /** Time of the pending block, microseconds. */
  readonly block_time_us: number
  /** The block is this node's own work, not one that is being validated. */
  readonly speculative: boolean
  /** Whether the feature with this digest is active in this block. */
  isFeatureActivated(digest: Uint8Array): boolean
}

/**
 * Marks a feature to be activated by the next block (spring: controller::preactivate_feature).
 * @throws ChainError protocol_feature_exception, or for what only this node objects to:
 *   subjective_block_production_exception, protocol_feature_bad_block_exception
 */
export function preactivateFeature(ctx: PreactivationContext, digest: Uint8Array): void {
  const { db, features } = ctx
  const subjective = ctx.speculative
    ? 'subjective_block_production_exception'
    : 'protocol_feature_bad_block_exception'
  checkRecognized(features, digest, ctx.block_time_us, subjective)
  const hex = toHex(digest)
  ensure(
    !ctx.isFeatureActivated(digest),
    'protocol_feature_exception',
    "protocol feature with digest '${digest}' is already activated",
    () => ({ digest: hex }),
  )
  const state = db.protocol_state.single()
  const preactivated = new Set(state.preactivated_protocol_features.map(toHex))
  ensure(
    !preactivated.has(hex),
    'protocol_feature_exception',
    "protocol feature with digest '${digest}' is already pre-activated",
    () => ({ digest: hex }),
  )
  const isMet = (dependency: string) =>
    preactivated.has(dependency) || ctx.isFeatureActivated(features.byHex(dependency).digest)
  ensure(
    features.dependenciesSatisfy(digest, isMet),
    'protocol_feature_exception',
    "not all dependencies of protocol feature with digest '${digest}' have been activated or pre-activated",
    () => ({ digest: hex }),
  )
  db.protocol_state.modify(state, (row) => {
    row.preactivated_protocol_features = [...row.preactivated_protocol_features, digest.slice()]
  })
}

function checkRecognized(
  set: FeatureSet,
  bytes: Uint8Array,
  time_us: number,
  error: ErrorName,
): void {
  const digest = toHex(bytes)
  const recognition = set.recognize(bytes, time_us)
  if (recognition === 'ready') return
  if (recognition !== 'too_early') {
    refuse(error, `protocol feature with digest '\${digest}' is ${recognition}`, { digest })
  }
  refuse(
    error,
    "${timestamp} is too early for the earliest allowed activation time of the protocol feature with digest '${digest}'",
    { digest, timestamp: timePointToString(time_us) },
  )
}
