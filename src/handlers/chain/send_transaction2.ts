import type { Handlers } from '../types.ts'

export const send_transaction2: Handlers['send_transaction2'] = (engine, body) =>
  engine.sendTransaction2(body)
