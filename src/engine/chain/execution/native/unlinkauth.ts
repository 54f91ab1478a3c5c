import { BILLABLE_PERMISSION_LINK } from '../../base/constants.ts'
import { ensure } from '../../base/refuse.ts'
import { unpackUnlinkAuth } from '../../base/native_action_data.ts'
import type { NativeContext } from './native_context.ts'
import { ensureNotReadOnly } from './read_only.ts'

/**
 * Removes the link of an action or a contract.
 * @throws ChainError action_validate_exception, missing_auth_exception
 */
export function unlinkauth(ctx: NativeContext): void {
  ensureNotReadOnly(ctx, 'unlinkauth')
  const { db } = ctx
  const { account, code, type } = unpackUnlinkAuth(ctx.act.data)
  ctx.requireAuth(account)
  const link = db.permission_link.find('by_action_name', account, code, type)
  ensure(link, 'action_validate_exception', 'Attempting to unlink authority, but no link found')
  ctx.addRamUsage(account, -BILLABLE_PERMISSION_LINK)
  db.permission_link.remove(link)
}
