import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_transaction_status: status of a transaction. */
export const get_transaction_status: Handlers['get_transaction_status'] = (engine, body) =>
  engine.api.chain.getTransactionStatus(body)
