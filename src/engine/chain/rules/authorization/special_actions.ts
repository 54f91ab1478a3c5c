/**
 * Authorization of the native actions that change permissions: each wants one declared permission
 * that is at least what it changes (spring: authorization_manager.cpp, check_*_authorization).
 */
import type { Database } from '../../../state/database.ts'
import type { PermissionLevel } from '../../../protocol/authority.ts'
import { N, nameToString } from '../../../protocol/name.ts'
import { toHex } from '../../../protocol/hex.ts'
import { Reader } from '../../../protocol/reader.ts'
import { unpackTransaction } from '../../../protocol/transaction.ts'
import type { Action } from '../../../protocol/transaction.ts'
import type { BuiltinFeatureName } from '../../../protocol/features.ts'
import {
  unpackCancelDelay,
  unpackDeleteAuth,
  unpackLinkAuth,
} from '../../base/native_action_data.ts'
import { unpackUnlinkAuth, unpackUpdateAuth } from '../../base/native_action_data.ts'
import { ANY_PERMISSION, SYSTEM_ACCOUNT } from '../../../protocol/constants.ts'
import { ensure } from '../../base/refuse.ts'
import { lookupLinkedPermission, lookupMinimumPermission, UNLINKABLE_ACTIONS } from './links.ts'
import { findPermission, getPermission, levelLog, permissionSatisfies } from './permissions.ts'
import type { PermissionRow } from './permissions.ts'

/** The data on which the rules of special actions depend. */
export interface SpecialActionContext {
  readonly db: Database
  isActivated(feature: BuiltinFeatureName): boolean
}

/**
 * Checks a special action's declared authorization.
 *
 * @returns undefined when the action is not special, else the delay in microseconds that it must wait
 */
export function checkSpecialAction(ctx: SpecialActionContext, act: Action): number | undefined {
  if (act.account !== SYSTEM_ACCOUNT) return undefined
  const check = CHECKS.get(act.name)
  return check?.(ctx, act)
}

type SpecialCheck = (ctx: SpecialActionContext, act: Action) => number

const CHECKS: ReadonlyMap<bigint, SpecialCheck> = new Map([
  [N('updateauth'), checkUpdateAuth],
  [N('deleteauth'), checkDeleteAuth],
  [N('linkauth'), checkLinkAuth],
  [N('unlinkauth'), checkUnlinkAuth],
  [N('canceldelay'), checkCancelDelay],
])

function checkUpdateAuth({ db }: SpecialActionContext, act: Action): number {
  const update = unpackUpdateAuth(act.data)
  const auth = onlyAuthorization(act, 'updateauth')
  ensure(
    auth.actor === update.account,
    'irrelevant_auth_exception',
    'the owner of the affected permission needs to be the actor of the declared authorization',
  )
  const { account, permission, parent } = update
  const needed =
    findPermission(db, { actor: account, permission }) ??
    getPermission(db, { actor: account, permission: parent })
  ensureSatisfies(db, 'updateauth', auth, needed)
  return 0
}

function checkDeleteAuth({ db }: SpecialActionContext, act: Action): number {
  const del = unpackDeleteAuth(act.data)
  const auth = onlyAuthorization(act, 'deleteauth')
  ensure(
    auth.actor === del.account,
    'irrelevant_auth_exception',
    'the owner of the permission to delete needs to be the actor of the declared authorization',
  )
  const needed = getPermission(db, { actor: del.account, permission: del.permission })
  // The reference says updateauth here too.
  ensureSatisfies(db, 'updateauth', auth, needed)
  return 0
}

function checkLinkAuth(ctx: SpecialActionContext, act: Action): number {
  const { db } = ctx
  const link = unpackLinkAuth(act.data)
  const auth = onlyAuthorization(act, 'link')
  ensure(
    auth.actor === link.account,
    'irrelevant_auth_exception',
    'the owner of the linked permission needs to be the actor of the declared authorization',
  )
  if (link.code === SYSTEM_ACCOUNT || !ctx.isActivated('FIX_LINKAUTH_RESTRICTION')) {
    ensure(
      !UNLINKABLE_ACTIONS.has(link.type),
      'action_validate_exception',
      `Cannot link eosio::${nameToString(link.type)} to a minimum permission`,
    )
  }
  const permission = lookupMinimumPermission(db, link.account, link.code, link.type)
  if (permission === undefined) return 0
  ensureLinkable(db, 'link', auth, { actor: link.account, permission })
  return 0
}

function checkUnlinkAuth({ db }: SpecialActionContext, act: Action): number {
  const unlink = unpackUnlinkAuth(act.data)
  const auth = onlyAuthorization(act, 'unlink')
  ensure(
    auth.actor === unlink.account,
    'irrelevant_auth_exception',
    'the owner of the linked permission needs to be the actor of the declared authorization',
  )
  const { account, code, type } = unlink
  const permission = lookupLinkedPermission(db, account, code, type)
  ensure(
    permission !== undefined,
    'transaction_exception',
    "cannot unlink non-existent permission link of account '${account}' for actions matching '${code}::${action}'",
    () => ({
      account: nameToString(account),
      code: nameToString(code),
      action: nameToString(type),
    }),
  )
  if (permission === ANY_PERMISSION) return 0
  ensureLinkable(db, 'unlink', auth, { actor: account, permission })
  return 0
}

function checkCancelDelay({ db }: SpecialActionContext, act: Action): number {
  const cancel = unpackCancelDelay(act.data)
  const auth = onlyAuthorization(act, 'canceldelay')
  const { canceling_auth, trx_id } = cancel
  ensure(
    permissionSatisfies(db, getPermission(db, auth), getPermission(db, canceling_auth)),
    'irrelevant_auth_exception',
    "canceldelay action declares irrelevant authority '${auth}'; specified authority to satisfy is ${min}",
    () => ({ auth: levelLog(auth), min: levelLog(canceling_auth) }),
  )
  const deferred = db.generated_transaction.find('by_trx_id', trx_id)
  ensure(
    deferred !== undefined && deferred.sender === 0n,
    'tx_not_found',
    'cannot cancel trx_id=${tid}, there is no deferred transaction with that transaction id',
    () => ({ tid: toHex(trx_id) }),
  )
  const trx = unpackTransaction(new Reader(deferred.packed_trx))
  ensure(
    trx.actions.some(({ authorization }) =>
      authorization.some((l) => sameLevel(l, canceling_auth)),
    ),
    'action_validate_exception',
    'canceling_auth in canceldelay action was not found as authorization in the original delayed transaction',
  )
  return deferred.delay_until - deferred.published
}

function onlyAuthorization(act: Action, action: string): PermissionLevel {
  ensure(
    act.authorization.length === 1,
    'irrelevant_auth_exception',
    `${action} action should only have one declared authorization`,
  )
  return act.authorization[0]!
}

/** If both permissions are missing, the error names the declared one. */
function ensureLinkable(
  db: Database,
  action: string,
  auth: PermissionLevel,
  needed: PermissionLevel,
): void {
  getPermission(db, auth)
  ensureSatisfies(db, action, auth, getPermission(db, needed))
}

function ensureSatisfies(
  db: Database,
  action: string,
  auth: PermissionLevel,
  needed: PermissionRow,
): void {
  ensure(
    permissionSatisfies(db, getPermission(db, auth), needed),
    'irrelevant_auth_exception',
    `${action} action declares irrelevant authority '\${auth}'; minimum authority is \${min}`,
    () => ({
      auth: levelLog(auth),
      min: levelLog({ actor: needed.owner, permission: needed.name }),
    }),
  )
}

function sameLevel(a: PermissionLevel, b: PermissionLevel): boolean {
  return a.actor === b.actor && a.permission === b.permission
}
