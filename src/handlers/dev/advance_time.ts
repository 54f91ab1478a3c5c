import type { Handlers } from '../types.ts'

/** POST /v1/dev/advance_time: makes it a later time. */
export const advance_time: Handlers['advance_time'] = (engine, body) =>
  engine.api.dev.advanceTime(body)
