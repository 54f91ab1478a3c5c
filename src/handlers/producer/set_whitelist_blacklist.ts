import type { Handlers } from '../types.ts'

export const set_whitelist_blacklist: Handlers['set_whitelist_blacklist'] = (engine, body) => {
  engine.setWhitelistBlacklist(body)
  return { result: 'ok' }
}
