import type { Handlers } from '../types.ts'

/** POST /v1/dev/create_account: creates an account with keys, RAM and contract. */
export const create_account: Handlers['create_account'] = (engine, body) =>
  engine.api.dev.createAccount(body)
