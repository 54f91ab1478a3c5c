import type { AbiResolver, ActionJson } from '../abi/action_json.ts'
import type { ConversionBudget } from '../abi/conversion_budget.ts'
import type { Json } from '../abi/json.ts'
import type { ActionReceipt } from '../protocol/action_receipt.ts'
import type { Action } from '../protocol/transaction.ts'
import type {
  AccountDelta,
  ActionTrace,
  TransactionReceiptHeader,
  TransactionTrace,
} from '../chain/base/trace.ts'
import { actionToJson, returnValueToJson } from '../abi/action_json.ts'
import type { IntegerJson } from '../abi/number_text.ts'
import { integerToJson } from '../abi/number_text.ts'
import { bytesToText } from '../protocol/text.ts'
import { actionDigest } from '../crypto/digests.ts'
import type { TransactionStatusName } from '../protocol/transaction_status.ts'
import { STATUS_NAMES } from '../protocol/transaction_status.ts'
import { toHex } from '../protocol/hex.ts'
import { nameToString } from '../protocol/name.ts'
import { slotToString } from '../protocol/time.ts'
import type { ExceptJson } from './exception.ts'
import { exceptJson } from './exception.ts'

/** The data on which the JSON of a trace depends. */
export interface TraceJsonOptions {
  abiOf: AbiResolver
  /** The limit of decoding. */
  budget: ConversionBudget
  /** Wall clock, for the times in exceptions; microseconds. */
  now_us: number
}

/** A change of an account's RAM usage as JSON; bytes. */
export interface AccountDeltaJson {
  account: string
  delta: IntegerJson
}

/** The header of a transaction receipt as JSON. */
export interface ReceiptHeaderJson {
  status: TransactionStatusName
  cpu_usage_us: number
  net_usage_words: number
}

/** An action receipt as JSON. */
export interface ActionReceiptJson {
  receiver: string
  act_digest: string
  global_sequence: IntegerJson
  recv_sequence: IntegerJson
  auth_sequence: [string, IntegerJson][]
  code_sequence: number
  abi_sequence: number
}

/** The trace of an action as JSON. */
export interface ActionTraceJson {
  action_ordinal: number
  creator_action_ordinal: number
  closest_unnotified_ancestor_action_ordinal: number
  receipt: ActionReceiptJson | null
  receiver: string
  act: ActionJson
  context_free: boolean
  elapsed: IntegerJson
  console: string
  trx_id: string
  block_num: number
  block_time: string
  producer_block_id: string | null
  account_ram_deltas: AccountDeltaJson[]
  except: ExceptJson | null
  error_code: IntegerJson | null
  return_value_hex_data: string
  return_value_data?: Json
  /** In trees: what the action caused. */
  inline_traces?: ActionTraceJson[]
}

/** The trace of a transaction as JSON. */
export interface TransactionTraceJson {
  id: string
  block_num: number
  block_time: string
  producer_block_id: string | null
  receipt: ReceiptHeaderJson | null
  elapsed: IntegerJson
  net_usage: IntegerJson
  scheduled: boolean
  action_traces: ActionTraceJson[]
  account_ram_delta: AccountDeltaJson | null
  failed_dtrx_trace?: TransactionTraceJson
  except: ExceptJson | null
  error_code: IntegerJson | null
}

/** A trace as `processed` in answers, with the reference's fields in the reference's order. */
export function transactionTraceJson(
  trace: TransactionTrace,
  options: TraceJsonOptions,
): TransactionTraceJson {
  const common = commonJson(trace)
  const actOf = actsJson(options)
  // Fields after a spread in a literal are defined slowly.
  const json = {
    id: common.trx_id,
    block_num: trace.block_num,
    block_time: common.block_time,
    producer_block_id: common.producer_block_id,
    receipt: trace.receipt ? receiptHeaderJson(trace.receipt) : null,
    elapsed: integerToJson(trace.elapsed),
    net_usage: integerToJson(trace.net_usage),
    scheduled: trace.scheduled,
    action_traces: trace.action_traces.map((act) =>
      actionTraceJson(act, actOf(act.act), common, options),
    ),
    account_ram_delta: trace.account_ram_delta ? deltaJson(trace.account_ram_delta) : null,
  } as TransactionTraceJson
  if (trace.failed_dtrx_trace) {
    json.failed_dtrx_trace = transactionTraceJson(trace.failed_dtrx_trace, options)
  }
  json.except = trace.except ? exceptJson(trace.except, options.now_us) : null
  json.error_code = trace.error_code === undefined ? null : integerToJson(trace.error_code)
  return json
}

/** The fields of the transaction that every action trace repeats. */
interface CommonJson {
  trx_id: string
  block_num: number
  block_time: string
  producer_block_id: string | null
}

function commonJson(trace: TransactionTrace): CommonJson {
  return {
    trx_id: toHex(trace.id),
    block_num: trace.block_num,
    block_time: slotToString(trace.block_time),
    producer_block_id: trace.producer_block_id ? toHex(trace.producer_block_id) : null,
  }
}

/** The JSON of actions, shared by the notifications of an action. */
function actsJson({ abiOf, budget }: TraceJsonOptions): (act: Action) => ActionJson {
  const known = new Map<Action, ActionJson>()
  return (act) => {
    budget.addTraced(act.data.length)
    let json = known.get(act)
    if (!json) known.set(act, (json = actionToJson(act, abiOf, { budget, depth: ACTION_DEPTH })))
    return json
  }
}

function actionTraceJson(
  trace: ActionTrace,
  act: ActionJson,
  common: CommonJson,
  options: TraceJsonOptions,
): ActionTraceJson {
  const json: ActionTraceJson = {
    action_ordinal: trace.action_ordinal,
    creator_action_ordinal: trace.creator_action_ordinal,
    closest_unnotified_ancestor_action_ordinal: trace.closest_unnotified_ancestor_action_ordinal,
    receipt: trace.receipt ? actionReceiptJson(trace.receipt) : null,
    receiver: nameToString(trace.receiver),
    act,
    context_free: trace.context_free,
    elapsed: integerToJson(trace.elapsed),
    console: trace.console === '' ? '' : bytesToText(Buffer.from(trace.console, 'latin1')),
    trx_id: common.trx_id,
    block_num: common.block_num,
    block_time: common.block_time,
    producer_block_id: common.producer_block_id,
    account_ram_deltas: trace.account_ram_deltas.map(deltaJson),
    except: trace.except ? exceptJson(trace.except, options.now_us) : null,
    error_code: trace.error_code === undefined ? null : integerToJson(trace.error_code),
    return_value_hex_data: toHex(trace.return_value),
  }
  const value = returnValueToJson(trace.act, trace.return_value, options.abiOf, {
    budget: options.budget,
    depth: ACTION_DEPTH - 1,
  })
  if (value !== undefined) json.return_value_data = value
  return json
}

/** Nesting of an action in a trace: what its data nests more counts against the ABI's limit. */
const ACTION_DEPTH = 4

function receiptHeaderJson(receipt: TransactionReceiptHeader): ReceiptHeaderJson {
  return {
    status: STATUS_NAMES[receipt.status],
    cpu_usage_us: receipt.cpu_usage_us,
    net_usage_words: receipt.net_usage_words,
  }
}

function actionReceiptJson(receipt: ActionReceipt): ActionReceiptJson {
  return {
    receiver: nameToString(receipt.receiver),
    act_digest: toHex(receipt.act_digest),
    global_sequence: integerToJson(receipt.global_sequence),
    recv_sequence: integerToJson(receipt.recv_sequence),
    auth_sequence: receipt.auth_sequence.map(([actor, sequence]) => [
      nameToString(actor),
      integerToJson(sequence),
    ]),
    code_sequence: receipt.code_sequence,
    abi_sequence: receipt.abi_sequence,
  }
}

function deltaJson({ account, delta }: AccountDelta): AccountDeltaJson {
  return { account: nameToString(account), delta: integerToJson(delta) }
}

/**
 * The same with action traces as a tree: `inline_traces` has the actions that an action sent and
 * the notifications that it caused (spring: chain_plugin.cpp, push_transaction). Actions that did
 * not run are omitted.
 */
export function transactionTraceTreeJson(
  trace: TransactionTrace,
  options: TraceJsonOptions,
): TransactionTraceJson {
  const json = transactionTraceJson(trace, options)
  const flat = json.action_traces
  const caused = new Map<number, ActionTrace[]>()
  for (const act of trace.action_traces) {
    if (!act.receipt && !act.except) continue
    const ancestor = act.closest_unnotified_ancestor_action_ordinal
    const list = caused.get(ancestor)
    if (list) list.push(act)
    else caused.set(ancestor, [act])
  }
  const branch = (ancestor: number): ActionTraceJson[] =>
    (caused.get(ancestor) ?? []).sort(byGlobalSequence).map((act) => {
      const act_json = flat[act.action_ordinal - 1]!
      act_json.inline_traces = branch(act.action_ordinal)
      if (!act.receipt) act_json.receipt = missingReceiptJson(act)
      return act_json
    })
  json.action_traces = branch(0)
  return json
}

/** Failed actions come last. */
function byGlobalSequence(a: ActionTrace, b: ActionTrace): number {
  if (!a.receipt || !b.receipt) return Number(!a.receipt) - Number(!b.receipt)
  return a.receipt.global_sequence < b.receipt.global_sequence ? -1 : 1
}

function missingReceiptJson({ act, receiver }: ActionTrace): ActionReceiptJson {
  return {
    abi_sequence: 0,
    act_digest: toHex(actionDigest(act)),
    auth_sequence: [],
    code_sequence: 0,
    global_sequence: 0,
    receiver: nameToString(receiver),
    recv_sequence: 0,
  }
}
