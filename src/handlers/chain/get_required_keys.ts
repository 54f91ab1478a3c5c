import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_required_keys: keys that must sign a transaction. */
export const get_required_keys: Handlers['get_required_keys'] = (engine, body) =>
  engine.api.chain.getRequiredKeys(body)
