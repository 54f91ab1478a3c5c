import type { Body } from '../contract.ts'
import type { IntegerJson } from '../abi/number_text.ts'
import { integerToJson } from '../abi/number_text.ts'
import type { AccountResourceLimit } from '../chain/rules/resource_limits.ts'
import {
  getAccountCpuLimit,
  getAccountLimits,
  getAccountNetLimit,
  getAccountRamUsage,
} from '../chain/rules/resource_limits.ts'
import { N, nameToString } from '../protocol/name.ts'
import { slotToString, timePointToString } from '../protocol/time.ts'
import { ACCOUNT_FLAG_PRIVILEGED } from '../state/rows.ts'
import type { Permission } from '../state/rows.ts'
import type { SystemRowsJson } from './account_contract_parts.ts'
import { accountContractParts } from './account_contract_parts.ts'
import { unknownLimits } from '../chain/base/unknown_key.ts'
import { failAccountQuery } from './account_query.ts'
import { parseParams } from './params.ts'
import type { AuthorityJson } from '../json/protocol.ts'
import { authorityToJson } from '../json/protocol.ts'
import type { StateChain, QueryOptions } from './query.ts'
import { defaultOptions } from './query.ts'

const EOSIO_ANY = N('eosio.any')

/** A resource of an account; -1 where it is unlimited. CPU in microseconds, NET in bytes. */
export interface ResourceLimitJson {
  used: IntegerJson
  available: IntegerJson
  max: IntegerJson
  last_usage_update_time: string
  current_used: IntegerJson
}

/** A contract's action to which a permission is linked; all its actions if none is named. */
export interface LinkedActionJson {
  account: string
  action?: string
}

/** A permission of an account in the answer of get_account. */
export interface PermissionJson {
  perm_name: string
  parent: string
  required_auth: AuthorityJson
  linked_actions: LinkedActionJson[]
}

/** An account. */
export interface AccountJson extends SystemRowsJson {
  account_name: string
  head_block_num: number
  head_block_time: string
  privileged: boolean
  last_code_update: string
  created: string
  core_liquid_balance?: string
  ram_quota: IntegerJson
  net_weight: IntegerJson
  cpu_weight: IntegerJson
  net_limit: ResourceLimitJson
  cpu_limit: ResourceLimitJson
  ram_usage: IntegerJson
  permissions: PermissionJson[]
  subjective_cpu_bill_limit: ResourceLimitJson
  eosio_any_linked_actions: LinkedActionJson[]
}

/** The data of the node that get_account needs in addition to the chain. */
export interface AccountOptions extends QueryOptions {
  /** The charge of an account on this node for transactions that no block bills; microseconds. */
  subjectiveBill?: (account: bigint) => number
}

/**
 * Everything about an account: limits and usage of its resources, its permissions with the actions
 * linked to them, and its rows in the system and token contracts. spring: read_only::get_account
 * @throws ChainError account_query_exception if there is no such account, or an invalid parameter
 */
export function getAccount(
  chain: StateChain,
  params: Body<'get_account'>,
  options: AccountOptions = defaultOptions(),
): AccountJson {
  const { account, core_symbol } = parseParams(params, (p) => ({
    account: p.name('account_name'),
    core_symbol: p.optionalSymbol('expected_core_symbol'),
  }))
  const { db, head } = chain
  const row = db.account.find('by_name', account)
  if (!row) return failAccountQuery('info', unknownLimits(account))
  const metadata = db.account_metadata.get('by_name', account)
  const limits = getAccountLimits(db, account)
  const limit_options = {
    current_slot: head.timestamp,
    greylist_limit: chain.rules.resource_greylist.has(account) ? 1 : undefined,
  }
  const created = row.creation_date
  const contracts = accountContractParts(chain, account, core_symbol, options)
  const links = linkedActions(chain, account)
  return {
    account_name: nameToString(account),
    head_block_num: head.block_num,
    head_block_time: slotToString(head.timestamp),
    privileged: (metadata.flags & ACCOUNT_FLAG_PRIVILEGED) !== 0,
    last_code_update: timePointToString(metadata.last_code_update),
    created: slotToString(created),
    ...contracts.balance,
    ram_quota: integerToJson(limits.ram_bytes),
    net_weight: integerToJson(limits.net_weight),
    cpu_weight: integerToJson(limits.cpu_weight),
    net_limit: limitToJson(getAccountNetLimit(db, account, limit_options).limit, created),
    cpu_limit: limitToJson(getAccountCpuLimit(db, account, limit_options).limit, created),
    ram_usage: integerToJson(getAccountRamUsage(db, account)),
    permissions: permissions(chain, account, links),
    ...contracts.rows,
    subjective_cpu_bill_limit: subjectiveLimit(options.subjectiveBill?.(account) ?? 0),
    eosio_any_linked_actions: links.get(EOSIO_ANY) ?? [],
  }
}

/** An account without actions was last updated when it was created. */
function limitToJson(limit: AccountResourceLimit, created: number): ResourceLimitJson {
  return {
    used: integerToJson(limit.used),
    available: integerToJson(limit.available),
    max: integerToJson(limit.max),
    last_usage_update_time: slotToString(limit.last_usage_update_time || created),
    current_used: integerToJson(limit.current_used),
  }
}

function subjectiveLimit(used: number): ResourceLimitJson {
  return {
    used: integerToJson(used),
    available: 0,
    max: 0,
    last_usage_update_time: slotToString(0),
    current_used: 0,
  }
}

/** Actions by the permission that the account linked to them. */
function linkedActions(chain: StateChain, account: bigint): Map<bigint, LinkedActionJson[]> {
  const links = new Map<bigint, LinkedActionJson[]>()
  for (const link of chain.db.permission_link.range('by_permission_name', [account], [account])) {
    const actions = links.get(link.required_permission) ?? []
    links.set(link.required_permission, actions)
    const { code, message_type } = link
    // A link to all actions of a contract names no action.
    const action = message_type === 0n ? {} : { action: nameToString(message_type) }
    actions.push({ account: nameToString(code), ...action })
  }
  return links
}

function permissions(
  chain: StateChain,
  account: bigint,
  links: ReadonlyMap<bigint, LinkedActionJson[]>,
): PermissionJson[] {
  const list: PermissionJson[] = []
  for (const row of chain.db.permission.range('by_owner', [account], [account])) {
    list.push({
      perm_name: nameToString(row.name),
      parent: parentName(chain, row),
      required_auth: authorityToJson(row.auth),
      linked_actions: links.get(row.name) ?? [],
    })
  }
  return list
}

function parentName(chain: StateChain, row: Permission): string {
  if (row.parent === 0) return ''
  return nameToString(chain.db.permission.byId(row.parent)?.name ?? 0n)
}
