import type { Handlers } from '../types.ts'

export const resume: Handlers['resume'] = (engine) => {
  engine.resume()
  return { result: 'ok' }
}
