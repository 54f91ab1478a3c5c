import type { Handlers } from '../types.ts'

/** POST /v1/chain/send_transaction: submit a transaction, traces flat. */
export const send_transaction: Handlers['send_transaction'] = (engine, body) =>
  engine.api.chain.sendTransaction(body)
