import type { Handlers } from '../types.ts'

/** POST /v1/dev/take_checkpoint: takes a checkpoint of the chain. */
export const take_checkpoint: Handlers['take_checkpoint'] = (engine) =>
  engine.api.dev.takeCheckpoint()
