import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_activated_protocol_features: protocol features that are active. */
export const get_activated_protocol_features: Handlers['get_activated_protocol_features'] = (
  engine,
  body,
) => engine.api.chain.getActivatedProtocolFeatures(body)
