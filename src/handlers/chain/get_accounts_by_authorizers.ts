import type { Handlers } from '../types.ts'

export const get_accounts_by_authorizers: Handlers['get_accounts_by_authorizers'] = (
  engine,
  body,
) => engine.getAccountsByAuthorizers(body)
