import type { Handlers } from '../types.ts'

/** POST /v1/producer/set_whitelist_blacklist: set whitelists and blacklists. */
export const set_whitelist_blacklist: Handlers['set_whitelist_blacklist'] = (engine, body) => {
  engine.api.producer.setWhitelistBlacklist(body)
  return { result: 'ok' }
}
