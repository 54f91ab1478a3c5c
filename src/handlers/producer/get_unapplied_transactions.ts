import type { Handlers } from '../types.ts'

/** POST /v1/producer/get_unapplied_transactions: queue of transactions. */
export const get_unapplied_transactions: Handlers['get_unapplied_transactions'] = (engine, body) =>
  engine.api.producer.getUnappliedTransactions(body)
