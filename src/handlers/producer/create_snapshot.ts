import type { Handlers } from '../types.ts'

/** POST /v1/producer/create_snapshot: make a snapshot. */
export const create_snapshot: Handlers['create_snapshot'] = (engine, body) =>
  engine.api.producer.createSnapshot(body)
