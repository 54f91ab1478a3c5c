/**
 * The Savanna states of blocks of the transition, and the finality extensions of their headers.
 * spring: libraries/chain/controller.cpp (transition_to_savanna), block_state.cpp
 * (create_transition_block), block_header_state_legacy.cpp (make_block_header)
 */
import type { FinalizerPolicy } from '../../../protocol/finality.ts'
import { extractHeaderExtensions } from '../../../protocol/block_extension.ts'
import type { FinalityExtension } from '../../../protocol/block_extension.ts'
import type { HeaderState } from '../legacy/header_state.ts'
import { latestQcClaim } from './finality_core.ts'
import { nextSavannaState } from './next_header_state.ts'
import { NO_FINALIZERS, diffFinalizerPolicy } from './policies.ts'
import { genesisSavannaState, unsigned } from './genesis.ts'
import type { SavannaHeaderState } from './header_state.ts'
import { genesisValid, nextValid } from './valid_structure.ts'
import type { ValidStructure } from './valid_structure.ts'

/** The known data of the parent. */
export interface TransitionParent {
  savanna: SavannaHeaderState | undefined
  valid: ValidStructure | undefined
}

/** The Savanna state of a block with a legacy state; undefined before the transition. */
export function transitionState(
  prev: TransitionParent,
  legacy: HeaderState,
): SavannaHeaderState | undefined {
  const extensions = extractHeaderExtensions(legacy.header.header_extensions)
  const { finality_extension: finality, protocol_feature_activation: features = [] } = extensions
  if (finality === undefined) return undefined
  if (prev.savanna === undefined) return genesisSavannaState(legacy, finality)
  return nextSavannaState(prev.savanna, unsigned(legacy.header), { finality, features })
}

/** The finality extension of a legacy block's header: the first policy, or the continued claim. */
export function transitionExtension(
  prev: TransitionParent,
  block_num: number,
  proposed: FinalizerPolicy | undefined,
): FinalityExtension | undefined {
  if (prev.savanna !== undefined) return { qc_claim: latestQcClaim(prev.savanna.core) }
  if (proposed === undefined) return undefined
  return {
    qc_claim: { block_num, is_strong_qc: false },
    new_finalizer_policy_diff: diffFinalizerPolicy(NO_FINALIZERS, { ...proposed, generation: 1 }),
  }
}

/** The finality tree up to a block of the transition whose execution gave `action_mroot`. */
export function transitionValid(
  prev: TransitionParent,
  state: SavannaHeaderState,
  action_mroot: Uint8Array,
): ValidStructure {
  if (prev.savanna === undefined || prev.valid === undefined) {
    return genesisValid(state, action_mroot)
  }
  return nextValid(prev.savanna, prev.valid, state, action_mroot)
}
