import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_raw_block: block as it is stored. */
export const get_raw_block: Handlers['get_raw_block'] = (engine, body) =>
  engine.api.chain.getRawBlock(body)
