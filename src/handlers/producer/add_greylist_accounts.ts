import type { Handlers } from '../types.ts'

export const add_greylist_accounts: Handlers['add_greylist_accounts'] = (engine, body) => {
  engine.addGreylistAccounts(body)
  return { result: 'ok' }
}
