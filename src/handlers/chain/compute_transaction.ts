import type { Handlers } from '../types.ts'

/** POST /v1/chain/compute_transaction: execute a transaction and revert it. */
export const compute_transaction: Handlers['compute_transaction'] = (engine, body) =>
  engine.api.chain.computeTransaction(body)
