/** Rows of permissions: finding, creating, changing, removing (spring: authorization_manager.cpp). */
import type { Database } from '../../../state/database.ts'
import type { Row } from '../../../state/object_table.ts'
import type { Permission } from '../../../state/rows.ts'
import type { Authority, PermissionLevel } from '../../../protocol/authority.ts'
import { nameToString } from '../../../protocol/name.ts'
import {
  BILLABLE_KEY_WEIGHT,
  BILLABLE_PERMISSION,
  BILLABLE_PERMISSION_LEVEL_WEIGHT,
  BILLABLE_WAIT_WEIGHT,
} from '../../base/constants.ts'
import { unknownPermission } from '../../base/unknown_key.ts'
import { ensure, refuse, withContext } from '../../base/refuse.ts'
import type { LogValue } from '../../base/refuse.ts'

/** A row of the permission table. */
export type PermissionRow = Row<Permission>

/** A permission level as messages show it. */
export function levelLog(level: PermissionLevel): LogValue {
  return { actor: nameToString(level.actor), permission: nameToString(level.permission) }
}

/** The permission of a level, if there is one. Empty names are refused. */
export function findPermission(db: Database, level: PermissionLevel): PermissionRow | undefined {
  if (level.actor === 0n || level.permission === 0n) {
    withContext(
      () => ({ level: levelLog(level) }),
      () => refuse('invalid_permission', 'Invalid permission'),
      'Failed to retrieve permission: ${level}',
    )
  }
  return db.permission.find('by_owner', level.actor, level.permission)
}

/**
 * The permission of a level.
 * @throws ChainError if it does not exist
 */
export function getPermission(db: Database, level: PermissionLevel): PermissionRow {
  const row = findPermission(db, level)
  if (row === undefined) {
    refuse('permission_query_exception', 'Failed to retrieve permission: ${level} (${what})', {
      level: levelLog(level),
      what: unknownPermission(level),
    })
  }
  return row
}

/**
 * Whether permission `held` is `needed` or one of its ancestors (spring: permission_object::satisfies).
 */
export function permissionSatisfies(
  db: Database,
  held: PermissionRow,
  needed: PermissionRow,
): boolean {
  if (held.owner !== needed.owner) return false
  let id = needed.id
  let parent = needed.parent
  while (id !== held.id) {
    if (parent === 0) return false
    id = parent
    parent = db.permission.getById(parent).parent
  }
  return true
}

/** Fields of a new permission. */
export interface NewPermission {
  account: bigint
  name: bigint
  /** Row id of the parent; 0 means none. */
  parent: number
  auth: Authority
  /** Microseconds: the pending block's time. */
  time_us: number
}

/** Creates a permission with its usage row. Key types that no feature enabled are refused. */
export function createPermission(db: Database, fields: NewPermission): PermissionRow {
  checkKeyTypes(db, fields.auth, 'Unactivated key type used when creating permission')
  const usage = db.permission_usage.create({ last_used: fields.time_us })
  return db.permission.create({
    usage_id: usage.id,
    parent: fields.parent,
    owner: fields.account,
    name: fields.name,
    last_updated: fields.time_us,
    auth: fields.auth,
  })
}

/** Changes the authority of a permission. */
export function modifyPermission(
  db: Database,
  permission: PermissionRow,
  auth: Authority,
  time_us: number,
): void {
  checkKeyTypes(db, auth, 'Unactivated key type used when modifying permission')
  db.permission.modify(permission, (row) => {
    row.auth = auth
    row.last_updated = time_us
  })
}

/**
 * Removes a permission that has no children, and its usage row.
 * @throws ChainError action_validate_exception if it has children
 */
export function removePermission(db: Database, permission: PermissionRow): void {
  const child = db.permission.lowerBound('by_parent', permission.id)
  ensure(
    child?.parent !== permission.id,
    'action_validate_exception',
    'Cannot remove a permission which has children. Remove the children first.',
  )
  db.permission_usage.remove(db.permission_usage.getById(permission.usage_id))
  db.permission.remove(permission)
}

/** Notes that a permission authorized something now; it must exist. Microseconds. */
export function updatePermissionUsage(db: Database, level: PermissionLevel, time_us: number): void {
  const { usage_id } = getPermission(db, level)
  const usage = db.permission_usage.getById(usage_id)
  // Used or created before in the same block.
  if (usage.last_used === time_us) return
  db.permission_usage.modifyHot(usage, (row) => {
    row.last_used = time_us
  })
}

/** The time when a permission was last used (initially: created), microseconds. */
export function getPermissionLastUsed(db: Database, permission: PermissionRow): number {
  return db.permission_usage.getById(permission.usage_id).last_used
}

/** RAM bytes that a permission is billed: the fixed part and what its authority lists. */
export function billablePermissionSize(auth: Authority): number {
  return BILLABLE_PERMISSION + billableAuthoritySize(auth)
}

/** RAM bytes that an authority's keys, accounts and waits are billed. */
export function billableAuthoritySize(auth: Authority): number {
  let size = auth.accounts.length * BILLABLE_PERMISSION_LEVEL_WEIGHT
  size += auth.waits.length * BILLABLE_WAIT_WEIGHT
  for (const { key } of auth.keys) size += BILLABLE_KEY_WEIGHT + billedKeySize(key)
  return size
}

/**
 * A WebAuthn key is stored as a byte string, whose length is billed too (spring:
 * shared_public_key).
 */
function billedKeySize(key: Uint8Array): number {
  if (key[0] !== WEBAUTHN_KEY_TYPE) return key.length
  return key.length + (key.length - 1 < 0x80 ? 1 : key.length - 1 < 0x4000 ? 2 : 3)
}

const WEBAUTHN_KEY_TYPE = 2

function checkKeyTypes(db: Database, auth: Authority, message: string): void {
  if (auth.keys.length === 0) return
  const supported = db.protocol_state.single().num_supported_key_types
  for (const { key } of auth.keys) ensure(key[0]! < supported, 'unactivated_key_type', message)
}
