import type { Handlers } from '../types.ts'

export const schedule_snapshot: Handlers['schedule_snapshot'] = (engine, body) =>
  engine.scheduleSnapshot(body)
