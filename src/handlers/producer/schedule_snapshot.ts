import type { Handlers } from '../types.ts'

/** POST /v1/producer/schedule_snapshot: schedule snapshots. */
export const schedule_snapshot: Handlers['schedule_snapshot'] = (engine, body) =>
  engine.api.producer.scheduleSnapshot(body)
