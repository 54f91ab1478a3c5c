import type { Handlers } from '../types.ts'

/** POST /v1/chain/send_read_only_transaction: execute a transaction that only reads. */
export const send_read_only_transaction: Handlers['send_read_only_transaction'] = (engine, body) =>
  engine.api.chain.sendReadOnlyTransaction(body)
