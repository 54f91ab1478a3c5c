import type { Handlers } from '../types.ts'

export const get_scheduled_protocol_feature_activations: Handlers['get_scheduled_protocol_feature_activations'] =
  (engine) => engine.getScheduledProtocolFeatureActivations()
