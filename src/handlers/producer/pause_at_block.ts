import type { Handlers } from '../types.ts'

/** POST /v1/producer/pause_at_block: pause at a height. */
export const pause_at_block: Handlers['pause_at_block'] = (engine, body) => {
  engine.api.producer.pauseAtBlock(body)
  return { result: 'ok' }
}
