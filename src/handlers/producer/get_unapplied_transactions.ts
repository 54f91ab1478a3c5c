import type { Handlers } from '../types.ts'

export const get_unapplied_transactions: Handlers['get_unapplied_transactions'] = (engine, body) =>
  engine.getUnappliedTransactions(body)
