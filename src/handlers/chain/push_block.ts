import type { Handlers } from '../types.ts'

/** POST /v1/chain/push_block: submit a block. */
export const push_block: Handlers['push_block'] = (engine, body) => engine.api.chain.pushBlock(body)
