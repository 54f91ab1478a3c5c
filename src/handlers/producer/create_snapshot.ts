import type { Handlers } from '../types.ts'

export const create_snapshot: Handlers['create_snapshot'] = (engine, body) =>
  engine.createSnapshot(body)
