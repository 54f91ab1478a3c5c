import type { Handlers } from '../types.ts'

/** POST /v1/dev/mine_blocks: makes blocks at once. */
export const mine_blocks: Handlers['mine_blocks'] = (engine, body) =>
  engine.api.dev.mineBlocks(body)
