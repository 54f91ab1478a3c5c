import type { AbiDef, StructDef } from './abi_def.ts'
import { packAbi } from './abi_binary.ts'

/**
 * The ABI that account eosio has at genesis: the native actions and what they are made of.
 * spring: libraries/chain/eosio_contract_abi.cpp, eosio_contract_abi_bin.cpp
 */

const ALIASES: Record<string, string> = {
  account_name: 'name',
  permission_name: 'name',
  action_name: 'name',
  table_name: 'name',
  transaction_id_type: 'checksum256',
  block_id_type: 'checksum256',
  weight_type: 'uint16',
}

/** Struct name (`name : base` with a base) -> field name -> type. */
const STRUCTS: Record<string, Record<string, string>> = {
  permission_level: { actor: 'account_name', permission: 'permission_name' },
  action: {
    account: 'account_name',
    name: 'action_name',
    authorization: 'permission_level[]',
    data: 'bytes',
  },
  extension: { type: 'uint16', data: 'bytes' },
  transaction_header: {
    expiration: 'time_point_sec',
    ref_block_num: 'uint16',
    ref_block_prefix: 'uint32',
    max_net_usage_words: 'varuint32',
    max_cpu_usage_ms: 'uint8',
    delay_sec: 'varuint32',
  },
  'transaction : transaction_header': {
    context_free_actions: 'action[]',
    actions: 'action[]',
    transaction_extensions: 'extension[]',
  },
  producer_key: { producer_name: 'account_name', block_signing_key: 'public_key' },
  producer_schedule: { version: 'uint32', producers: 'producer_key[]' },
  block_header: {
    timestamp: 'uint32',
    producer: 'account_name',
    confirmed: 'uint16',
    previous: 'block_id_type',
    transaction_mroot: 'checksum256',
    action_mroot: 'checksum256',
    schedule_version: 'uint32',
    new_producers: 'producer_schedule?',
    header_extensions: 'extension[]',
  },
  key_weight: { key: 'public_key', weight: 'weight_type' },
  permission_level_weight: { permission: 'permission_level', weight: 'weight_type' },
  wait_weight: { wait_sec: 'uint32', weight: 'weight_type' },
  authority: {
    threshold: 'uint32',
    keys: 'key_weight[]',
    accounts: 'permission_level_weight[]',
    waits: 'wait_weight[]',
  },
  newaccount: {
    creator: 'account_name',
    name: 'account_name',
    owner: 'authority',
    active: 'authority',
  },
  setcode: { account: 'account_name', vmtype: 'uint8', vmversion: 'uint8', code: 'bytes' },
  setabi: { account: 'account_name', abi: 'bytes' },
  updateauth: {
    account: 'account_name',
    permission: 'permission_name',
    parent: 'permission_name',
    auth: 'authority',
  },
  deleteauth: { account: 'account_name', permission: 'permission_name' },
  linkauth: {
    account: 'account_name',
    code: 'account_name',
    type: 'action_name',
    requirement: 'permission_name',
  },
  unlinkauth: { account: 'account_name', code: 'account_name', type: 'action_name' },
  canceldelay: { canceling_auth: 'permission_level', trx_id: 'transaction_id_type' },
  onerror: { sender_id: 'uint128', sent_trx: 'bytes' },
  onblock: { header: 'block_header' },
}

/** The parameters of each action are the struct with the same name. */
const ACTIONS = [
  'newaccount',
  'setcode',
  'setabi',
  'updateauth',
  'deleteauth',
  'linkauth',
  'unlinkauth',
  'canceldelay',
  'onerror',
  'onblock',
]

function structs(): StructDef[] {
  return Object.entries(STRUCTS).map(([title, fields]) => {
    const [name = '', base = ''] = title.split(' : ')
    return { name, base, fields: Object.entries(fields).map(([name, type]) => ({ name, type })) }
  })
}

/** The ABI of account eosio at genesis. */
export const SYSTEM_ABI: AbiDef = {
  version: 'eosio::abi/1.0',
  types: Object.entries(ALIASES).map(([new_type_name, type]) => ({ new_type_name, type })),
  structs: structs(),
  actions: ACTIONS.map((name) => ({ name, type: name, ricardian_contract: '' })),
  tables: [],
  ricardian_clauses: [],
  error_messages: [],
  abi_extensions: [],
  variants: [],
  action_results: [],
}

/**
 * The bytes that genesis stores: packed before ABIs had action results, so their empty list at the
 * end is missing.
 */
export const SYSTEM_ABI_BYTES: Uint8Array = packAbi(SYSTEM_ABI).subarray(0, -1)
