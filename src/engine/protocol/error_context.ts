/**
 * The context of an error in unpacking, as the reference reports it: each field and each type on the
 * way from the bytes that are missing to the value. spring: libraries/libfc/include/fc/io/raw.hpp
 *
 * Values are read without it. When that fails, they are read a second time by the functions here.
 */
import { ChainError } from '../errors.ts'
import type { LogData } from '../errors.ts'
import { CHAIN_CONFIG_FIELDS, CHAIN_CONFIG_V0_FIELDS, WASM_CONFIG_FIELDS } from './config.ts'
import { readPublicKey } from './key.ts'
import { Reader } from './reader.ts'

/** Reads a value of its type; an error that leaves it has the type's lines. */
export type ContextReader = (r: Reader) => void

const UNPACKING = 'error unpacking ${type}'
const UNPACKING_FIELD = 'Error unpacking field ${field}'

function inContext(format: string, data: LogData, read: ContextReader): ContextReader {
  return (r) => {
    try {
      read(r)
    } catch (error) {
      if (error instanceof ChainError && !r.interrupted) error.appendLog(format, data)
      throw error
    }
  }
}

/**
 * Reads a value of all of `bytes`; an error gets its context.
 * @param between is called while long lists are read; what it throws is not a fault of the bytes
 */
export function readWithContext<T>(
  context: ContextReader,
  bytes: Uint8Array,
  read: (r: Reader) => T,
  between?: () => void,
): T {
  const r = readerOf(bytes, between)
  try {
    return read(r)
  } catch (error) {
    if (error instanceof ChainError && !r.interrupted) context(readerOf(bytes, between))
    throw error
  }
}

function readerOf(bytes: Uint8Array, between: (() => void) | undefined): Reader {
  const r = new Reader(bytes)
  r.between = between
  return r
}

const typed = (type: string, read: ContextReader): ContextReader =>
  inContext(UNPACKING, { type }, read)

function fieldsOf(fields: Record<string, ContextReader>): ContextReader {
  const read = Object.entries(fields).map(([field, context]) =>
    inContext(UNPACKING_FIELD, { field }, context),
  )
  return (r) => {
    for (const context of read) context(r)
  }
}

function struct(type: string, fields: Record<string, ContextReader>): ContextReader {
  return typed(type, fieldsOf(fields))
}

const vector =
  (of: ContextReader): ContextReader =>
  (r) =>
    void r.array(of)

const u8 = typed('uint8_t', (r) => r.u8())
const u16 = typed('uint16_t', (r) => r.u16())
const u32 = typed('uint32_t', (r) => r.u32())
const u64 = typed('uint64_t', (r) => r.u64())
const u128 = typed('uint128_t', (r) => r.u128())
const varuint32: ContextReader = (r) => r.varuint32()
const bytes: ContextReader = (r) => r.blob()
const sha256 = typed('fc::sha256', (r) => r.bytes(32))
const seconds = inContext('', {}, (r) => r.u32())
const array = (type: string, length: number): ContextReader =>
  inContext('fc::array<${type},${length}>', { type, length }, (r) => r.bytes(length))

const name = struct('eosio::chain::name', { value: u64 })

/** The first byte says which of the types it is. */
function variant(...types: ContextReader[]): ContextReader {
  return (r) => {
    const type = types[r.varuint32()]
    if (!type) throw new ChainError('assert_exception', 'Provided index out of range for variant.')
    type(r)
  }
}

const point = array('char', 33)
const compact = array('uint8_t', 65)

/** The reference has no better name for this type. */
const webauthn_key = typed('St7variantIJN2fc6crypto8webauthn10public_keyEEE', (r) => {
  const start = r.pos
  point(r)
  u8(r)
  bytes(r)
  // A further condition on such a key.
  const packed = Uint8Array.of(2, ...r.slice(start, r.pos))
  readPublicKey(new Reader(packed))
})

/** The fields of a public key. */
export const PUBLIC_KEY = struct('fc::crypto::public_key', {
  _storage: variant(
    struct('fc::ecc::public_key_shim', { _data: point }),
    struct('fc::crypto::r1::public_key_shim', { _data: point }),
    webauthn_key,
  ),
})

/** The fields of a signature. */
export const SIGNATURE = struct('fc::crypto::signature', {
  _storage: variant(
    struct('fc::ecc::signature_shim', { _data: compact }),
    struct('fc::crypto::r1::signature_shim', { _data: compact }),
    struct('fc::crypto::webauthn::signature', {
      compact_signature: compact,
      auth_data: vector(u8),
      client_json: bytes,
    }),
  ),
})

const permission_level = struct('eosio::chain::permission_level', { actor: name, permission: name })
const key_weight = struct('eosio::chain::key_weight', { key: PUBLIC_KEY, weight: u16 })

const authority = struct('eosio::chain::authority', {
  threshold: u32,
  keys: vector(key_weight),
  accounts: vector(
    struct('eosio::chain::permission_level_weight', { permission: permission_level, weight: u16 }),
  ),
  waits: vector(struct('eosio::chain::wait_weight', { wait_sec: u32, weight: u16 })),
})

/** A value that is unpacked from separate bytes names its type twice. */
const whole = (type: string, context: ContextReader): ContextReader => typed(type, context)

function wholeStruct(type: string, fields: Record<string, ContextReader>): ContextReader {
  return whole(type, struct(type, fields))
}

/** The fields of an action, by name. */
export const ACTION_FIELDS = {
  account: name,
  name,
  authorization: vector(permission_level),
  data: bytes,
}
const action = struct('eosio::chain::action', ACTION_FIELDS)
/** The fields of an action that is unpacked from separate bytes. */
export const ACTION = whole('eosio::chain::action', action)

/** The fields of a transaction that is unpacked from separate bytes. */
export const TRANSACTION = wholeStruct('eosio::chain::transaction', {
  expiration: seconds,
  ref_block_num: u16,
  ref_block_prefix: u32,
  max_net_usage_words: varuint32,
  max_cpu_usage_ms: u8,
  delay_sec: varuint32,
  context_free_actions: vector(action),
  actions: vector(action),
  transaction_extensions: vector((r) => {
    u16(r)
    bytes(r)
  }),
})

/**
 * The fields of the extension that names the sender of a deferred transaction.
 * @param condition a further condition on the fields, which are read again for it
 */
export function deferredGenerationContext(condition: ContextReader): ContextReader {
  const type = 'eosio::chain::deferred_transaction_generation_context'
  const fields = fieldsOf({ sender_trx_id: sha256, sender_id: u128, sender: name })
  return whole(
    type,
    typed(type, (r) => {
      const start = r.pos
      fields(r)
      condition(new Reader(r.slice(start, r.pos)))
    }),
  )
}

/** The fields of a set of public keys, as host functions take it. */
export const KEY_SET = whole('flat_set<fc::crypto::public_key>', vector(PUBLIC_KEY))
/** The fields of a set of permission levels, as host functions take it. */
export const LEVEL_SET = whole('flat_set<eosio::chain::permission_level>', vector(permission_level))

/** The fields of a producer schedule with one key for each producer. */
export const PRODUCER_KEYS = vector(
  struct('eosio::chain::legacy::producer_key', {
    producer_name: name,
    block_signing_key: PUBLIC_KEY,
  }),
)
/** The fields of a producer schedule with authorities. */
export const PRODUCER_AUTHORITIES = vector(
  struct('eosio::chain::producer_authority', {
    producer_name: name,
    authority: variant(
      struct('eosio::chain::block_signing_authority_v0', {
        threshold: u32,
        keys: vector(key_weight),
      }),
    ),
  }),
)
/** The fields of a finalizer policy, as `set_finalizers` takes it. */
export const FINALIZER_POLICY = struct('eosio::chain::webassembly::finalizer_policy', {
  threshold: u64,
  finalizers: vector(
    struct('eosio::chain::webassembly::finalizer_authority', {
      description: bytes,
      weight: u64,
      public_key: vector(u8),
    }),
  ),
})

/** The fields of the data of native actions, by the name of the action. */
export const NATIVE_ACTIONS = {
  newaccount: wholeStruct('eosio::chain::newaccount', {
    creator: name,
    name,
    owner: authority,
    active: authority,
  }),
  setcode: wholeStruct('eosio::chain::setcode', {
    account: name,
    vmtype: u8,
    vmversion: u8,
    code: bytes,
  }),
  setabi: wholeStruct('eosio::chain::setabi', { account: name, abi: bytes }),
  updateauth: wholeStruct('eosio::chain::updateauth', {
    account: name,
    permission: name,
    parent: name,
    auth: authority,
  }),
  deleteauth: wholeStruct('eosio::chain::deleteauth', { account: name, permission: name }),
  linkauth: wholeStruct('eosio::chain::linkauth', {
    account: name,
    code: name,
    type: name,
    requirement: name,
  }),
  unlinkauth: wholeStruct('eosio::chain::unlinkauth', { account: name, code: name, type: name }),
  canceldelay: wholeStruct('eosio::chain::canceldelay', {
    canceling_auth: permission_level,
    trx_id: sha256,
  }),
}

const NUMBERS = { u16, u32, u64 }

/** The fields of the first version of the chain parameters. */
export const CHAIN_CONFIG_V0 = struct(
  'eosio::chain::chain_config_v0',
  Object.fromEntries(
    CHAIN_CONFIG_FIELDS.slice(0, CHAIN_CONFIG_V0_FIELDS).map(([field, type]) => [
      field,
      NUMBERS[type],
    ]),
  ),
)
/** The version in front of the WASM parameters. */
export const WASM_CONFIG_VERSION = u32
const wasm_config = struct(
  'eosio::chain::wasm_config',
  Object.fromEntries(WASM_CONFIG_FIELDS.map((field) => [field, u32])),
)
/** After its version, which is known to be there. */
export const WASM_CONFIG: ContextReader = (r) => {
  r.u32()
  wasm_config(r)
}

const parametersType = (kind: string, version: number): string =>
  `St7variantIJN5eosio5chain10data_${kind}INS1_15chain_config_v${version}ENS1_22config_entry_validatorEEEEE`

/** Parameters by number; the reference has no better name for the type. */
export const parameters = (read: ContextReader): ContextReader =>
  typed(parametersType('range', 1), read)

/** The value of one of them. */
export function parameter(id: number, read: ContextReader): ContextReader {
  const [, type] = CHAIN_CONFIG_FIELDS[id] as (typeof CHAIN_CONFIG_FIELDS)[number]
  const value = typed(`uint${type.slice(1)}_t`, read)
  return typed(
    parametersType('entry', 1),
    id < CHAIN_CONFIG_V0_FIELDS ? typed(parametersType('entry', 0), value) : value,
  )
}
