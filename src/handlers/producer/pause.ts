import type { Handlers } from '../types.ts'

/** POST /v1/producer/pause: pause production. */
export const pause: Handlers['pause'] = (engine) => {
  engine.api.producer.pause()
  return { result: 'ok' }
}
