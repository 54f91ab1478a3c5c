import type { Handlers } from '../types.ts'

export const get_block: Handlers['get_block'] = (engine, body) => engine.getBlock(body)
