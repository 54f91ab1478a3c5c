import type { Handlers } from '../types.ts'

/** POST /v1/trace_api/get_block: what the transactions of a block did. */
export const get_block_trace: Handlers['get_block_trace'] = (engine, body) =>
  engine.api.trace.getBlockTrace(body)
