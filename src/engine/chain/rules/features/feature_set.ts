import assert from 'node:assert'
import { sha256 } from '../../../crypto/hash.ts'
import { compareBytes, fromHex, toHex } from '../../../protocol/hex.ts'
import { Writer } from '../../../protocol/writer.ts'
import type { BuiltinFeatureName } from '../../../protocol/features.ts'
import { refuse } from '../../base/refuse.ts'
import { FEATURE_SPECS } from '../../../protocol/features.ts'
import type { FeatureSpec } from '../../../protocol/features.ts'

/** A protocol feature that this software supports, with the operator's settings. */
export interface ProtocolFeature {
  readonly name: BuiltinFeatureName
  /** 32 bytes, and the same in lowercase hex. */
  readonly digest: Uint8Array
  readonly digest_hex: string
  readonly description_digest: string
  /** Digests in lowercase hex, ascending. */
  readonly dependencies: readonly string[]
  /** Host functions that contracts may import once it is active. */
  readonly intrinsics: readonly string[]
  readonly preactivation_required: boolean
  readonly enabled: boolean
  /** Microseconds; 0 = any time. */
  readonly earliest_allowed_activation_time: number
}

/** The operator's part of a feature; absent fields keep the feature's own value. */
export type FeatureRestrictions = Partial<
  Pick<ProtocolFeature, 'enabled' | 'preactivation_required' | 'earliest_allowed_activation_time'>
>

/** Whether a feature may be activated, as far as this node is concerned. */
export type FeatureRecognition = 'unrecognized' | 'disabled' | 'too_early' | 'ready'

/** The features that a node recognizes (spring: protocol_feature_set). Immutable. */
export class FeatureSet {
  /** Ascending by digest. */
  readonly features: readonly ProtocolFeature[]
  private readonly by_digest = new Map<string, ProtocolFeature>()
  private readonly by_name = new Map<BuiltinFeatureName, ProtocolFeature>()

  constructor(restrictions: Partial<Record<BuiltinFeatureName, FeatureRestrictions>> = {}) {
    for (const spec of FEATURE_SPECS) {
      const dependencies = spec.dependencies.map((name) => this.byName(name).digest_hex).sort()
      const feature = makeFeature(spec, dependencies, restrictions[spec.name] ?? {})
      this.by_digest.set(feature.digest_hex, feature)
      this.by_name.set(feature.name, feature)
    }
    this.features = [...this.by_name.values()].sort((a, b) => compareBytes(a.digest, b.digest))
  }

  /** The feature with this digest; undefined if this node does not know it. */
  find(digest: Uint8Array): ProtocolFeature | undefined {
    return this.by_digest.get(toHex(digest))
  }

  /** The feature with this digest; an unknown one is refused. */
  byDigest(digest: Uint8Array): ProtocolFeature {
    return this.byHex(toHex(digest))
  }

  /**
   * The feature with this digest in hex.
   * @throws protocol_feature_exception if this node does not know it
   */
  byHex(digest: string): ProtocolFeature {
    const feature = this.by_digest.get(digest)
    if (feature === undefined) {
      refuse('protocol_feature_exception', 'unrecognized protocol feature with digest: ${digest}', {
        digest,
      })
    }
    return feature
  }

  /**
   * The builtin feature of this name.
   * @throws Error if a feature is asked for before those that it depends on are made
   */
  byName(name: BuiltinFeatureName): ProtocolFeature {
    const feature = this.by_name.get(name)
    assert(feature, `${name} is not in the table, or stands before what it depends on`)
    return feature
  }

  /** Digest of a feature in lowercase hex. */
  digestHex(name: BuiltinFeatureName): string {
    return this.byName(name).digest_hex
  }

  /** Whether a feature may be activated in a block at `time_us`. */
  recognize(digest: Uint8Array, time_us: number): FeatureRecognition {
    const feature = this.find(digest)
    if (feature === undefined) return 'unrecognized'
    if (!feature.enabled) return 'disabled'
    return feature.earliest_allowed_activation_time > time_us ? 'too_early' : 'ready'
  }

  /** Whether every dependency of a known feature passes `test` (given hex digests). */
  dependenciesSatisfy(digest: Uint8Array, test: (dependency: string) => boolean): boolean {
    return this.find(digest)?.dependencies.every(test) ?? false
  }
}

function makeFeature(
  spec: FeatureSpec,
  dependencies: readonly string[],
  restrictions: FeatureRestrictions,
): ProtocolFeature {
  const digest = featureDigest(spec, dependencies)
  return {
    name: spec.name,
    digest,
    digest_hex: toHex(digest),
    description_digest: spec.description_digest,
    dependencies,
    intrinsics: spec.intrinsics,
    preactivation_required: restrictions.preactivation_required ?? spec.preactivation_required,
    enabled: restrictions.enabled ?? true,
    earliest_allowed_activation_time: restrictions.earliest_allowed_activation_time ?? 0,
  }
}

/** sha256 of type (builtin = 0), description digest, sorted dependencies and number. */
function featureDigest(spec: FeatureSpec, dependencies: readonly string[]): Uint8Array {
  const writer = new Writer()
  writer.u32(0)
  writer.checksum256(fromHex(spec.description_digest))
  writer.array(dependencies, (w, dependency) => w.checksum256(fromHex(dependency)))
  writer.u32(spec.id)
  return sha256(writer.bytes())
}
