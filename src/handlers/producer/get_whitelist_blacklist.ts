import type { Handlers } from '../types.ts'

export const get_whitelist_blacklist: Handlers['get_whitelist_blacklist'] = (engine) =>
  engine.getWhitelistBlacklist()
