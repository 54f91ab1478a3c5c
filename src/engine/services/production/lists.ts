/**
 * The operator's lists, in the form of requests and answers: names and keys as text.
 * They are rules of this node alone; execution reads them from the live sets of SubjectiveRules.
 * spring: producer_plugin.cpp (greylist, whitelist_blacklist)
 */
import { check, fail } from '../../errors.ts'
import { fromHex, toHex } from '../../protocol/hex.ts'
import { publicKeyFromString, publicKeyToString } from '../../protocol/key.ts'
import { nameFromString, nameToString } from '../../protocol/name.ts'
import type { MutableRules, SubjectiveRules } from '../../chain/execution/subjective_rules.ts'

const NAME_LISTS = [
  'actor_whitelist',
  'actor_blacklist',
  'contract_whitelist',
  'contract_blacklist',
] as const

/** An action that may not run: the pair, or `contract::action`, or an action of every contract. */
export type ActionListEntry = string | readonly [string, string] | readonly string[]

/** Lists as text; those that are absent or null are not given. */
export interface WhitelistBlacklist {
  actor_whitelist?: readonly string[] | null
  actor_blacklist?: readonly string[] | null
  contract_whitelist?: readonly string[] | null
  contract_blacklist?: readonly string[] | null
  action_blacklist?: readonly ActionListEntry[] | null
  key_blacklist?: readonly string[] | null
}

type NameList = (typeof NAME_LISTS)[number]

/** The given lists in the form that execution uses. */
export interface GivenLists {
  names: ReadonlyMap<NameList, readonly bigint[]>
  actions: readonly string[] | undefined
  keys: readonly string[] | undefined
}

/** The lists in the form of the answer: sorted, actions as pairs. */
export interface WhitelistBlacklistAnswer {
  actor_whitelist: string[]
  actor_blacklist: string[]
  contract_whitelist: string[]
  contract_blacklist: string[]
  action_blacklist: string[][]
  key_blacklist: string[]
}

/** The white and black lists of this node, as get_whitelist_blacklist answers them. */
export function getWhitelistBlacklist(rules: SubjectiveRules): WhitelistBlacklistAnswer {
  return {
    actor_whitelist: names(rules.actor_whitelist),
    actor_blacklist: names(rules.actor_blacklist),
    contract_whitelist: names(rules.contract_whitelist),
    contract_blacklist: names(rules.contract_blacklist),
    action_blacklist: [...rules.action_blacklist].map(actionPair),
    key_blacklist: [...rules.key_blacklist].map((hex) => publicKeyToString(fromHex(hex))),
  }
}

/**
 * Reads lists.
 * @throws ChainError name_type_exception, errors of keys, invalid_http_request for actions
 */
export function parseLists(lists: WhitelistBlacklist): GivenLists {
  const names = new Map<NameList, bigint[]>()
  for (const name of NAME_LISTS) {
    const list = lists[name]
    if (list) names.set(name, list.map(nameFromString))
  }
  return {
    names,
    actions: lists.action_blacklist?.map(actionEntry),
    keys: lists.key_blacklist?.map((key) => toHex(publicKeyFromString(key))),
  }
}

/**
 * Replaces the given lists; the others are not changed.
 * @throws invalid_http_request if no list is given
 */
export function setWhitelistBlacklist(
  rules: MutableRules,
  { names, actions, keys }: GivenLists,
): void {
  check(
    names.size > 0 || actions || keys,
    'invalid_http_request',
    'At least one of actor_whitelist, actor_blacklist, contract_whitelist, contract_blacklist, ' +
      'action_blacklist, and key_blacklist is required',
  )
  for (const [name, list] of names) replace(rules[name], list)
  if (actions) replace(rules.action_blacklist, actions)
  if (keys) replace(rules.key_blacklist, keys)
}

/** The names of the accounts on the greylist. */
export function getGreylist(rules: SubjectiveRules): string[] {
  return names(rules.resource_greylist)
}

/** @throws invalid_http_request when the list is empty */
export function addGreylistAccounts(rules: MutableRules, accounts: readonly bigint[]): void {
  for (const name of some(accounts)) rules.resource_greylist.add(name)
}

/** @throws invalid_http_request when the list is empty */
export function removeGreylistAccounts(rules: MutableRules, accounts: readonly bigint[]): void {
  for (const name of some(accounts)) rules.resource_greylist.delete(name)
}

/**
 * An empty contract, or `*`, blocks an action on every contract.
 *  @returns the key under which execution looks: `contract::action`
 * @throws ChainError invalid_http_request
 */
export function actionEntry(entry: ActionListEntry): string {
  const parts = typeof entry === 'string' ? entry.split('::') : [...entry]
  if (parts.length === 1) parts.unshift('*')
  const [contract, action] = parts
  if (parts.length !== 2 || contract === undefined || action === undefined) {
    return fail('invalid_http_request', 'an action is a pair [contract, action], or an action name')
  }
  const everywhere = contract === '*' || contract === ''
  const code = everywhere ? '*' : nameToString(nameFromString(contract))
  return `${code}::${nameToString(nameFromString(action))}`
}

/** The form of answers: a pair, whose contract is empty when the action is blocked on every one. */
function actionPair(entry: string): string[] {
  const [contract = '', action = ''] = entry.split('::')
  return [contract === '*' ? '' : contract, action]
}

function some(accounts: readonly bigint[]): readonly bigint[] {
  check(accounts.length > 0, 'invalid_http_request', 'At least one account is required')
  return accounts
}

function names(set: ReadonlySet<bigint>): string[] {
  return [...set].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)).map(nameToString)
}

function replace<T>(set: Set<T>, values: readonly T[]): void {
  set.clear()
  for (const value of values) set.add(value)
}
