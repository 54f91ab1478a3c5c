/**
 * Protocol features: which there are, when they may be activated, and what that changes
 * (spring: protocol_feature_manager.cpp and the activation handlers of controller.cpp). Rules that a
 * feature switches elsewhere ask the block, `isActivated(name)`.
 */
export { activateFeature } from './features/activation.ts'
export { checkProtocolFeatures, preactivateFeature } from './features/checks.ts'
export type { PreactivationContext } from './features/checks.ts'
export { FeatureSet } from './features/feature_set.ts'
export type {
  FeatureRecognition,
  FeatureRestrictions,
  ProtocolFeature,
} from './features/feature_set.ts'
export { GENESIS_INTRINSICS } from './features/genesis_intrinsics.ts'
