/**
 * The operator's lists, in the form of requests and answers: names and keys as text.
 * They are rules of this node alone; execution reads them from the live sets of SubjectiveRules.
 * spring: producer_plugin.cpp (greylist, whitelist_blacklist)
 */
import { check, fail } from '../errors.ts'
import { fromHex, toHex } from '../protocol/hex.ts'
import { publicKeyFromString, publicKeyToString } from '../protocol/key.ts'
import { nameFromString, nameToString } from '../protocol/name.ts'
import type { SubjectiveRules } from '../chain/block_context.ts'

/** The rules with sets that may be changed; execution sees the same objects. */
export interface MutableRules extends SubjectiveRules {
  actor_whitelist: Set<bigint>
  actor_blacklist: Set<bigint>
  contract_whitelist: Set<bigint>
  contract_blacklist: Set<bigint>
  action_blacklist: Set<string>
  key_blacklist: Set<string>
  resource_greylist: Set<bigint>
}

const NAME_LISTS = [
  'actor_whitelist',
  'actor_blacklist',
  'contract_whitelist',
  'contract_blacklist',
] as const

/** An action that may not run: the pair, or `contract::action`, or an action of every contract. */
export type ActionListEntry = string | readonly [string, string] | readonly string[]

export interface WhitelistBlacklist {
  actor_whitelist?: readonly string[] | null
  actor_blacklist?: readonly string[] | null
  contract_whitelist?: readonly string[] | null
  contract_blacklist?: readonly string[] | null
  action_blacklist?: readonly ActionListEntry[] | null
  key_blacklist?: readonly string[] | null
}

/** The lists as they are answered: sorted, actions as pairs. */
export interface WhitelistBlacklistAnswer {
  actor_whitelist: string[]
  actor_blacklist: string[]
  contract_whitelist: string[]
  contract_blacklist: string[]
  action_blacklist: string[][]
  key_blacklist: string[]
}

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
 * Replaces the lists that are given; the others stay. Nothing changes when one of them is wrong.
 * @throws invalid_http_request when none is given
 */
export function setWhitelistBlacklist(rules: MutableRules, lists: WhitelistBlacklist): void {
  const given = [...NAME_LISTS, 'action_blacklist', 'key_blacklist'] as const
  check(
    given.some((name) => isGiven(lists[name])),
    'invalid_http_request',
    'At least one of actor_whitelist, actor_blacklist, contract_whitelist, contract_blacklist, ' +
      'action_blacklist, and key_blacklist is required',
  )
  const parsed = NAME_LISTS.map((name) => lists[name]?.map(nameFromString))
  const actions = lists.action_blacklist?.filter(canBlock).map(actionEntry)
  const keys = lists.key_blacklist?.map((key) => toHex(publicKeyFromString(key)))
  NAME_LISTS.forEach((name, index) => replace(rules[name], parsed[index]))
  replace(rules.action_blacklist, actions)
  replace(rules.key_blacklist, keys)
}

export function getGreylist(rules: SubjectiveRules): string[] {
  return names(rules.resource_greylist)
}

/** @throws invalid_http_request when the list is empty */
export function addGreylistAccounts(rules: MutableRules, accounts: readonly string[]): void {
  for (const name of someNames(accounts)) rules.resource_greylist.add(name)
}

/** @throws invalid_http_request when the list is empty */
export function removeGreylistAccounts(rules: MutableRules, accounts: readonly string[]): void {
  for (const name of someNames(accounts)) rules.resource_greylist.delete(name)
}

/** An empty contract, or `*`, blocks an action on every contract.
 *  @returns the key under which execution looks: `contract::action` */
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

const NAME = /^[1-5a-z]{1,12}[1-5a-j]?$/
const BARE_ACTION = /^[a-z1-9][a-z1-9_]{0,30}[a-z1-9]$/

/** The specification takes action names that no action can have: they block nothing. */
export function canBlock(entry: ActionListEntry): boolean {
  return typeof entry !== 'string' || !BARE_ACTION.test(entry) || NAME.test(entry)
}

/** The form of answers: a pair, whose contract is empty when the action is blocked on every one. */
function actionPair(entry: string): string[] {
  const [contract = '', action = ''] = entry.split('::')
  return [contract === '*' ? '' : contract, action]
}

function someNames(accounts: readonly string[]): bigint[] {
  check(accounts.length > 0, 'invalid_http_request', 'At least one account is required')
  return accounts.map(nameFromString)
}

function names(set: ReadonlySet<bigint>): string[] {
  return [...set].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)).map(nameToString)
}

function isGiven(list: unknown): boolean {
  return list !== undefined && list !== null
}

function replace<T>(set: Set<T>, values: readonly T[] | undefined): void {
  if (!values) return
  set.clear()
  for (const value of values) set.add(value)
}
