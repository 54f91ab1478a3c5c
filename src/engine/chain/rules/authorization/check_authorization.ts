/** Whether keys, permissions and a delay satisfy what actions declare (spring: check_authorization). */
import type { Database } from '../../../state/database.ts'
import { comparePermissionLevels } from '../../../protocol/authority.ts'
import type { PermissionLevel } from '../../../protocol/authority.ts'
import { publicKeyToString } from '../../../protocol/key.ts'
import type { Action } from '../../../protocol/transaction.ts'
import { AuthorityChecker, levelKey } from './authority_checker.ts'
import { ensure } from '../../base/refuse.ts'
import type { LogData } from '../../base/refuse.ts'
import { lookupMinimumPermission } from './links.ts'
import { findPermission, getPermission, levelLog, permissionSatisfies } from './permissions.ts'
import { checkSpecialAction } from './special_actions.ts'
import type { SpecialActionContext } from './special_actions.ts'

/** The keys, permissions and delay that can satisfy authorizations. */
export interface AuthorizationFactors {
  /** Packed public keys as `keySet` orders them. */
  provided_keys: readonly Uint8Array[]
  /** As `levelSet` orders them. */
  provided_permissions?: readonly PermissionLevel[]
  /** Microseconds; Infinity for no limit. Default 0. */
  provided_delay_us?: number
  /** Throws when the time for it is over. */
  checktime?: () => void
  /** Keys that nothing needed are not a failure. Default false. */
  allow_unused_keys?: boolean
}

/** The authorization of a list of actions. */
export interface ActionsCheck extends AuthorizationFactors {
  actions: readonly Action[]
  /**
   * Does all checks, but does not fail for missing authorizations: for transactions without
   * signatures.
   */
  check_but_dont_fail?: boolean
  /** Declared permissions that were satisfied before, and need nothing now. */
  satisfied_authorizations?: readonly PermissionLevel[]
}

/**
 * Checks that every action declares relevant permissions, and that all of them are satisfied.
 * @throws ChainError irrelevant_auth_exception, unsatisfied_authorization, tx_irrelevant_sig, and
 *   the errors of missing permissions and of special actions
 */
export function checkAuthorization(ctx: SpecialActionContext, check: ActionsCheck): void {
  const { db } = ctx
  const checktime = check.checktime ?? noChecktime
  const max_delay_us = maxDelayUs(db)
  const delay = effectiveDelay(check, max_delay_us)
  const needed = declaredAuthorizations(ctx, check, delay)
  const checker = makeChecker(db, check, delay)
  for (const { level, delay_us } of needed) {
    checktime()
    ensure(
      checker.satisfied(level, delay_us) || check.check_but_dont_fail,
      'unsatisfied_authorization',
      ACTIONS_UNSATISFIED,
      () => unsatisfiedLog(level, check, max_delay_us),
    )
  }
  if (check.allow_unused_keys) return
  ensure(
    checker.allKeysUsed() || check.check_but_dont_fail,
    'tx_irrelevant_sig',
    'transaction bears irrelevant signatures from these keys: ${keys}',
    () => ({ keys: checker.unusedKeys().map((key) => publicKeyToString(key)) }),
  )
}

/**
 * Checks that one permission is satisfied.
 * @throws ChainError unsatisfied_authorization, tx_irrelevant_sig, or a missing permission
 */
export function checkPermission(
  db: Database,
  level: PermissionLevel,
  factors: AuthorizationFactors,
): void {
  const max_delay_us = maxDelayUs(db)
  const checker = makeChecker(db, factors, effectiveDelay(factors, max_delay_us))
  ensure(checker.satisfied(level), 'unsatisfied_authorization', PERMISSION_UNSATISFIED, () =>
    unsatisfiedLog(level, factors, max_delay_us),
  )
  if (factors.allow_unused_keys) return
  ensure(checker.allKeysUsed(), 'tx_irrelevant_sig', 'irrelevant keys provided: ${keys}', () => ({
    keys: checker.unusedKeys().map((key) => publicKeyToString(key)),
  }))
}

/**
 * The keys among `candidate_keys` that suffice for the actions (spring: get_required_keys).
 * @throws ChainError unsatisfied_authorization if even all of them do not suffice
 */
export function getRequiredKeys(
  db: Database,
  actions: readonly Action[],
  candidate_keys: readonly Uint8Array[],
  provided_delay_us = 0,
): Uint8Array[] {
  const factors = { provided_keys: candidate_keys }
  const checker = makeChecker(db, factors, provided_delay_us)
  for (const { authorization } of actions) {
    for (const level of authorization) {
      ensure(
        checker.satisfied(level),
        'unsatisfied_authorization',
        "transaction declares authority '${auth}', but does not have signatures for it.",
        () => ({ auth: levelLog(level) }),
      )
    }
  }
  return checker.usedKeys()
}

const ACTIONS_UNSATISFIED =
  "transaction declares authority '${auth}', but does not have signatures for it under a provided delay of ${provided_delay} ms, provided permissions ${provided_permissions}, provided keys ${provided_keys}, and a delay max limit of ${delay_max_limit_ms} ms"
const PERMISSION_UNSATISFIED =
  "permission '${auth}' was not satisfied under a provided delay of ${provided_delay} ms, provided permissions ${provided_permissions}, provided keys ${provided_keys}, and a delay max limit of ${delay_max_limit_ms} ms"

interface NeededAuthorization {
  level: PermissionLevel
  delay_us: number
}

/** Permissions that the actions declare and that still need satisfying, in order, each once. */
function declaredAuthorizations(
  ctx: SpecialActionContext,
  check: ActionsCheck,
  effective_delay: number,
): NeededAuthorization[] {
  const needed = new Map<string, NeededAuthorization>()
  const satisfied = levelKeys(check.satisfied_authorizations ?? [])
  for (const act of check.actions) {
    const special_delay = checkSpecialAction(ctx, act)
    const delay_us = Math.max(effective_delay, special_delay ?? 0)
    for (const level of act.authorization) {
      check.checktime?.()
      if (special_delay === undefined) checkMinimumPermission(ctx.db, act, level)
      const key = levelKey(level)
      if (satisfied.has(key)) continue
      const known = needed.get(key)
      if (known === undefined) needed.set(key, { level, delay_us })
      else if (known.delay_us > delay_us) known.delay_us = delay_us
    }
  }
  return [...needed.values()].sort((a, b) => comparePermissionLevels(a.level, b.level))
}

const NO_KEYS: ReadonlySet<string> = new Set()

function levelKeys(levels: readonly PermissionLevel[]): ReadonlySet<string> {
  return levels.length === 0 ? NO_KEYS : new Set(levels.map(levelKey))
}

function checkMinimumPermission(db: Database, act: Action, declared: PermissionLevel): void {
  const name = lookupMinimumPermission(db, declared.actor, act.account, act.name)
  if (name === undefined) return
  const minimum = getPermission(db, { actor: declared.actor, permission: name })
  if (declared.permission === name) return
  ensure(
    permissionSatisfies(db, getPermission(db, declared), minimum),
    'irrelevant_auth_exception',
    "action declares irrelevant authority '${auth}'; minimum authority is ${min}",
    () => ({
      auth: levelLog(declared),
      min: levelLog({ actor: minimum.owner, permission: minimum.name }),
    }),
  )
}

function makeChecker(db: Database, factors: AuthorizationFactors, delay_us: number) {
  return new AuthorityChecker((level) => findPermission(db, level)?.auth, {
    keys: factors.provided_keys,
    permissions: factors.provided_permissions ?? [],
    delay_us,
    depth_limit: db.global_property.single().configuration.max_authority_depth,
  })
}

function maxDelayUs(db: Database): number {
  return db.global_property.single().configuration.max_transaction_delay * 1_000_000
}

/** A delay at the chain's limit satisfies every wait. */
function effectiveDelay(factors: AuthorizationFactors, max_delay_us: number): number {
  const delay = factors.provided_delay_us ?? 0
  return delay >= max_delay_us ? Infinity : delay
}

function unsatisfiedLog(
  level: PermissionLevel,
  factors: AuthorizationFactors,
  max_delay_us: number,
): LogData {
  const delay_us = factors.provided_delay_us ?? 0
  return {
    auth: levelLog(level),
    provided_delay: delay_us === Infinity ? MAX_DELAY_MS : Math.trunc(delay_us / 1000),
    provided_permissions: (factors.provided_permissions ?? []).map(levelLog),
    provided_keys: factors.provided_keys.map((key) => publicKeyToString(key)),
    delay_max_limit_ms: max_delay_us / 1000,
  }
}

const MAX_DELAY_MS = 0x7fffffffffffffffn / 1000n

function noChecktime(): void {}
