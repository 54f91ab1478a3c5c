import type { Handlers } from '../types.ts'

/** POST /v1/chain/push_transaction: submit a transaction, traces nested. */
export const push_transaction: Handlers['push_transaction'] = (engine, body) =>
  engine.api.chain.pushTransaction(body)
