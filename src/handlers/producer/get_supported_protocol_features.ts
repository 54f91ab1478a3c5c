import type { Handlers } from '../types.ts'

export const get_supported_protocol_features: Handlers['get_supported_protocol_features'] = (
  engine,
  body,
) => engine.getSupportedProtocolFeatures(body)
