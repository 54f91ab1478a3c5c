import type { Handlers } from '../types.ts'

export const get_currency_stats: Handlers['get_currency_stats'] = (engine, body) =>
  engine.getCurrencyStats(body)
