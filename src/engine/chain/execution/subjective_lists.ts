import type { SubjectiveRules } from './subjective_rules.ts'
import { toHex } from '../../protocol/hex.ts'
import { publicKeyToString } from '../../protocol/key.ts'
import { nameToString } from '../../protocol/name.ts'
import { ensure, refuse } from '../base/refuse.ts'

/*
 * White and black lists of the node (spring: controller.cpp check_*_list). Callers ask only in
 * speculative blocks. A whitelist, where there is one, makes the blacklist of its kind idle.
 */

/**
 * Refuses authorizing actors that the node does not serve.
 * @throws ChainError actor_whitelist_exception, actor_blacklist_exception
 */
export function checkActorList(rules: SubjectiveRules, actors: ReadonlySet<bigint>): void {
  const { actor_whitelist, actor_blacklist } = rules
  if (actors.size === 0) return
  if (actor_whitelist.size > 0) {
    const excluded = [...actors].filter((actor) => !actor_whitelist.has(actor))
    if (excluded.length > 0)
      refuse(
        'actor_whitelist_exception',
        'authorizing actor(s) in transaction are not on the actor whitelist: ${actors}',
        { actors: sortedNames(excluded) },
      )
  } else if (actor_blacklist.size > 0) {
    const blacklisted = [...actors].filter((actor) => actor_blacklist.has(actor))
    if (blacklisted.length > 0)
      refuse(
        'actor_blacklist_exception',
        'authorizing actor(s) in transaction are on the actor blacklist: ${actors}',
        { actors: sortedNames(blacklisted) },
      )
  }
}

/**
 * Refuses code that the node does not run.
 * @throws ChainError contract_whitelist_exception, contract_blacklist_exception
 */
export function checkContractList(rules: SubjectiveRules, code: bigint): void {
  const { contract_whitelist, contract_blacklist } = rules
  if (contract_whitelist.size > 0)
    ensure(
      contract_whitelist.has(code),
      'contract_whitelist_exception',
      "account '${code}' is not on the contract whitelist",
      () => ({ code: nameToString(code) }),
    )
  else if (contract_blacklist.size > 0)
    ensure(
      !contract_blacklist.has(code),
      'contract_blacklist_exception',
      "account '${code}' is on the contract blacklist",
      () => ({ code: nameToString(code) }),
    )
}

/**
 * Refuses actions that the node does not run.
 * @throws ChainError action_blacklist_exception
 */
export function checkActionList(rules: SubjectiveRules, code: bigint, action: bigint): void {
  const blocked = rules.action_blacklist
  if (blocked.size === 0) return
  const data = { code: nameToString(code), action: nameToString(action) }
  ensure(
    !blocked.has(`${data.code}::${data.action}`) && !blocked.has(`*::${data.action}`),
    'action_blacklist_exception',
    "action '${code}::${action}' is on the action blacklist",
    () => data,
  )
}

/**
 * Refuses keys that the node does not let into authorities.
 * @throws ChainError key_blacklist_exception
 */
export function checkKeyList(rules: SubjectiveRules, key: Uint8Array): void {
  if (rules.key_blacklist.size === 0) return
  ensure(
    !rules.key_blacklist.has(toHex(key)),
    'key_blacklist_exception',
    "public key '${key}' is on the key blacklist",
    () => ({ key: publicKeyToString(key) }),
  )
}

function sortedNames(names: bigint[]): string[] {
  return names.sort((a, b) => (a < b ? -1 : 1)).map(nameToString)
}
