import type { Handlers } from '../types.ts'

/** POST /v1/chain/push_transactions: submit several transactions. */
export const push_transactions: Handlers['push_transactions'] = (engine, body) =>
  engine.api.chain.pushTransactions(body)
