import { validateAuthority } from '../../../protocol/authority.ts'
import { ACTIVE_PERMISSION, OWNER_PERMISSION } from '../../../protocol/constants.ts'
import { nameToString } from '../../../protocol/name.ts'
import { ACCOUNT_FLAG_PRIVILEGED } from '../../../state/rows.ts'
import { createAccount } from '../../rules/accounts.ts'
import { billablePermissionSize, createPermission } from '../../rules/authorization.ts'
import { OVERHEAD_PER_ACCOUNT_RAM_BYTES } from '../../base/constants.ts'
import { ensure, withContext } from '../../base/refuse.ts'
import { initializeAccountResources } from '../../rules/resource_limits.ts'
import { unpackNewAccount } from '../../base/native_action_data.ts'
import type { NewAccount } from '../../base/native_action_data.ts'
import { authorityLog } from './authority_log.ts'
import { checkAuthorityPrecondition } from './authority_precondition.ts'
import type { NativeContext } from './native_context.ts'
import { ensureNotReadOnly } from './read_only.ts'

/** Creates an account with its owner and active permissions. */
export function newaccount(ctx: NativeContext): void {
  ensureNotReadOnly(ctx, 'newaccount')
  const create = unpackNewAccount(ctx.act.data)
  withContext(
    () => ({
      create: {
        creator: nameToString(create.creator),
        name: nameToString(create.name),
        owner: authorityLog(create.owner),
        active: authorityLog(create.active),
      },
    }),
    () => apply(ctx, create),
  )
}

function apply(ctx: NativeContext, create: NewAccount): void {
  const { db, block_time_us: time_us } = ctx
  const { name: account, owner, active } = create
  ctx.requireAuth(create.creator)
  ensure(validateAuthority(owner), 'action_validate_exception', 'Invalid owner authority')
  ensure(validateAuthority(active), 'action_validate_exception', 'Invalid active authority')
  checkName(ctx, create)
  createAccount(db, account, time_us)
  checkAuthorityPrecondition(ctx, owner)
  checkAuthorityPrecondition(ctx, active)
  const parent = createPermission(db, {
    account,
    name: OWNER_PERMISSION,
    parent: 0,
    auth: owner,
    time_us,
  })
  createPermission(db, {
    account,
    name: ACTIVE_PERMISSION,
    parent: parent.id,
    auth: active,
    time_us,
  })
  initializeAccountResources(db, account)
  const permissions = billablePermissionSize(owner) + billablePermissionSize(active)
  ctx.addRamUsage(account, OVERHEAD_PER_ACCOUNT_RAM_BYTES + permissions)
}

function checkName({ db }: NativeContext, create: NewAccount): void {
  const text = nameToString(create.name)
  ensure(create.name !== 0n, 'action_validate_exception', 'account name cannot be empty')
  ensure(text.length <= 12, 'action_validate_exception', 'account names can only be 12 chars long')
  const creator = db.account_metadata.get('by_name', create.creator)
  ensure(
    (creator.flags & ACCOUNT_FLAG_PRIVILEGED) !== 0 || !text.startsWith('eosio.'),
    'action_validate_exception',
    "only privileged accounts can have names that start with 'eosio.'",
  )
  ensure(
    !db.account.find('by_name', create.name),
    'account_name_exists_exception',
    'Cannot create account named ${name}, as that name is already taken',
    () => ({ name: text }),
  )
}
