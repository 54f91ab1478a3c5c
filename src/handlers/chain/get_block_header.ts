import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_block_header: header of a block. */
export const get_block_header: Handlers['get_block_header'] = (engine, body) =>
  engine.api.chain.getBlockHeader(body)
