import type { Handlers } from '../types.ts'

export const unschedule_snapshot: Handlers['unschedule_snapshot'] = (engine, body) =>
  engine.unscheduleSnapshot(body)
