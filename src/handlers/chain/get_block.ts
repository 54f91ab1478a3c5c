import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_block: block with its transactions decoded. */
export const get_block: Handlers['get_block'] = (engine, body) => engine.api.chain.getBlock(body)
