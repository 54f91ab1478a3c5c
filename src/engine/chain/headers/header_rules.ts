import { toHex } from '../../protocol/hex.ts'
import { slotToUs } from '../../protocol/time.ts'
import { checkProtocolFeatures } from '../rules/features.ts'
import type { FeatureSet } from '../rules/features.ts'
import type { HeaderRules } from './legacy/finish_header.ts'

/** The effects on headers of the protocol features that a node recognizes. */
export function headerRules(features: FeatureSet): HeaderRules {
  const weighted = features.digestHex('WTMSIG_BLOCK_SIGNATURES')
  return {
    weightedSignatures: (activated) => activated.some((digest) => toHex(digest) === weighted),
    checkFeatures: (slot, activated, added) => {
      const active = new Set(activated.map(toHex))
      checkProtocolFeatures(features, slotToUs(slot), (digest) => active.has(digest), added)
    },
  }
}
