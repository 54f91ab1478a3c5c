import type { Handlers } from '../types.ts'

export const send_read_only_transaction: Handlers['send_read_only_transaction'] = (engine, body) =>
  engine.sendReadOnlyTransaction(body)
