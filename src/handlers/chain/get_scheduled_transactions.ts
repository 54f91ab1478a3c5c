import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_scheduled_transactions: deferred transactions. */
export const get_scheduled_transactions: Handlers['get_scheduled_transactions'] = (engine, body) =>
  engine.api.chain.getScheduledTransactions(body)
