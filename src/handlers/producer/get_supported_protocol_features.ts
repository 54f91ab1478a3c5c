import type { Handlers } from '../types.ts'

/** POST /v1/producer/get_supported_protocol_features: protocol features that the node knows. */
export const get_supported_protocol_features: Handlers['get_supported_protocol_features'] = (
  engine,
  body,
) => engine.api.producer.getSupportedProtocolFeatures(body)
