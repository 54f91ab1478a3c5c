import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_account: account with its resources and permissions. */
export const get_account: Handlers['get_account'] = (engine, body) =>
  engine.api.chain.getAccount(body)
