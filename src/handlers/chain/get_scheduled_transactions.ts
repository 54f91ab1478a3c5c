import type { Handlers } from '../types.ts'

export const get_scheduled_transactions: Handlers['get_scheduled_transactions'] = (engine, body) =>
  engine.getScheduledTransactions(body)
