/**
 * JSON texts of the answers of frequent requests. They equal what JSON.stringify makes of the same objects, which takes
 * several times as long.
 */
import type { AbiDef } from '../abi/abi_def.ts'
import type { AccountJson, PermissionJson, ResourceLimitJson } from './account.ts'
import type { BlockJson } from '../json/block.ts'
import { integer, list, plain } from '../json/plain_text.ts'
import type { TransactionTraceJson } from '../json/trace.ts'
import { transactionTraceText } from '../json/trace_text.ts'
import type { AuthorityJson } from '../json/protocol.ts'

/** By operation: makes the text of an answer. */
export const ANSWER_TEXTS: ReadonlyMap<string, (answer: never) => string> = new Map(
  Object.entries({
    get_account: accountText,
    get_block: blockText,
    get_abi: abiText,
    get_raw_abi: rawAbiText,
    push_transaction: submissionText,
    send_transaction: submissionText,
    send_transaction2: submissionText,
    compute_transaction: submissionText,
    send_read_only_transaction: submissionText,
  }),
)

/** Texts of values that are answered again and never change. */
const known = new WeakMap<object, string>()

function knownText(value: object): string {
  let text = known.get(value)
  if (text === undefined) known.set(value, (text = JSON.stringify(value)))
  return text
}

function accountText(a: AccountJson): string {
  const balance =
    a.core_liquid_balance === undefined
      ? ''
      : `"core_liquid_balance":${JSON.stringify(a.core_liquid_balance)},`
  return (
    `{"account_name":${plain(a.account_name)},"head_block_num":${a.head_block_num},` +
    `"head_block_time":${plain(a.head_block_time)},"privileged":${a.privileged},` +
    `"last_code_update":${plain(a.last_code_update)},"created":${plain(a.created)},${balance}` +
    `"ram_quota":${integer(a.ram_quota)},"net_weight":${integer(a.net_weight)},` +
    `"cpu_weight":${integer(a.cpu_weight)},"net_limit":${limitText(a.net_limit)},` +
    `"cpu_limit":${limitText(a.cpu_limit)},"ram_usage":${integer(a.ram_usage)},` +
    `"permissions":${list(a.permissions, permissionText)},` +
    `"total_resources":${JSON.stringify(a.total_resources)},` +
    `"self_delegated_bandwidth":${JSON.stringify(a.self_delegated_bandwidth)},` +
    `"refund_request":${JSON.stringify(a.refund_request)},` +
    `"voter_info":${JSON.stringify(a.voter_info)},"rex_info":${JSON.stringify(a.rex_info)},` +
    `"subjective_cpu_bill_limit":${limitText(a.subjective_cpu_bill_limit)},` +
    `"eosio_any_linked_actions":${JSON.stringify(a.eosio_any_linked_actions)}}`
  )
}

function limitText(limit: ResourceLimitJson): string {
  return (
    `{"used":${integer(limit.used)},"available":${integer(limit.available)},` +
    `"max":${integer(limit.max)},"last_usage_update_time":${plain(limit.last_usage_update_time)},` +
    `"current_used":${integer(limit.current_used)}}`
  )
}

function permissionText(p: PermissionJson): string {
  return (
    `{"perm_name":${plain(p.perm_name)},"parent":${plain(p.parent)},` +
    `"required_auth":${authorityText(p.required_auth)},` +
    `"linked_actions":${JSON.stringify(p.linked_actions)}}`
  )
}

function authorityText(a: AuthorityJson): string {
  const keys = list(
    a.keys,
    ({ key, weight }) => `{"key":${JSON.stringify(key)},"weight":${weight}}`,
  )
  return (
    `{"threshold":${a.threshold},"keys":${keys},` +
    `"accounts":${JSON.stringify(a.accounts)},"waits":${JSON.stringify(a.waits)}}`
  )
}

/** Blocks without transactions are the same objects each time. */
function blockText(block: BlockJson): string {
  return block.transactions.length === 0 ? knownText(block) : JSON.stringify(block)
}

function abiText({ account_name, abi }: { account_name: string; abi?: AbiDef }): string {
  const part = abi === undefined ? '' : `,"abi":${knownText(abi)}`
  return `{"account_name":${plain(account_name)}${part}}`
}

function rawAbiText(a: {
  account_name: string
  code_hash: string
  abi_hash: string
  abi?: string
}): string {
  const part = a.abi === undefined ? '' : `,"abi":${plain(a.abi)}`
  return (
    `{"account_name":${plain(a.account_name)},"code_hash":${plain(a.code_hash)},` +
    `"abi_hash":${plain(a.abi_hash)}${part}}`
  )
}

function submissionText(a: { transaction_id: string; processed: TransactionTraceJson }): string {
  return (
    `{"transaction_id":${plain(a.transaction_id)},` +
    `"processed":${transactionTraceText(a.processed)}}`
  )
}
