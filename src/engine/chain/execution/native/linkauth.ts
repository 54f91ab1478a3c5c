import { ANY_PERMISSION } from '../../../protocol/constants.ts'
import { nameToString } from '../../../protocol/name.ts'
import { BILLABLE_PERMISSION_LINK } from '../../base/constants.ts'
import { ensure, withContext } from '../../base/refuse.ts'
import { unpackLinkAuth } from '../../base/native_action_data.ts'
import type { LinkAuth } from '../../base/native_action_data.ts'
import type { NativeContext } from './native_context.ts'
import { ensureNotReadOnly } from './read_only.ts'

/** Requires a permission of the account for an action, or for all actions of a contract. */
export function linkauth(ctx: NativeContext): void {
  ensureNotReadOnly(ctx, 'linkauth')
  const link = unpackLinkAuth(ctx.act.data)
  withContext(
    () => ({
      requirement: {
        account: nameToString(link.account),
        code: nameToString(link.code),
        type: nameToString(link.type),
        requirement: nameToString(link.requirement),
      },
    }),
    () => apply(ctx, link),
  )
}

function apply(ctx: NativeContext, link: LinkAuth): void {
  const { db } = ctx
  const { account, code, type, requirement } = link
  ensure(requirement !== 0n, 'action_validate_exception', 'Required permission cannot be empty')
  ctx.requireAuth(account)
  ensure(
    db.account.find('by_name', account),
    'account_query_exception',
    'Failed to retrieve account: ${account}',
    () => ({ account: nameToString(account) }),
  )
  ensure(
    db.account.find('by_name', code),
    'account_query_exception',
    'Failed to retrieve code for account: ${account}',
    () => ({ account: nameToString(code) }),
  )
  ensure(
    requirement === ANY_PERMISSION || permissionExists(ctx, link),
    'permission_query_exception',
    'Failed to retrieve permission: ${permission}',
    () => ({ permission: nameToString(requirement) }),
  )
  const existing = db.permission_link.find('by_action_name', account, code, type)
  if (existing) {
    ensure(
      existing.required_permission !== requirement,
      'action_validate_exception',
      'Attempting to update required authority, but new requirement is same as old',
    )
    db.permission_link.modify(existing, (row) => {
      row.required_permission = requirement
    })
    return
  }
  db.permission_link.create({
    account,
    code,
    message_type: type,
    required_permission: requirement,
  })
  ctx.addRamUsage(account, BILLABLE_PERMISSION_LINK)
}

/** Before the feature, a permission of that name of any account would do. */
function permissionExists(ctx: NativeContext, link: LinkAuth): boolean {
  const { account, requirement } = link
  const { db } = ctx
  if (ctx.isFeatureActivated('ONLY_LINK_TO_EXISTING_PERMISSION')) {
    return db.permission.find('by_owner', account, requirement) !== undefined
  }
  return db.permission.lowerBound('by_name', requirement)?.name === requirement
}
