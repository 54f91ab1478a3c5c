import type { Handlers } from '../types.ts'

/** POST /v1/producer/remove_greylist_accounts: take accounts off the greylist. */
export const remove_greylist_accounts: Handlers['remove_greylist_accounts'] = (engine, body) => {
  engine.api.producer.removeGreylistAccounts(body)
  return { result: 'ok' }
}
