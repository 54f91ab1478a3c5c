import { validateAuthority } from '../../../protocol/authority.ts'
import { ACTIVE_PERMISSION, OWNER_PERMISSION } from '../../../protocol/constants.ts'
import { nameToString } from '../../../protocol/name.ts'
import {
  billablePermissionSize,
  createPermission,
  findPermission,
  getPermission,
  modifyPermission,
} from '../../rules/authorization.ts'
import { ensure } from '../../base/refuse.ts'
import { unpackUpdateAuth } from '../../base/native_action_data.ts'
import type { UpdateAuth } from '../../base/native_action_data.ts'
import { authorityLog } from './authority_log.ts'
import { checkAuthorityPrecondition } from './authority_precondition.ts'
import type { NativeContext } from './native_context.ts'
import { ensureNotReadOnly } from './read_only.ts'

/**
 * Creates a permission, or gives one another authority.
 * @throws ChainError action_validate_exception, missing_auth_exception
 */
export function updateauth(ctx: NativeContext): void {
  ensureNotReadOnly(ctx, 'updateauth')
  const { db, block_time_us: time_us } = ctx
  const update = unpackUpdateAuth(ctx.act.data)
  ctx.requireAuth(update.account)
  checkUpdate(ctx, update)
  checkAuthorityPrecondition(ctx, update.auth)

  const { account, permission: name, auth } = update
  const existing = findPermission(db, { actor: account, permission: name })
  const parent =
    name === OWNER_PERMISSION
      ? 0
      : getPermission(db, { actor: account, permission: update.parent }).id
  if (existing === undefined) {
    createPermission(db, { account, name, parent, auth, time_us })
    ctx.addRamUsage(account, billablePermissionSize(auth))
    return
  }
  ensure(
    parent === existing.parent,
    'action_validate_exception',
    'Changing parent authority is not currently supported',
  )
  const old_size = billablePermissionSize(existing.auth)
  modifyPermission(db, existing, auth, time_us)
  ctx.addRamUsage(account, billablePermissionSize(auth) - old_size)
}

function checkUpdate({ db }: NativeContext, update: UpdateAuth): void {
  const { permission, parent, auth } = update
  validate(permission !== 0n, 'Cannot create authority with empty name')
  validate(
    !nameToString(permission).startsWith('eosio.'),
    "Permission names that start with 'eosio.' are reserved",
  )
  validate(permission !== parent, 'Cannot set an authority as its own parent')
  db.account.get('by_name', update.account)
  ensure(
    validateAuthority(auth),
    'action_validate_exception',
    'Invalid authority: ${auth}',
    () => ({ auth: authorityLog(auth) }),
  )
  if (permission === ACTIVE_PERMISSION) {
    ensure(
      parent === OWNER_PERMISSION,
      'action_validate_exception',
      "Cannot change active authority's parent from owner",
      () => ({ 'update.parent': nameToString(parent) }),
    )
  }
  if (permission === OWNER_PERMISSION) {
    validate(parent === 0n, "Cannot change owner authority's parent")
  } else {
    validate(parent !== 0n, 'Only owner permission can have empty parent')
  }
  const longest_wait = auth.waits.at(-1)?.wait_sec ?? 0
  const max_delay = db.global_property.single().configuration.max_transaction_delay
  ensure(
    longest_wait <= max_delay,
    'action_validate_exception',
    'Cannot set delay longer than max_transacton_delay, which is ${max_delay} seconds',
    () => ({ max_delay }),
  )
}

function validate(condition: boolean, message: string): void {
  ensure(condition, 'action_validate_exception', message)
}
