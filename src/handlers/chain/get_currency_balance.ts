import type { Handlers } from '../types.ts'

export const get_currency_balance: Handlers['get_currency_balance'] = (engine, body) =>
  engine.getCurrencyBalance(body)
