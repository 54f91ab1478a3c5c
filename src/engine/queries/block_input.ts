/** Blocks from the JSON in which get_raw_block answers them. */
import { bytesFromJson, hashFromJson } from '../abi/hex_bytes.ts'
import { asArray, asObject, asString, strictString } from '../abi/lenient_json.ts'
import { fail } from '../errors.ts'
import { STATUS_NAMES } from '../protocol/transaction_status.ts'
import type { ReceiptTransaction, SignedBlock, TransactionReceipt } from '../protocol/block.ts'
import { publicKeyFromString, signatureFromString } from '../protocol/key.ts'
import { nameFromString } from '../protocol/name.ts'
import type { PackedTransaction } from '../protocol/packed_transaction.ts'
import type { ProducerScheduleLegacy } from '../protocol/schedule.ts'
import { parseBlockTimestamp } from '../protocol/time.ts'
import { unsignedFromJson } from './params.ts'
import { compressionFromJson, extensionFromJson } from './transaction_input.ts'

const nameFromJson = (value: unknown): bigint => nameFromString(strictString(value))
const digestFromJson = (value: unknown): Uint8Array => hashFromJson(value, 32)

/**
 * A signed block; every field is what it was when the block was packed, so that its id is the same.
 * @throws ChainError bad_cast_exception, parse_error_exception, or the error of a field
 */
export function blockFromJson(value: unknown): SignedBlock {
  const b = asObject(value)
  const { new_producers } = b
  return {
    timestamp: parseBlockTimestamp(asString(b['timestamp'])),
    producer: nameFromJson(b['producer']),
    confirmed: unsignedFromJson(b['confirmed'], 16),
    previous: digestFromJson(b['previous']),
    transaction_mroot: digestFromJson(b['transaction_mroot']),
    action_mroot: digestFromJson(b['action_mroot']),
    schedule_version: unsignedFromJson(b['schedule_version'], 32),
    ...(new_producers === undefined || new_producers === null
      ? {}
      : { new_producers: scheduleFromJson(new_producers) }),
    header_extensions: asArray(b['header_extensions']).map(extensionFromJson),
    producer_signature: signatureFromString(asString(b['producer_signature'])),
    transactions: asArray(b['transactions']).map(receiptFromJson),
    block_extensions: asArray(b['block_extensions']).map(extensionFromJson),
  }
}

function scheduleFromJson(value: unknown): ProducerScheduleLegacy {
  const { version, producers } = asObject(value)
  return {
    version: unsignedFromJson(version, 32),
    producers: asArray(producers).map((producer) => {
      const { producer_name, block_signing_key } = asObject(producer)
      return {
        producer_name: nameFromJson(producer_name),
        block_signing_key: publicKeyFromString(asString(block_signing_key)),
      }
    }),
  }
}

function receiptFromJson(value: unknown): TransactionReceipt {
  const { status, cpu_usage_us, net_usage_words, trx } = asObject(value)
  return {
    status: statusFromJson(status),
    cpu_usage_us: unsignedFromJson(cpu_usage_us, 32),
    net_usage_words: unsignedFromJson(net_usage_words, 32),
    trx: transactionFromJson(trx),
  }
}

function statusFromJson(value: unknown): number {
  const status = (STATUS_NAMES as readonly unknown[]).indexOf(value)
  if (status >= 0) return status
  return fail('bad_cast_exception', 'Cannot find enum value: status of a transaction')
}

/** `[0, id]` or `[1, packed transaction]`. */
function transactionFromJson(value: unknown): ReceiptTransaction {
  const [kind, content] = asArray(value)
  const number = unsignedFromJson(kind, 32)
  if (number === 0) return { id: digestFromJson(content) }
  if (number === 1) return { packed: packedFromJson(content) }
  return fail('assert_exception', 'Provided index out of range for variant.')
}

function packedFromJson(value: unknown): PackedTransaction {
  const { signatures, compression, packed_context_free_data, packed_trx } = asObject(value)
  return {
    signatures: asArray(signatures).map((text) => signatureFromString(asString(text))),
    compression: compressionFromJson(compression),
    packed_context_free_data: bytesFromJson(packed_context_free_data),
    packed_trx: bytesFromJson(packed_trx),
  }
}
