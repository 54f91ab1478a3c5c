import type { Handlers } from '../types.ts'

export const push_block: Handlers['push_block'] = (engine, body) => engine.pushBlock(body)
