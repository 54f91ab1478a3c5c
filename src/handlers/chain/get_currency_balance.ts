import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_currency_balance: balances of an account. */
export const get_currency_balance: Handlers['get_currency_balance'] = (engine, body) =>
  engine.api.chain.getCurrencyBalance(body)
