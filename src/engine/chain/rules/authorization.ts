/**
 * Permissions, links and the authorization of actions (spring: authorization_manager.cpp).
 * Rows: `permission` (row 0 is reserved, so that parent 0 means none), `permission_usage`,
 * `permission_link`.
 */
import assert from 'node:assert'
import type { Database } from '../../state/database.ts'

export {
  checkAuthorization,
  checkPermission,
  getRequiredKeys,
} from './authorization/check_authorization.ts'
export type { ActionsCheck, AuthorizationFactors } from './authorization/check_authorization.ts'
export { lookupLinkedPermission, lookupMinimumPermission } from './authorization/links.ts'
export * from './authorization/permissions.ts'
export type { SpecialActionContext } from './authorization/special_actions.ts'

/** Creates the reserved permission row 0. */
export function initializeAuthorization(db: Database): void {
  const reserved = db.permission.create({
    usage_id: 0,
    parent: 0,
    owner: 0n,
    name: 0n,
    last_updated: 0,
    auth: { threshold: 0, keys: [], accounts: [], waits: [] },
  })
  assert.equal(reserved.id, 0, 'the permission table was not empty')
}
