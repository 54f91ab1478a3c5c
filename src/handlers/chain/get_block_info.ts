import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_block_info: fixed-size part of a block. */
export const get_block_info: Handlers['get_block_info'] = (engine, body) =>
  engine.api.chain.getBlockInfo(body)
