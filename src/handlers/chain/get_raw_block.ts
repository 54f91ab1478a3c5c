import type { Handlers } from '../types.ts'

export const get_raw_block: Handlers['get_raw_block'] = (engine, body) => engine.getRawBlock(body)
