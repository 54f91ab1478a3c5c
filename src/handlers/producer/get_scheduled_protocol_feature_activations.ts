import type { Handlers } from '../types.ts'

/** POST /v1/producer/get_scheduled_protocol_feature_activations: protocol features that are scheduled. */
export const get_scheduled_protocol_feature_activations: Handlers['get_scheduled_protocol_feature_activations'] =
  (engine) => engine.api.producer.getScheduledProtocolFeatureActivations()
