import type { Handlers } from '../types.ts'

export const remove_greylist_accounts: Handlers['remove_greylist_accounts'] = (engine, body) => {
  engine.removeGreylistAccounts(body)
  return { result: 'ok' }
}
