import type { Handlers } from '../types.ts'

export const send_transaction: Handlers['send_transaction'] = (engine, body) =>
  engine.sendTransaction(body)
