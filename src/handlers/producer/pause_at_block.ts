import type { Handlers } from '../types.ts'

export const pause_at_block: Handlers['pause_at_block'] = (engine, body) => {
  engine.pauseAtBlock(body)
  return { result: 'ok' }
}
