import type { Handlers } from '../types.ts'

export const get_block_header_state: Handlers['get_block_header_state'] = (engine, body) =>
  engine.getBlockHeaderState(body)
