import type { Database } from '../../state/database.ts'
import type { PermissionLevel } from '../../protocol/authority.ts'
import type { Action } from '../../protocol/transaction.ts'
import type { RunningAction } from './running_action.ts'
import { ChainError } from '../../errors.ts'
import { CODE_PERMISSION } from '../../protocol/constants.ts'
import { nameToString } from '../../protocol/name.ts'
import { checkAuthorization } from '../rules/authorization.ts'
import { findPermission, levelLog } from '../rules/authorization/permissions.ts'
import { skipChecks } from './block_context.ts'
import { ensure } from '../base/refuse.ts'
import { checkActorList } from './subjective_lists.ts'

/** Number of declared permissions that are looked up between two checks of the clock. */
const LEVELS = 64

/**
 * Refuses an inline action that the receiver may not send: only what `receiver@eosio.code`
 * satisfies, unless the receiver is privileged (spring: apply_context::execute_inline).
 * @throws ChainError the reason to refuse the action
 */
export function validateInline(ctx: RunningAction, action: Action): void {
  const { block, db, tx } = ctx
  ensureCodeAccount(db, action.account)
  const strict = block.isActivated('RESTRICT_ACTION_TO_SELF')
  const to_self = action.account === ctx.receiver
  // Before RESTRICT_ACTION_TO_SELF, a producer permitted a contract to pass its own authorizations
  // to itself.
  const inherit = !strict && to_self && ctx.receiver === ctx.act.account && block.speculative
  const inherited: PermissionLevel[] = []
  const actors = new Set<bigint>()
  let count = 0
  for (const level of action.authorization) {
    if (++count % LEVELS === 0) tx.cpu.checktime()
    ensureAuthorizer(db, level)
    actors.add(level.actor)
    if (inherit && includesLevel(ctx.act.authorization, level)) inherited.push(level)
  }
  if (tx.enforce_whiteblacklist && block.speculative) checkActorList(block.rules, actors)
  if (skipChecks(block) || ctx.privileged || tx.is_read_only) return
  try {
    checkAuthorization(block, {
      actions: [action],
      provided_keys: [],
      provided_permissions: [{ actor: ctx.receiver, permission: CODE_PERMISSION }],
      provided_delay_us: block.block_time_us - tx.published_us,
      checktime: () => tx.cpu.checktime(),
      check_but_dont_fail: tx.meta.kind === 'dry_run',
      satisfied_authorizations: inherited,
    })
  } catch (error) {
    forgiveSelf(
      ctx,
      error,
      strict || !to_self,
      'Authorization failure with inline action sent to self',
    )
  }
}

/**
 * Before RESTRICT_ACTION_TO_SELF, blocks could hold actions to oneself whatever their authority:
 * those are accepted in blocks, and refused by this node as a producer.
 */
export function forgiveSelf(
  ctx: RunningAction,
  error: unknown,
  strict: boolean,
  message: string,
): void {
  if (strict || !(error instanceof ChainError)) throw error
  if (!ctx.block.speculative) return
  const subjective = new ChainError('subjective_block_production_exception', message)
  subjective.details.push(...error.details)
  throw subjective
}

/**
 * Checks that a context-free inline action is for an account that exists, and has no
 * authorizations.
 * @throws ChainError action_validate_exception
 */
export function validateContextFreeInline(db: Database, action: Action): void {
  ensureCodeAccount(db, action.account)
  ensure(
    action.authorization.length === 0,
    'action_validate_exception',
    'context-free actions cannot have authorizations',
  )
}

function ensureCodeAccount(db: Database, account: bigint): void {
  ensure(
    db.account.find('by_name', account),
    'action_validate_exception',
    "inline action's code account ${account} does not exist",
    () => ({ account: nameToString(account) }),
  )
}

function ensureAuthorizer(db: Database, level: PermissionLevel): void {
  ensure(
    db.account.find('by_name', level.actor),
    'action_validate_exception',
    "inline action's authorizing actor ${account} does not exist",
    () => ({ account: nameToString(level.actor) }),
  )
  ensure(
    findPermission(db, level),
    'action_validate_exception',
    "inline action's authorizations include a non-existent permission: ${permission}",
    () => ({ permission: levelLog(level) }),
  )
}

function includesLevel(levels: readonly PermissionLevel[], level: PermissionLevel): boolean {
  return levels.some((l) => l.actor === level.actor && l.permission === level.permission)
}
