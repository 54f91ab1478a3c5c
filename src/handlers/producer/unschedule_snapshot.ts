import type { Handlers } from '../types.ts'

/** POST /v1/producer/unschedule_snapshot: remove a schedule of snapshots. */
export const unschedule_snapshot: Handlers['unschedule_snapshot'] = (engine, body) =>
  engine.api.producer.unscheduleSnapshot(body)
