import type { WhitelistBlacklist } from '../../src/engine/services/production/lists.ts'

/** The lists of an operator who excludes nobody, as requests and answers have them. */
export const NO_LISTS = {
  actor_whitelist: [],
  actor_blacklist: [],
  contract_whitelist: [],
  contract_blacklist: [],
  action_blacklist: [],
  key_blacklist: [],
} satisfies WhitelistBlacklist
