import type { Handlers } from '../types.ts'

export const get_block_header: Handlers['get_block_header'] = (engine, body) =>
  engine.getBlockHeader(body)
