import type { AbiResolver } from '../abi/action_json.ts'
import { bytesFromJson } from '../abi/hex_bytes.ts'
import {
  asArray,
  asInt64,
  asObject,
  asString,
  asUint64,
  isObject,
  strictString,
} from '../abi/lenient_json.ts'
import { check, fail, rethrowAs } from '../errors.ts'
import type { Extension } from '../protocol/extension.ts'
import { parseInt64 } from '../protocol/integer.ts'
import { signatureFromString } from '../protocol/key.ts'
import { nameFromString, nameToString } from '../protocol/name.ts'
import type { PackedTransaction, UnpackedTransaction } from '../protocol/packed_transaction.ts'
import {
  COMPRESSION_NONE,
  COMPRESSION_ZLIB,
  makePackedTransaction,
  openPackedTransaction,
} from '../protocol/packed_transaction.ts'
import { parseTimePointSec } from '../protocol/time.ts'
import type { Action, PermissionLevel, Transaction } from '../protocol/transaction.ts'
import { strictAbiResolver } from './contract_abi.ts'
import { unsignedFromJson } from './params.ts'
import type { QueryChain, QueryOptions } from './query.ts'
import { defaultOptions } from './query.ts'

type Fields = Record<string, unknown>
/** ABIs are read from it. */
type StateOfChain = Pick<QueryChain, 'db'>

/** Reads one action out of its JSON. */
type ReadAction = (value: unknown) => Action

/** A list; null is an absent one. */
const list = <T>(fields: Fields, key: string, read: (value: unknown) => T): T[] =>
  fields[key] === null ? [] : field(fields, key, (value) => asArray(value).map(read), [])

const field = <T>(fields: Fields, key: string, read: (value: unknown) => T, absent: T): T =>
  Object.hasOwn(fields, key) ? read(fields[key]) : absent

function permissionLevelFromJson(value: unknown): PermissionLevel {
  const fields = asObject(value)
  const name = (v: unknown): bigint => nameFromString(strictString(v))
  return {
    actor: field(fields, 'actor', name, 0n),
    permission: field(fields, 'permission', name, 0n),
  }
}

/**
 * An extension: `[type, hex]`. The reference takes a type modulo 65536: it is refused here, since a
 *  client that has another one in mind would get the id of another transaction.
 * @throws ChainError bad_cast_exception, parse_error_exception
 */
export function extensionFromJson(value: unknown): Extension {
  const pair = asArray(value)
  const type = pair.length > 0 ? asUint64(pair[0]) : 0n
  check(type <= 0xffffn, 'bad_cast_exception', () => `${type} is not a type of an extension`)
  return [Number(type), pair.length > 1 ? bytesFromJson(pair[1]) : new Uint8Array(0)]
}

/**
 * An action whose data is hex already; absent fields are empty.
 * @throws ChainError bad_cast_exception, or the error of a field
 */
export function plainActionFromJson(value: unknown): Action {
  const fields = asObject(value)
  const name = (v: unknown): bigint => nameFromString(strictString(v))
  return {
    account: field(fields, 'account', name, 0n),
    name: field(fields, 'name', name, 0n),
    authorization: field(
      fields,
      'authorization',
      (v) => asArray(v).map(permissionLevelFromJson),
      [],
    ),
    data: field(fields, 'data', bytesFromJson, new Uint8Array(0)),
  }
}

/**
 * An action whose data is hex or JSON; JSON is packed by the contract's ABI, and where that yields
 * nothing `hex_data` counts. spring: abi_from_variant::extract of action
 */
function decodedAction(
  value: unknown,
  resolve: AbiResolver,
  options: QueryOptions,
  depth: number,
): Action {
  const fields = asObject(value)
  const error = 'packed_transaction_type_exception'
  check(Object.hasOwn(fields, 'account'), error, 'Missing account')
  check(Object.hasOwn(fields, 'name'), error, 'Missing name')
  const { data: given, hex_data, ...rest } = fields
  const action = plainActionFromJson(rest)
  let data: Uint8Array | undefined
  if (typeof given === 'string') {
    data = bytesFromJson(given)
  } else if (isObject(given)) {
    const abi = resolve(action.account)
    const type = abi?.actionType(action.name)
    if (abi && type) data = abi.encode(type, given, { ...options, depth })
  }
  if (data === undefined && typeof hex_data === 'string') {
    const bytes = bytesFromJson(hex_data)
    if (bytes.length > 0) data = bytes
  }
  check(
    data !== undefined,
    error,
    () =>
      `Failed to deserialize data for ${nameToString(action.account)}:${nameToString(action.name)}`,
  )
  return { ...action, data }
}

/** Reads an integer of so many bits; what does not fit is refused. */
const unsigned =
  (bits: number) =>
  (value: unknown): number =>
    unsignedFromJson(value, bits)

/**
 * A transaction from JSON; absent fields are zero or empty, unknown ones are ignored.
 * @throws ChainError bad_cast_exception, or the error of a field
 */
export function transactionFromJson(value: unknown, readAction: ReadAction): Transaction {
  const fields = asObject(value)
  return {
    expiration: field(fields, 'expiration', (v) => parseTimePointSec(asString(v)), 0),
    ref_block_num: field(fields, 'ref_block_num', unsigned(16), 0),
    ref_block_prefix: field(fields, 'ref_block_prefix', unsigned(32), 0),
    max_net_usage_words: field(fields, 'max_net_usage_words', unsigned(32), 0),
    max_cpu_usage_ms: field(fields, 'max_cpu_usage_ms', unsigned(8), 0),
    delay_sec: field(fields, 'delay_sec', unsigned(32), 0),
    context_free_actions: list(fields, 'context_free_actions', readAction),
    actions: list(fields, 'actions', readAction),
    transaction_extensions: list(fields, 'transaction_extensions', extensionFromJson),
  }
}

/** The nesting of actions in a plain transaction and in a packed one. */
const ACTION_DEPTH = 4
const PACKED_ACTION_DEPTH = 5

/** A transaction from JSON whose action data may be JSON. Errors: transaction_type_exception … */
export function transactionFromRequest(
  chain: StateOfChain,
  value: unknown,
  options: QueryOptions = defaultOptions(),
): Transaction {
  return rethrowAs('transaction_type_exception', 'Invalid transaction', () => {
    const resolve = strictAbiResolver(chain)
    return transactionFromJson(value, (v) => decodedAction(v, resolve, options, ACTION_DEPTH))
  })
}

/** A transaction that a client sent, packed and opened. */
export interface ReceivedTransaction {
  packed: PackedTransaction
  unpacked: UnpackedTransaction
}

/**
 * Reads a packed transaction from JSON. The transaction is in `packed_trx` as hexadecimal text, or
 * in `transaction` as JSON; context-free data likewise. `compression` is `none`, `zlib`, 0, 1,
 * false or true.
 * @throws ChainError packed_transaction_type_exception, and errors of decompression and ABIs
 * spring: abi_from_variant::extract of packed_transaction
 */
export function packedTransactionFromRequest(
  chain: StateOfChain,
  value: unknown,
  options: QueryOptions = defaultOptions(),
): ReceivedTransaction {
  return rethrowAs('packed_transaction_type_exception', 'Invalid packed transaction', () => {
    const packed = packedTransactionFromJson(chain, value, options)
    return { packed, unpacked: openPackedTransaction(packed) }
  })
}

/**
 * The same for a list of transactions: an item may also be a bare transaction with optional
 * `signatures`.
 */
export function listedTransactionFromRequest(
  chain: StateOfChain,
  value: unknown,
  options: QueryOptions = defaultOptions(),
): ReceivedTransaction {
  const bare =
    isObject(value) &&
    Object.hasOwn(value, 'actions') &&
    !Object.hasOwn(value, 'packed_trx') &&
    !Object.hasOwn(value, 'transaction')
  if (!bare) return packedTransactionFromRequest(chain, value, options)
  const item = {
    signatures: value['signatures'] ?? [],
    compression: COMPRESSION_NONE,
    context_free_data: value['context_free_data'] ?? [],
    transaction: value,
  }
  return packedTransactionFromRequest(chain, item, options)
}

/**
 * Where the reference expects text, it ignores other values; they are refused here, because bytes
 * would be lost.
 */
const hasBytes = (fields: Fields, key: string): boolean =>
  Object.hasOwn(fields, key) && fields[key] !== null && fields[key] !== ''

/** The reference skips white space around base58, which no signature has. */
function signatureFromJson(value: unknown): Uint8Array {
  const text = asString(value)
  check(!/\s/.test(text), 'bad_cast_exception', 'white space in a signature')
  return signatureFromString(text)
}

function packedTransactionFromJson(
  chain: StateOfChain,
  value: unknown,
  options: QueryOptions,
): PackedTransaction {
  const fields = asObject(value)
  const error = 'packed_transaction_type_exception'
  check(Object.hasOwn(fields, 'signatures'), error, 'Missing signatures')
  check(Object.hasOwn(fields, 'compression'), error, 'Missing compression')
  const signatures = asArray(fields['signatures']).map(signatureFromJson)
  const compression = compressionFromJson(fields['compression'])
  const packed_cfd = hasBytes(fields, 'packed_context_free_data')
    ? bytesFromJson(fields['packed_context_free_data'])
    : undefined
  const cfd =
    packed_cfd === undefined
      ? field(fields, 'context_free_data', (v) => asArray(v).map(bytesFromJson), [])
      : []
  if (hasBytes(fields, 'packed_trx')) {
    const packed_trx = bytesFromJson(fields['packed_trx'])
    const packed_context_free_data = packed_cfd ?? packedContextFreeData(cfd, compression)
    return { signatures, compression, packed_context_free_data, packed_trx }
  }
  check(Object.hasOwn(fields, 'transaction'), error, 'Missing transaction')
  const resolve = strictAbiResolver(chain)
  const trx = transactionFromJson(fields['transaction'], (v) =>
    decodedAction(v, resolve, options, PACKED_ACTION_DEPTH),
  )
  const made = makePackedTransaction(trx, signatures, cfd, compression)
  return packed_cfd === undefined ? made : { ...made, packed_context_free_data: packed_cfd }
}

function packedContextFreeData(items: readonly Uint8Array[], compression: number): Uint8Array {
  if (items.length === 0) return new Uint8Array(0)
  const empty = transactionFromJson({}, plainActionFromJson)
  return makePackedTransaction(empty, [], items, compression).packed_context_free_data
}

/**
 * The compression of a packed transaction, by its name or its number. spring:
 * FC_REFLECT_ENUM(packed_transaction::compression_type)
 * @throws ChainError bad_cast_exception, parse_error_exception
 */
export function compressionFromJson(value: unknown): number {
  if (value === 'none') return COMPRESSION_NONE
  if (value === 'zlib') return COMPRESSION_ZLIB
  check(
    typeof value !== 'number' || Number.isInteger(value),
    'bad_cast_exception',
    () => `${String(value)} is not a compression`,
  )
  const number = typeof value === 'string' ? parseInt64(value) : asInt64(value)
  if (number === 0n) return COMPRESSION_NONE
  if (number === 1n) return COMPRESSION_ZLIB
  return fail('bad_cast_exception', `Cannot find enum value: ${number} for enum compression_type`)
}
