import type { Handlers } from '../types.ts'

/** POST /v1/producer/pause: pause production. */
export const pause: Handlers['pause'] = (engine) => {
  engine.pause()
  return { result: 'ok' }
}
