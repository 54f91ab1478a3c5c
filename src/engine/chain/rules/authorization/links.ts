import type { Database } from '../../../state/database.ts'
import { ACTIVE_PERMISSION, ANY_PERMISSION, SYSTEM_ACCOUNT } from '../../../protocol/constants.ts'
import { N } from '../../../protocol/name.ts'
import { ensure } from '../../base/refuse.ts'

/** Native actions that change permissions. They have special rules and never use links. */
export const UNLINKABLE_ACTIONS: ReadonlySet<bigint> = new Set(
  ['updateauth', 'deleteauth', 'linkauth', 'unlinkauth', 'canceldelay'].map(N),
)

/** The permission that an account linked to an action, or else to its whole contract. */
export function lookupLinkedPermission(
  db: Database,
  account: bigint,
  code: bigint,
  action: bigint,
): bigint | undefined {
  const link =
    db.permission_link.find('by_action_name', account, code, action) ??
    db.permission_link.find('by_action_name', account, code, 0n)
  return link?.required_permission
}

/**
 * The least permission of `account` that may authorize an action: its link, or `active`; undefined
 * when the link is to `eosio.any`, which every permission satisfies.
 * @throws ChainError unlinkable_min_permission_action
 */
export function lookupMinimumPermission(
  db: Database,
  account: bigint,
  code: bigint,
  action: bigint,
): bigint | undefined {
  ensure(
    code !== SYSTEM_ACCOUNT || !UNLINKABLE_ACTIONS.has(action),
    'unlinkable_min_permission_action',
    'cannot call lookup_minimum_permission on native actions that are not allowed to be linked to minimum permissions',
  )
  const linked = lookupLinkedPermission(db, account, code, action) ?? ACTIVE_PERMISSION
  return linked === ANY_PERMISSION ? undefined : linked
}
