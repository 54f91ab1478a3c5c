import type { Handlers } from '../types.ts'

/** POST /v1/producer/get_whitelist_blacklist: whitelists and blacklists. */
export const get_whitelist_blacklist: Handlers['get_whitelist_blacklist'] = (engine) =>
  engine.api.producer.getWhitelistBlacklist()
