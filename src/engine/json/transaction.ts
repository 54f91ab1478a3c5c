import assert from 'node:assert/strict'
import type { AbiResolver, ActionJson, ActionJsonOptions } from '../abi/action_json.ts'
import { actionToJson } from '../abi/action_json.ts'
import { transactionId } from '../crypto/digests.ts'
import type { TransactionStatusName } from '../protocol/transaction_status.ts'
import { STATUS_NAMES } from '../protocol/transaction_status.ts'
import type { TransactionReceipt } from '../protocol/block.ts'
import { toHex } from '../protocol/hex.ts'
import { signatureToString } from '../protocol/key.ts'
import { nameToString } from '../protocol/name.ts'
import type { PackedTransaction } from '../protocol/packed_transaction.ts'
import { COMPRESSION_ZLIB, openPackedTransaction } from '../protocol/packed_transaction.ts'
import { timePointSecToString } from '../protocol/time.ts'
import type { Transaction } from '../protocol/transaction.ts'
import { extractTransactionExtensions } from '../protocol/transaction.ts'

/** The data that decoding of action data needs. */
export interface DecodeContext {
  resolve: AbiResolver
  options: Omit<ActionJsonOptions, 'depth'>
}

/** A transaction with its actions decoded. */
export interface TransactionJson {
  expiration: string
  ref_block_num: number
  ref_block_prefix: number
  max_net_usage_words: number
  max_cpu_usage_ms: number
  delay_sec: number
  context_free_actions: ActionJson[]
  actions: ActionJson[]
  deferred_transaction_generation?: { sender_trx_id: string; sender_id: string; sender: string }
}

/** A packed transaction as its fields say. */
export interface RawPackedTransactionJson {
  signatures: string[]
  compression: CompressionJson
  packed_context_free_data: string
  packed_trx: string
}

/** A packed transaction with what is in it. */
export interface PackedTransactionJson extends RawPackedTransactionJson {
  id: string
  context_free_data: string[]
  transaction: TransactionJson
}

/** The name of a compression of packed transactions. */
export type CompressionJson = 'none' | 'zlib'

interface ReceiptHeaderJson {
  status: TransactionStatusName
  cpu_usage_us: number
  net_usage_words: number
}

/** A receipt in a block: of a transaction in the block, or of a deferred one by its id. */
export interface ReceiptJson extends ReceiptHeaderJson {
  trx: string | PackedTransactionJson
}

/** A receipt in its packed form: the variant is preceded by its index. */
export interface RawReceiptJson extends ReceiptHeaderJson {
  trx: [0, string] | [1, RawPackedTransactionJson]
}

/** The name of the compression of a packed transaction: `none` or `zlib`. */
export function compressionToJson(compression: number): CompressionJson {
  return compression === COMPRESSION_ZLIB ? 'zlib' : 'none'
}

/**
 * JSON of a transaction with its actions decoded; `depth` is its nesting in the whole answer.
 * Extensions are shown by their content. spring: abi_to_variant::add of transaction
 */
export function transactionToJson(
  trx: Transaction,
  c: DecodeContext,
  depth: number,
): TransactionJson {
  const action_options = { ...c.options, depth: depth + 2 }
  const json: TransactionJson = {
    expiration: timePointSecToString(trx.expiration),
    ref_block_num: trx.ref_block_num,
    ref_block_prefix: trx.ref_block_prefix,
    max_net_usage_words: trx.max_net_usage_words,
    max_cpu_usage_ms: trx.max_cpu_usage_ms,
    delay_sec: trx.delay_sec,
    context_free_actions: trx.context_free_actions.map((act) =>
      actionToJson(act, c.resolve, action_options),
    ),
    actions: trx.actions.map((act) => actionToJson(act, c.resolve, action_options)),
  }
  const { deferred_generation_context: deferred } = extractTransactionExtensions(trx)
  if (deferred) {
    json.deferred_transaction_generation = {
      sender_trx_id: toHex(deferred.sender_trx_id),
      sender_id: deferred.sender_id.toString(),
      sender: nameToString(deferred.sender),
    }
  }
  return json
}

/** JSON of a packed transaction, with the transaction in it decoded. */
export function packedTransactionToJson(
  packed: PackedTransaction,
  c: DecodeContext,
  depth: number,
): PackedTransactionJson {
  const { trx, trx_bytes, context_free_data } = openPackedTransaction(packed)
  return {
    id: toHex(transactionId(trx_bytes)),
    signatures: packed.signatures.map(signatureToString),
    compression: compressionToJson(packed.compression),
    packed_context_free_data: toHex(packed.packed_context_free_data),
    context_free_data: context_free_data.list().map(toHex),
    packed_trx: toHex(packed.packed_trx),
    transaction: transactionToJson(trx, c, depth + 1),
  }
}

function receiptHeaderToJson(receipt: TransactionReceipt): ReceiptHeaderJson {
  const status = STATUS_NAMES[receipt.status]
  assert(status, 'blocks with other receipts are refused')
  return {
    status,
    cpu_usage_us: receipt.cpu_usage_us,
    net_usage_words: receipt.net_usage_words,
  }
}

/** JSON of a receipt in a block, with its transaction decoded. */
export function receiptToJson(
  receipt: TransactionReceipt,
  c: DecodeContext,
  depth: number,
): ReceiptJson {
  const trx =
    'id' in receipt.trx
      ? toHex(receipt.trx.id)
      : packedTransactionToJson(receipt.trx.packed, c, depth + 2)
  return { ...receiptHeaderToJson(receipt), trx }
}

/** JSON of a receipt in its packed form: nothing is decoded. */
export function rawReceiptToJson(receipt: TransactionReceipt): RawReceiptJson {
  const trx: RawReceiptJson['trx'] =
    'id' in receipt.trx
      ? [0, toHex(receipt.trx.id)]
      : [1, rawPackedTransactionToJson(receipt.trx.packed)]
  return { ...receiptHeaderToJson(receipt), trx }
}

function rawPackedTransactionToJson(packed: PackedTransaction): RawPackedTransactionJson {
  return {
    signatures: packed.signatures.map(signatureToString),
    compression: compressionToJson(packed.compression),
    packed_context_free_data: toHex(packed.packed_context_free_data),
    packed_trx: toHex(packed.packed_trx),
  }
}
