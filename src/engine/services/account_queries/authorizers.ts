import type { Body } from '../../contract.ts'
import type { PermissionLevelJson } from '../../abi/action_json.ts'
import { permissionLevelToJson } from '../../abi/action_json.ts'
import { asArray, asString, isObject, strictString } from '../../abi/lenient_json.ts'
import { check, fail } from '../../errors.ts'
import { comparePermissionLevels } from '../../protocol/authority.ts'
import { comparePublicKeys, publicKeyFromString, publicKeyToString } from '../../protocol/key.ts'
import { nameFromString, nameToString } from '../../protocol/name.ts'
import type { PermissionLevel } from '../../protocol/transaction.ts'
import type { Authorizer, AuthorizerIndex } from './authorizer_index.ts'
import { entryOf, permissionIdOf, position, weightOf } from './authorizer_index.ts'
import { parseParams } from '../../queries/params.ts'
import type { QueryChain } from '../../queries/query.ts'
import { MAX_ROWS } from '../../queries/query.ts'

/** A permission, and who may act for it, with what weight. */
export interface AccountAuthorizationJson {
  account_name: string
  permission_name: string
  authorizing_account?: PermissionLevelJson
  authorizing_key?: string
  weight: number
  threshold: number
}

/** The answer of get_accounts_by_authorizers. */
export interface AccountsByAuthorizersJson {
  accounts: AccountAuthorizationJson[]
  /** The start of the next page; absent after the last one. */
  more?: string
}

/** An authorizer and an entry of it. */
interface Match {
  authorizer: Authorizer
  entry: number
}

interface AuthorizersParams {
  accounts: PermissionLevel[]
  keys: Uint8Array[]
  limit: number
  lower_bound: Match | undefined
}

/**
 * `{accounts?, keys?, limit?, lower_bound?}` -> the permissions whose authority names one of the
 * accounts or keys, at most `limit` and 1000; `more` is the next page's `lower_bound`. An account
 * without a permission means all of its permissions.
 * spring: account_query_db.cpp get_accounts_by_authorizers
 * @throws ChainError plugin_config_exception if account queries are off, or an invalid parameter
 */
export function getAccountsByAuthorizers(
  chain: Pick<QueryChain, 'db'>,
  index: AuthorizerIndex | undefined,
  params: Body<'get_accounts_by_authorizers'>,
): AccountsByAuthorizersJson {
  const p = parseParams(params, (fields): AuthorizersParams => ({
    accounts: listOf(fields.raw('accounts'), permissionLevelFromJson),
    keys: listOf(fields.raw('keys'), (key) => publicKeyFromString(asString(key))),
    limit: Math.min(fields.optionalUint32('limit') ?? MAX_ROWS, MAX_ROWS),
    lower_bound: boundFromText(fields.optionalString('lower_bound') ?? ''),
  }))
  check(index, 'plugin_config_exception', 'Account Queries being accessed when not enabled')
  const accounts: AccountAuthorizationJson[] = []
  // A page of nothing has no next one.
  if (p.limit === 0) return { accounts }
  for (const match of matches(index, p)) {
    if (accounts.length >= p.limit) return { accounts, more: boundToText(match) }
    accounts.push(authorizationToJson(chain, match))
  }
  return { accounts }
}

/** All matches of the authorizers from the bound on, in order: accounts, then keys. */
function* matches(index: AuthorizerIndex, p: AuthorizersParams): Generator<Match> {
  for (const [authorizer, entries] of authorizers(index, p)) {
    const order = p.lower_bound ? compareAuthorizers(authorizer, p.lower_bound.authorizer) : 1
    if (order < 0) continue
    const from = order === 0 ? position(entries, p.lower_bound!.entry) : 0
    for (let i = from; i < entries.length; i++) yield { authorizer, entry: entries[i]! }
  }
}

function* authorizers(
  index: AuthorizerIndex,
  { accounts, keys }: AuthorizersParams,
): Generator<[Authorizer, readonly number[]]> {
  const wanted = unique(accounts.sort(comparePermissionLevels), comparePermissionLevels)
  const whole = new Set(wanted.filter((l) => l.permission === 0n).map(({ actor }) => actor))
  for (const { actor, permission } of wanted) {
    // A whole account comes before its permissions, which it has already.
    if (permission !== 0n && whole.has(actor)) continue
    for (const { permission: name, entries } of index.ofAccount(actor)) {
      if (permission === 0n || permission === name) yield [{ actor, permission: name }, entries]
    }
  }
  for (const key of unique(keys.sort(comparePublicKeys), comparePublicKeys)) {
    yield [key, index.ofKey(key)]
  }
}

function authorizationToJson(
  { db }: Pick<QueryChain, 'db'>,
  { authorizer, entry }: Match,
): AccountAuthorizationJson {
  const permission = db.permission.getById(permissionIdOf(entry))
  return {
    account_name: nameToString(permission.owner),
    permission_name: nameToString(permission.name),
    ...(authorizer instanceof Uint8Array
      ? { authorizing_key: publicKeyToString(authorizer) }
      : { authorizing_account: permissionLevelToJson(authorizer) }),
    weight: weightOf(entry),
    threshold: permission.auth.threshold,
  }
}

/** Accounts come before keys. */
function compareAuthorizers(a: Authorizer, b: Authorizer): number {
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? comparePublicKeys(a, b) : 1
  return b instanceof Uint8Array ? -1 : comparePermissionLevels(a, b)
}

/** `authorizer/weight/id`, where the authorizer is a key or `actor@permission`. */
function boundToText({ authorizer, entry }: Match): string {
  const text =
    authorizer instanceof Uint8Array
      ? publicKeyToString(authorizer)
      : `${nameToString(authorizer.actor)}@${nameToString(authorizer.permission)}`
  return `${text}/${weightOf(entry)}/${permissionIdOf(entry)}`
}

const BOUND = /^(?:([a-z1-5.]+)@([a-z1-5.]+)|(\w+))\/([0-9]{1,5})\/([0-9]{1,11})$/

function boundFromText(text: string): Match | undefined {
  if (text === '') return undefined
  const match = BOUND.exec(text)
  if (!match) return fail('invalid_http_request', `${text} is not a bound`)
  const [, actor = '', permission = '', key, weight, id] = match
  return {
    authorizer:
      key === undefined
        ? { actor: nameFromString(actor), permission: nameFromString(permission) }
        : publicKeyFromString(key),
    entry: entryOf(Number(weight), Number(id)),
  }
}

function listOf<T>(value: unknown, read: (item: unknown) => T): T[] {
  return value === undefined || value === null ? [] : asArray(value).map(read)
}

/** A name means all permissions of the account. */
function permissionLevelFromJson(value: unknown): PermissionLevel {
  if (!isObject(value)) return { actor: nameFromString(strictString(value)), permission: 0n }
  const name = (field: string): bigint =>
    Object.hasOwn(value, field) ? nameFromString(strictString(value[field])) : 0n
  return { actor: name('actor'), permission: name('permission') }
}

function unique<T>(sorted: readonly T[], compare: (a: T, b: T) => number): T[] {
  return sorted.filter((item, i) => i === 0 || compare(sorted[i - 1]!, item) !== 0)
}
