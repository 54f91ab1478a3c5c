import type { AbiResolver, ActionJsonOptions } from '../abi/action_json.ts'
import type { Json, JsonObject } from '../abi/json.ts'
import type { ActionReceipt } from '../protocol/action_receipt.ts'
import type {
  AccountDelta,
  ActionTrace,
  TransactionReceiptHeader,
  TransactionTrace,
} from './trace.ts'
import { actionToJson, returnValueToJson } from '../abi/action_json.ts'
import { integerToJson } from '../abi/number_text.ts'
import { bytesToText } from '../abi/text.ts'
import { actionDigest } from '../crypto/digests.ts'
import { STATUS_NAMES } from '../protocol/block.ts'
import { toHex } from '../protocol/hex.ts'
import { nameToString } from '../protocol/name.ts'
import { slotToString } from '../protocol/time.ts'
import { exceptJson } from './except_json.ts'

/** What rendering a trace depends on. */
export interface TraceJsonOptions {
  abiOf: AbiResolver
  /** Throws when the time for decoding is over. */
  checktime?: () => void
  /** Wall clock, for the times in exceptions; microseconds. */
  now_us: number
}

/** A trace as `processed` in answers, with the reference's fields in the reference's order. */
export function transactionTraceJson(
  trace: TransactionTrace,
  options: TraceJsonOptions,
): JsonObject {
  const common = commonJson(trace)
  const json: JsonObject = {
    id: toHex(trace.id),
    block_num: trace.block_num,
    block_time: common.block_time,
    producer_block_id: common.producer_block_id,
    receipt: trace.receipt ? receiptHeaderJson(trace.receipt) : null,
    elapsed: integerToJson(trace.elapsed),
    net_usage: integerToJson(trace.net_usage),
    scheduled: trace.scheduled,
    action_traces: trace.action_traces.map((act) => actionTraceJson(act, common, options)),
    account_ram_delta: trace.account_ram_delta ? deltaJson(trace.account_ram_delta) : null,
  }
  if (trace.failed_dtrx_trace)
    json.failed_dtrx_trace = transactionTraceJson(trace.failed_dtrx_trace, options)
  json.except = trace.except ? exceptJson(trace.except, options.now_us) : null
  json.error_code = trace.error_code === undefined ? null : integerToJson(trace.error_code)
  return json
}

/** What every action trace repeats of its transaction. */
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

function actionTraceJson(
  trace: ActionTrace,
  common: CommonJson,
  options: TraceJsonOptions,
): JsonObject {
  const json: JsonObject = {
    action_ordinal: trace.action_ordinal,
    creator_action_ordinal: trace.creator_action_ordinal,
    closest_unnotified_ancestor_action_ordinal: trace.closest_unnotified_ancestor_action_ordinal,
    receipt: trace.receipt ? actionReceiptJson(trace.receipt) : null,
    receiver: nameToString(trace.receiver),
    act: actJson(trace, options),
    context_free: trace.context_free,
    elapsed: integerToJson(trace.elapsed),
    console: bytesToText(Buffer.from(trace.console, 'latin1')),
    trx_id: common.trx_id,
    block_num: common.block_num,
    block_time: common.block_time,
    producer_block_id: common.producer_block_id,
    account_ram_deltas: trace.account_ram_deltas.map(deltaJson),
    except: trace.except ? exceptJson(trace.except, options.now_us) : null,
    error_code: trace.error_code === undefined ? null : integerToJson(trace.error_code),
    return_value_hex_data: toHex(trace.return_value),
  }
  const value = returnValueToJson(
    trace.act,
    trace.return_value,
    options.abiOf,
    decoding(options, ACTION_DEPTH - 1),
  )
  if (value !== undefined) json.return_value_data = value
  return json
}

/** Nesting of an action in a trace: what its data nests more counts against the ABI's limit. */
const ACTION_DEPTH = 4

function actJson({ act }: ActionTrace, options: TraceJsonOptions): JsonObject {
  const json = actionToJson(act, options.abiOf, decoding(options, ACTION_DEPTH))
  // An interface is no JsonObject to the compiler, though it is one.
  return json as unknown as JsonObject
}

function decoding({ checktime }: TraceJsonOptions, depth: number): ActionJsonOptions {
  return checktime ? { depth, checktime } : { depth }
}

function receiptHeaderJson(receipt: TransactionReceiptHeader): JsonObject {
  return {
    status: STATUS_NAMES[receipt.status],
    cpu_usage_us: receipt.cpu_usage_us,
    net_usage_words: receipt.net_usage_words,
  }
}

function actionReceiptJson(receipt: ActionReceipt): JsonObject {
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

function deltaJson({ account, delta }: AccountDelta): JsonObject {
  return { account: nameToString(account), delta: integerToJson(delta) }
}

/**
 * The same with action traces as a tree: what an action sent and whom it notified is in its
 * `inline_traces` (spring: chain_plugin.cpp, push_transaction). Actions that did not run are left
 * out.
 */
export function transactionTraceTreeJson(
  trace: TransactionTrace,
  options: TraceJsonOptions,
): JsonObject {
  const json = transactionTraceJson(trace, options)
  const flat = json.action_traces as JsonObject[]
  const executed = trace.action_traces.filter((act) => act.receipt || act.except)
  const branch = (ancestor: number): Json[] =>
    executed
      .filter((act) => act.closest_unnotified_ancestor_action_ordinal === ancestor)
      .sort(byGlobalSequence)
      .map((act) => {
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

function missingReceiptJson({ act, receiver }: ActionTrace): JsonObject {
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
