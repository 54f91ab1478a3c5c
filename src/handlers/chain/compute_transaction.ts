import type { Handlers } from '../types.ts'

export const compute_transaction: Handlers['compute_transaction'] = (engine, body) =>
  engine.computeTransaction(body)
