import type { Handlers } from '../types.ts'

export const get_activated_protocol_features: Handlers['get_activated_protocol_features'] = (
  engine,
  body,
) => engine.getActivatedProtocolFeatures(body)
