import type { Handlers } from '../types.ts'

/** POST /v1/dev/go_back_to_checkpoint: goes back to a checkpoint. */
export const go_back_to_checkpoint: Handlers['go_back_to_checkpoint'] = (engine, body) =>
  engine.api.dev.goBackToCheckpoint(body)
