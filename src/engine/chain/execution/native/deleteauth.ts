import { ACTIVE_PERMISSION, OWNER_PERMISSION } from '../../../protocol/constants.ts'
import { nameToString } from '../../../protocol/name.ts'
import {
  billablePermissionSize,
  getPermission,
  removePermission,
} from '../../rules/authorization.ts'
import { ensure } from '../../base/refuse.ts'
import { unpackDeleteAuth } from '../../base/native_action_data.ts'
import type { NativeContext } from './native_context.ts'
import { ensureNotReadOnly } from './read_only.ts'

/**
 * Removes a permission that nothing is linked to and that has no children.
 * @throws ChainError action_validate_exception, missing_auth_exception, or a missing permission
 */
export function deleteauth(ctx: NativeContext): void {
  ensureNotReadOnly(ctx, 'deleteauth')
  const { db } = ctx
  const { account, permission: name } = unpackDeleteAuth(ctx.act.data)
  ctx.requireAuth(account)
  ensure(name !== ACTIVE_PERMISSION, 'action_validate_exception', 'Cannot delete active authority')
  ensure(name !== OWNER_PERMISSION, 'action_validate_exception', 'Cannot delete owner authority')
  const [link] = db.permission_link.range('by_permission_name', [account, name], [account, name])
  ensure(
    link === undefined,
    'action_validate_exception',
    'Cannot delete a linked authority. Unlink the authority first. This authority is linked to ${code}::${type}.',
    () => ({ code: nameToString(link!.code), type: nameToString(link!.message_type) }),
  )
  const permission = getPermission(db, { actor: account, permission: name })
  const size = billablePermissionSize(permission.auth)
  removePermission(db, permission)
  ctx.addRamUsage(account, -size)
}
