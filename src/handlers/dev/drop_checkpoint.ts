import type { Handlers } from '../types.ts'

/** POST /v1/dev/drop_checkpoint: drops a checkpoint. */
export const drop_checkpoint: Handlers['drop_checkpoint'] = (engine, body) =>
  engine.api.dev.dropCheckpoint(body)
