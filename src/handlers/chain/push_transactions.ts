import type { Handlers } from '../types.ts'

export const push_transactions: Handlers['push_transactions'] = (engine, body) =>
  engine.pushTransactions(body)
