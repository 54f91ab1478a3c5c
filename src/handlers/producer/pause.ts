import type { Handlers } from '../types.ts'

export const pause: Handlers['pause'] = (engine) => {
  engine.pause()
  return { result: 'ok' }
}
