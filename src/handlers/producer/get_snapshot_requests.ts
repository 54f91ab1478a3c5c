import type { Handlers } from '../types.ts'

/** POST /v1/producer/get_snapshot_requests: schedules of snapshots. */
export const get_snapshot_requests: Handlers['get_snapshot_requests'] = (engine) =>
  engine.api.producer.getSnapshotRequests()
