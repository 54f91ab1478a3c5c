import type { Handlers } from '../types.ts'

export const get_snapshot_requests: Handlers['get_snapshot_requests'] = (engine) =>
  engine.getSnapshotRequests()
