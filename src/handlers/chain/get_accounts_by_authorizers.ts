import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_accounts_by_authorizers: accounts that keys and accounts can act for. */
export const get_accounts_by_authorizers: Handlers['get_accounts_by_authorizers'] = (
  engine,
  body,
) => engine.api.chain.getAccountsByAuthorizers(body)
