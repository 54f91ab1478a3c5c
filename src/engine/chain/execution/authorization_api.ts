import type { Database } from '../../state/database.ts'
import type { PermissionLevel } from '../../protocol/authority.ts'
import type { RunningAction } from './running_action.ts'
import { ChainError } from '../../errors.ts'
import { nameToString } from '../../protocol/name.ts'
import { slotToUs } from '../../protocol/time.ts'
import type { Transaction } from '../../protocol/transaction.ts'
import { keySet, levelSet } from '../rules/authorization/authority_checker.ts'
import {
  checkAuthorization,
  checkPermission,
  getPermission,
  getPermissionLastUsed,
} from '../rules/authorization.ts'
import { ensure } from '../base/refuse.ts'

/** Host functions about permissions and authority (spring: webassembly/permission.cpp). */

/** Whether the keys and permissions authorize a transaction; only authorization failures are a no. */
export function checkTransactionAuthorization(
  ctx: RunningAction,
  trx: Transaction,
  keys: Uint8Array[],
  permissions: PermissionLevel[],
): boolean {
  const checktime = (): void => ctx.checktime()
  return isAuthorized(() =>
    checkAuthorization(ctx.block, {
      actions: trx.actions,
      provided_keys: keySet(keys, checktime),
      provided_permissions: levelSet(permissions, checktime),
      provided_delay_us: trx.delay_sec * 1_000_000,
      checktime,
    }),
  )
}

/**
 * Whether the keys and permissions, after the delay, satisfy a permission.
 * @throws ChainError action_validate_exception if the delay is too large
 */
export function checkPermissionAuthorization(
  ctx: RunningAction,
  level: PermissionLevel,
  keys: Uint8Array[],
  permissions: PermissionLevel[],
  delay_us: bigint,
): boolean {
  ensure(
    delay_us <= 0x7fffffffffffffffn,
    'action_validate_exception',
    'provided delay is too large',
  )
  const checktime = (): void => ctx.checktime()
  return isAuthorized(() =>
    checkPermission(ctx.db, level, {
      provided_keys: keySet(keys, checktime),
      provided_permissions: levelSet(permissions, checktime),
      provided_delay_us: Number(delay_us),
      checktime,
    }),
  )
}

function isAuthorized(check: () => void): boolean {
  try {
    check()
    return true
  } catch (error) {
    if (error instanceof ChainError && error.is('authorization_exception')) return false
    throw error
  }
}

/**
 * The time when a permission was last used, microseconds.
 * @throws ChainError if it does not exist
 */
export function permissionLastUsed(db: Database, level: PermissionLevel): number {
  return getPermissionLastUsed(db, getPermission(db, level))
}

/**
 * The time when an account was created, microseconds.
 * @throws ChainError if it does not exist
 */
export function accountCreationTime(db: Database, account: bigint): number {
  const row = db.account.find('by_name', account)
  ensure(row, 'action_validate_exception', "account '${account}' does not exist", () => ({
    account: nameToString(account),
  }))
  return slotToUs(row.creation_date)
}
