import type { Handlers } from '../types.ts'

/** POST /v1/producer/resume: resume production. */
export const resume: Handlers['resume'] = (engine) => {
  engine.api.producer.resume()
  return { result: 'ok' }
}
