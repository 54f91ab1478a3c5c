/** A contract with one action for each thing that tests look at, and its ABI. */
import { N } from '../../src/engine/protocol/name.ts'
import { I32, I64, assemble, i32, i64, u32 } from '../engine/vm/assembler.ts'

const TEXT = 'hello from the contract\n'
const AT = 64
/** Where rows and keys are made. */
const ROW = 512

const IMPORTS: [string, number[], number[]][] = [
  ['prints_l', [I32, I32], []],
  ['set_action_return_value', [I32, I32], []],
  ['eosio_assert_code', [I32, I64], []],
  ['db_store_i64', [I64, I64, I64, I64, I32, I32], [I32]],
  ['db_idx64_store', [I64, I64, I64, I64, I32], [I32]],
  ['current_time', [], [I64]],
]
const call = (name: string): number[] => [
  0x10,
  ...u32(IMPORTS.findIndex(([field]) => field === name)),
]
const int = (value: number): number[] => [0x41, ...i32(value)]
const long = (value: bigint): number[] => [0x42, ...i64(value)]
const DROP = [0x1a]
const RECEIVER = [0x20, 0]

/** Runs `code` if the action has this name. */
const when = (action: string, code: number[]): number[] => [
  ...[0x20, 2, ...long(N(action)), 0x51, 0x04, 0x40],
  ...code,
  0x0b,
]

/** A row of two integers, `id` and `rank`, in the scope 0 of `ranks`, with an index of `rank`. */
function storeRow(id: bigint, rank: bigint): number[] {
  const key = (table: bigint): number[] => [
    ...[...long(0n), ...long(table), ...RECEIVER, ...long(id)],
  ]
  return [
    ...[...int(ROW), ...long(id), 0x37, 3, 0, ...int(ROW + 8), ...long(rank), 0x37, 3, 0],
    ...[...key(N('ranks')), ...int(ROW), ...int(16), ...call('db_store_i64'), ...DROP],
    ...[...key(N('ranks')), ...int(ROW + 8), ...call('db_idx64_store'), ...DROP],
  ]
}

/** The code: `say` prints, `now` returns the time, `code` fails with the code 42, `spin` never ends, `rank` stores rows. */
export const SAMPLE_WASM = assemble({
  types: [
    [[I64, I64, I64], []],
    ...IMPORTS.map(([, params, results]) => [params, results] as [number[], number[]]),
  ],
  imports: IMPORTS.map(([field], i) => [field, i + 1]),
  functions: [
    {
      type: 0,
      code: [
        ...when('say', [...int(AT), ...int(TEXT.length), ...call('prints_l')]),
        ...when('now', [
          ...[...int(ROW), ...call('current_time'), 0x37, 3, 0],
          ...[...int(ROW), ...int(8), ...call('set_action_return_value')],
        ]),
        ...when('code', [
          ...int(AT),
          ...int(5),
          ...call('prints_l'),
          ...int(0),
          ...long(42n),
          ...call('eosio_assert_code'),
        ]),
        ...when('spin', [0x03, 0x40, 0x0c, 0, 0x0b]),
        ...when('rank', [...storeRow(1n, 30n), ...storeRow(2n, 10n), ...storeRow(3n, 20n)]),
      ],
    },
  ],
  memory: { initial: 1 },
  exports: [['apply', 0, IMPORTS.length]],
  data: [[AT, [...Buffer.from(TEXT)]]],
})

const ACTIONS = ['say', 'now', 'code', 'spin', 'rank']

/** The ABI of {@link SAMPLE_WASM}. */
export const SAMPLE_ABI = {
  version: 'eosio::abi/1.2',
  structs: [
    { name: 'nothing', base: '', fields: [] },
    {
      name: 'row',
      base: '',
      fields: [
        { name: 'id', type: 'uint64' },
        { name: 'rank', type: 'uint64' },
      ],
    },
  ],
  actions: ACTIONS.map((name) => ({ name, type: 'nothing', ricardian_contract: '' })),
  tables: [{ name: 'ranks', type: 'row', index_type: 'i64', key_names: [], key_types: [] }],
  error_messages: [{ error_code: 42, error_msg: 'the answer' }],
  action_results: [{ name: 'now', result_type: 'uint64' }],
}
