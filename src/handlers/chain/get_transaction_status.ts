import type { Handlers } from '../types.ts'

export const get_transaction_status: Handlers['get_transaction_status'] = (engine, body) =>
  engine.getTransactionStatus(body)
