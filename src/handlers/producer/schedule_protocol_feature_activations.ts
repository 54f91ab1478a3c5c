import type { Handlers } from '../types.ts'

export const schedule_protocol_feature_activations: Handlers['schedule_protocol_feature_activations'] =
  (engine, body) => {
    engine.scheduleProtocolFeatureActivations(body)
    return { result: 'ok' }
  }
