import type { Handlers } from '../types.ts'

export const push_transaction: Handlers['push_transaction'] = (engine, body) =>
  engine.pushTransaction(body)
