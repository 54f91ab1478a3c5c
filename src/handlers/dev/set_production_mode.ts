import type { Handlers } from '../types.ts'

/** POST /v1/dev/set_production_mode: when blocks are produced. */
export const set_production_mode: Handlers['set_production_mode'] = (engine, body) =>
  engine.api.dev.setProductionMode(body)
