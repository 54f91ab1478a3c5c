import type { Handlers } from '../types.ts'

export const schedule_snapshot: Handlers['schedule_snapshot'] = (engine) =>
  engine.scheduleSnapshot()
