/** A contract that sends the inline action, asks the authority or notifies the account of its data. */
import { N } from '../../src/engine/protocol/name.ts'
import { I32, I64, assemble, i32, i64, u32 } from '../engine/vm/assembler.ts'

const IMPORTS: [string, number[], number[]][] = [
  ['action_data_size', [], [I32]],
  ['read_action_data', [I32, I32], [I32]],
  ['send_inline', [I32, I32], []],
  ['require_auth', [I64], []],
  ['require_recipient', [I64], []],
  ['printn', [I64], []],
  ['get_sender', [], [I64]],
  ['get_code_hash', [I64, I32, I32], [I32]],
  ['mod_exp', [I32, I32, I32, I32, I32, I32, I32, I32], [I32]],
  ['set_action_return_value', [I32, I32], []],
  ['is_feature_activated', [I32], [I32]],
  ['abort', [I32, I32, I32, I32], []],
  ['db_store_i64', [I64, I64, I64, I64, I32, I32], [I32]],
]
const AT = 64
const RESULT = 1024
const call = (name: string): number[] => [
  0x10,
  ...u32(IMPORTS.findIndex(([field]) => field === name)),
]
const int = (value: number): number[] => [0x41, ...i32(value)]
const FIRST_NAME = [...int(AT), 0x29, 3, 0]
const SIZE = call('action_data_size')
const when = (action: string, code: number[]): number[] => [
  ...[0x20, 2, 0x42, ...i64(N(action)), 0x51, 0x04, 0x40],
  ...code,
  0x0b,
]
/** Returns the integer that the code leaves. */
const returned = (code: number[]): number[] => [
  ...[...int(RESULT), ...code, 0x36, 2, 0],
  ...[...int(RESULT), ...int(4), ...call('set_action_return_value')],
]

/** It imports three functions as VeRT has them: chains refuse such a contract. */
export const RELAY_WASM = assemble({
  types: [
    [[I64, I64, I64], []],
    ...IMPORTS.map(([, params, results]) => [params, results] as [number[], number[]]),
  ],
  imports: IMPORTS.map(([field], i) => [field, i + 1]),
  functions: [
    {
      type: 0,
      code: [
        ...[...int(AT), ...SIZE, ...call('read_action_data'), 0x1a],
        ...[0x20, 0, ...call('printn'), ...call('get_sender'), ...call('printn')],
        // Notifications are printed alone.
        ...[0x20, 0, 0x20, 1, 0x52, 0x04, 0x40, 0x0f, 0x0b],
        ...when('relay', [...int(AT), ...SIZE, ...call('send_inline')]),
        ...when('auth', [...FIRST_NAME, ...call('require_auth')]),
        ...when('notify', [...FIRST_NAME, ...call('require_recipient')]),
        // A row for which the account of the data pays, with its name as the key and the value.
        ...when('store', [
          ...[0x20, 0, 0x42, ...i64(N('rows')), ...FIRST_NAME, ...FIRST_NAME],
          ...[...int(AT), ...int(8), ...call('db_store_i64'), 0x1a],
        ]),
        ...when('fail', [...int(0), ...int(0), ...int(0), ...int(0), ...call('abort')]),
        ...when('hash', [
          ...[...FIRST_NAME, ...int(0), ...int(RESULT), ...call('get_code_hash'), 0x1a],
          ...[...int(RESULT), ...int(43), ...call('set_action_return_value')],
        ]),
        ...when('feature', returned([...int(AT), ...call('is_feature_activated')])),
        // 2 to the power of 2, by the modulus of the data.
        ...when('power', [
          ...[...int(512), ...int(2), 0x3a, 0, 0, ...int(520), ...int(2), 0x3a, 0, 0],
          ...returned([
            ...[...int(512), ...int(1), ...int(520), ...int(1), ...int(AT), ...int(1)],
            ...[...int(528), ...int(1), ...call('mod_exp')],
          ]),
        ]),
      ],
    },
  ],
  memory: { initial: 1 },
  exports: [['apply', 0, IMPORTS.length]],
})

const struct = (name: string, fields: [string, string][]) => ({
  name,
  base: '',
  fields: fields.map(([field, type]) => ({ name: field, type })),
})

/** The ABI of {@link RELAY_WASM}. */
export const RELAY_ABI = {
  version: 'eosio::abi/1.2',
  structs: [
    struct('level', [
      ['actor', 'name'],
      ['permission', 'name'],
    ]),
    struct('relay', [
      ['account', 'name'],
      ['name', 'name'],
      ['authorization', 'level[]'],
      ['data', 'bytes'],
    ]),
    ...['auth', 'notify', 'hash', 'store'].map((name) => struct(name, [['account', 'name']])),
    struct('fail', []),
    struct('feature', [['digest', 'checksum256']]),
    struct('power', [['modulus', 'uint8']]),
  ],
  actions: ['relay', 'auth', 'notify', 'hash', 'store', 'fail', 'feature', 'power'].map((name) => ({
    name,
    type: name,
    ricardian_contract: '',
  })),
  tables: [
    { name: 'rows', type: 'store', index_type: 'i64', key_names: ['account'], key_types: ['name'] },
  ],
  action_results: [
    { name: 'hash', result_type: 'hash_result' },
    { name: 'feature', result_type: 'int32' },
    { name: 'power', result_type: 'int32' },
  ],
}
RELAY_ABI.structs.push(
  struct('hash_result', [
    ['struct_version', 'varuint32'],
    ['code_sequence', 'uint64'],
    ['code_hash', 'checksum256'],
    ['vm_type', 'uint8'],
    ['vm_version', 'uint8'],
  ]),
)
