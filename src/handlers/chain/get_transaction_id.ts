import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_transaction_id: id of a transaction. */
export const get_transaction_id: Handlers['get_transaction_id'] = (engine, body) =>
  engine.api.chain.getTransactionId(body)
