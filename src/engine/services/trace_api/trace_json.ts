/**
 * The traces of a block as JSON.
 * spring: plugins/trace_api_plugin/request_handler.cpp
 */
import type { Json } from '../../abi/json.ts'
import type { IntegerJson } from '../../abi/number_text.ts'
import { integerToJson } from '../../abi/number_text.ts'
import { toHex } from '../../protocol/hex.ts'
import { signatureToString } from '../../protocol/key.ts'
import { nameToString } from '../../protocol/name.ts'
import { slotToString, timePointSecToString } from '../../protocol/time.ts'
import type { TransactionStatusName } from '../../protocol/transaction_status.ts'
import { STATUS_NAMES } from '../../protocol/transaction_status.ts'
import type { TracedAction, TracedBlock, TracedReceipt, TracedTransaction } from './trace_format.ts'

/** What an ABI makes of the data and the return value of an action; both may be absent. */
export interface DecodedAction {
  readonly params?: Json
  readonly return_data?: Json
}

/** Decodes an action. @throws ChainError if it does not fit its ABI, or is too much work */
export type DecodeAction = (action: TracedAction) => DecodedAction

/** An action in the answers of the trace API. */
export interface TracedActionJson {
  global_sequence: IntegerJson
  receiver: string
  account: string
  action: string
  authorization: { account: string; permission: string }[]
  data: string
  return_value?: string
  params?: Json
  return_data?: Json
}

/** A transaction in the answers of the trace API. */
export interface TracedTransactionJson {
  id: string
  block_num?: number
  block_time?: string
  producer_block_id?: string | null
  actions: TracedActionJson[]
  status?: TransactionStatusName
  cpu_usage_us?: number
  net_usage_words?: number
  signatures?: string[]
  transaction_header?: {
    expiration: string
    ref_block_num: number
    ref_block_prefix: number
    max_net_usage_words: number
    max_cpu_usage_ms: number
    delay_sec: number
  }
}

/** A block in the answers of the trace API. */
export interface TracedBlockJson {
  id: string
  number: number
  previous_id: string
  status: 'irreversible' | 'pending'
  timestamp: string
  producer: string
  transaction_mroot?: string
  action_mroot?: string
  schedule_version?: number
  transactions: TracedTransactionJson[]
}

/** A block with its transactions. */
export function tracedBlockJson(
  block: TracedBlock,
  is_irreversible: boolean,
  decode: DecodeAction,
): TracedBlockJson {
  const { roots } = block
  return {
    id: toHex(block.id),
    number: block.number,
    previous_id: toHex(block.previous_id),
    status: is_irreversible ? 'irreversible' : 'pending',
    timestamp: `${slotToString(block.timestamp)}Z`,
    producer: nameToString(block.producer),
    ...(roots && {
      transaction_mroot: toHex(roots.transaction_mroot),
      action_mroot: toHex(roots.action_mroot),
      schedule_version: roots.schedule_version,
    }),
    transactions: block.transactions.map((trx) => tracedTransactionJson(trx, decode)),
  }
}

/** A transaction with its actions in the order of their execution. */
export function tracedTransactionJson(
  { id, place, actions, receipt }: TracedTransaction,
  decode: DecodeAction,
): TracedTransactionJson {
  const sorted = [...actions].sort((a, b) => Number(a.global_sequence - b.global_sequence))
  return {
    id: toHex(id),
    ...(place && {
      block_num: place.block_num,
      block_time: slotToString(place.block_time),
      producer_block_id: place.producer_block_id ? toHex(place.producer_block_id) : null,
    }),
    actions: sorted.map((action) => actionJson(action, decode)),
    ...(receipt && receiptJson(receipt)),
  }
}

function actionJson(action: TracedAction, decode: DecodeAction): TracedActionJson {
  const { return_value } = action
  return {
    global_sequence: integerToJson(action.global_sequence),
    receiver: nameToString(action.receiver),
    account: nameToString(action.account),
    action: nameToString(action.action),
    authorization: action.authorization.map(({ actor, permission }) => ({
      account: nameToString(actor),
      permission: nameToString(permission),
    })),
    data: toHex(action.data),
    ...(return_value && { return_value: toHex(return_value) }),
    ...decode(action),
  }
}

function receiptJson(receipt: TracedReceipt): Partial<TracedTransactionJson> {
  const { header } = receipt
  return {
    status: STATUS_NAMES[receipt.status],
    cpu_usage_us: receipt.cpu_usage_us,
    net_usage_words: receipt.net_usage_words,
    signatures: receipt.signatures.map(signatureToString),
    transaction_header: {
      expiration: timePointSecToString(header.expiration),
      ref_block_num: header.ref_block_num,
      ref_block_prefix: header.ref_block_prefix,
      max_net_usage_words: header.max_net_usage_words,
      max_cpu_usage_ms: header.max_cpu_usage_ms,
      delay_sec: header.delay_sec,
    },
  }
}
