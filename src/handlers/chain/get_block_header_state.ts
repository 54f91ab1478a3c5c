import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_block_header_state: header of a block in its former form. */
export const get_block_header_state: Handlers['get_block_header_state'] = (engine, body) =>
  engine.api.chain.getBlockHeaderState(body)
