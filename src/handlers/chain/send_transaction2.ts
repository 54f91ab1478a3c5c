import type { Handlers } from '../types.ts'

/** POST /v1/chain/send_transaction2: submit a transaction with failure trace and retry. */
export const send_transaction2: Handlers['send_transaction2'] = (engine, body) =>
  engine.api.chain.sendTransaction2(body)
