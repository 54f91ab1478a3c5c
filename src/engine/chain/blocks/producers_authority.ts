import { PRODUCERS_ACCOUNT } from '../../protocol/constants.ts'
import { N } from '../../protocol/name.ts'
import type { Authority } from '../../protocol/authority.ts'
import type { BuildingBlock } from './building_block.ts'

const ACTIVE = N('active')

/** Permissions of eosio.prods and the share of producers that must be exceeded for each. */
const PERMISSIONS = [
  { name: ACTIVE, numerator: 2, denominator: 3 },
  { name: N('prod.major'), numerator: 1, denominator: 2 },
  { name: N('prod.minor'), numerator: 1, denominator: 3 },
] as const

/**
 * Sets the active producers as the authority of eosio.prods, at the start of each block.
 * spring: libraries/chain/controller.cpp (update_producers_authority)
 */
export function updateProducersAuthority(block: BuildingBlock): void {
  const producers = block.activeProducers()
  for (const { name, numerator, denominator } of PERMISSIONS) {
    const threshold = Math.floor((producers.length * numerator) / denominator) + 1
    const row = block.db.permission.get('by_owner', PRODUCERS_ACCOUNT, name)
    if (isAuthorityOf(row.auth, producers, threshold)) continue
    block.db.permission.modify(row, (permission) => {
      permission.auth = authorityOf(producers, threshold)
    })
  }
}

function authorityOf(producers: readonly bigint[], threshold: number): Authority {
  const accounts = producers.map((actor) => ({
    permission: { actor, permission: ACTIVE },
    weight: 1,
  }))
  return { threshold, keys: [], accounts, waits: [] }
}

function isAuthorityOf(auth: Authority, producers: readonly bigint[], threshold: number): boolean {
  if (auth.threshold !== threshold || auth.keys.length > 0 || auth.waits.length > 0) return false
  if (auth.accounts.length !== producers.length) return false
  return auth.accounts.every(
    ({ permission, weight }, i) =>
      weight === 1 && permission.permission === ACTIVE && permission.actor === producers[i],
  )
}
