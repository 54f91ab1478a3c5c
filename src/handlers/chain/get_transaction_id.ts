import type { Handlers } from '../types.ts'

export const get_transaction_id: Handlers['get_transaction_id'] = (engine, body) =>
  engine.getTransactionId(body)
