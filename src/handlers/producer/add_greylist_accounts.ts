import type { Handlers } from '../types.ts'

/** POST /v1/producer/add_greylist_accounts: put accounts on the greylist. */
export const add_greylist_accounts: Handlers['add_greylist_accounts'] = (engine, body) => {
  engine.api.producer.addGreylistAccounts(body)
  return { result: 'ok' }
}
