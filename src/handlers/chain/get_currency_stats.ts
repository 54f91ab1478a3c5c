import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_currency_stats: supply and issuer of a token. */
export const get_currency_stats: Handlers['get_currency_stats'] = (engine, body) =>
  engine.api.chain.getCurrencyStats(body)
