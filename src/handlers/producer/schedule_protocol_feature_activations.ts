import type { Handlers } from '../types.ts'

/** POST /v1/producer/schedule_protocol_feature_activations: schedule protocol features. */
export const schedule_protocol_feature_activations: Handlers['schedule_protocol_feature_activations'] =
  (engine, body) => {
    engine.api.producer.scheduleProtocolFeatureActivations(body)
    return { result: 'ok' }
  }
