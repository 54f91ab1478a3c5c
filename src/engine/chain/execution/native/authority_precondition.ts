import type { Authority } from '../../../protocol/authority.ts'
import {
  ACTIVE_PERMISSION,
  CODE_PERMISSION,
  OWNER_PERMISSION,
} from '../../../protocol/constants.ts'
import { nameToString } from '../../../protocol/name.ts'
import { findPermission, levelLog } from '../../rules/authorization.ts'
import { ensure } from '../../base/refuse.ts'
import type { NativeContext } from './native_context.ts'

/**
 * Checks that the accounts and permissions of a new authority exist, and that its keys are allowed.
 * @throws ChainError action_validate_exception, key_blacklist_exception
 */
export function checkAuthorityPrecondition(ctx: NativeContext, auth: Authority): void {
  for (const { permission: level } of auth.accounts) {
    ensure(
      ctx.db.account.find('by_name', level.actor),
      'action_validate_exception',
      "account '${account}' does not exist",
      () => ({ account: nameToString(level.actor) }),
    )
    if (level.permission === OWNER_PERMISSION || level.permission === ACTIVE_PERMISSION) continue
    // eosio.code exists nowhere, yet may be named.
    if (level.permission === CODE_PERMISSION) continue
    ensure(
      findPermission(ctx.db, level),
      'action_validate_exception',
      "permission '${perm}' does not exist",
      () => ({ perm: levelLog(level) }),
    )
  }
  for (const { key } of auth.keys) ctx.checkKey(key)
}
