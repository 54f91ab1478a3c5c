import type { Handlers } from '../types.ts'

/** POST /v1/dev/set_balance: gives an account a balance of a token. */
export const set_balance: Handlers['set_balance'] = (engine, body) =>
  engine.api.dev.setBalance(body)
