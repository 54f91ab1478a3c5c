import type { Handlers } from '../types.ts'

export const get_block_info: Handlers['get_block_info'] = (engine, body) =>
  engine.getBlockInfo(body)
