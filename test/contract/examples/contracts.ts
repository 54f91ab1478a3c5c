/** Two contracts that are small enough to be read as bytes. */
import { N } from '../../../src/engine/protocol/name.ts'
import { assemble, I32, I64, i32, i64, type TestModule } from '../../engine/vm/assembler.ts'
import type { ContractFiles } from '../../support/contracts.ts'

const APPLY: [number[], number[]] = [[I64, I64, I64], []]
const MEMORY: NonNullable<TestModule['memory']> = { initial: 1 }
const call = (index: number) => [0x10, index]
const constant = (value: number) => [0x41, ...i32(value)]
const constant64 = (value: bigint) => [0x42, ...i64(value)]
const local = (index: number) => [0x20, index]
const IF = [0x04, 0x40]
const END = [0x0b]
const RETURN = [0x0f]
const NE = [0x52]
const DROP = [0x1a]
const LOAD = [0x29, 0x03, 0x00]

/** Does nothing unless the action is this one. */
const only = (action: string) => [
  ...local(2),
  ...constant64(N(action)),
  ...NE,
  ...IF,
  ...RETURN,
  ...END,
]

const ABI_PARTS = { types: [], tables: [], ricardian_clauses: [], variants: [] }
const files = (wasm: Uint8Array, abi: object): ContractFiles => ({
  wasm: Buffer.from(wasm),
  abi: JSON.stringify({ version: 'eosio::abi/1.2', ...ABI_PARTS, ...abi }),
})

const TEXT = 16
const USER = 32

/** `hi(name user)`: prints `hello, ` and the user, and answers the user as its value. */
export function helloContract(): ContractFiles {
  const greeting = [...Buffer.from('hello, \0')]
  const wasm = assemble({
    types: [APPLY, [[I32, I32], [I32]], [[I32], []], [[I64], []], [[I32, I32], []]],
    imports: [
      ['read_action_data', 1],
      ['prints', 2],
      ['printn', 3],
      ['set_action_return_value', 4],
    ],
    functions: [
      {
        type: 0,
        code: [
          ...only('hi'),
          ...[...constant(USER), ...constant(8), ...call(0), ...DROP],
          ...[...constant(TEXT), ...call(1)],
          ...[...constant(USER), ...LOAD, ...call(2)],
          ...[...constant(USER), ...constant(8), ...call(3)],
        ],
      },
    ],
    memory: MEMORY,
    data: [[TEXT, greeting]],
  })
  return files(wasm, {
    structs: [{ name: 'hi', base: '', fields: [{ name: 'user', type: 'name' }] }],
    actions: [{ name: 'hi', type: 'hi', ricardian_contract: '' }],
    action_results: [{ name: 'hi', result_type: 'name' }],
  })
}

const SENDER_ID = 16
const TRANSACTION = 64

/** `set()`: sends the given packed transaction to be executed later. */
export function alarmContract(packed: Uint8Array): ContractFiles {
  const wasm = assemble({
    types: [APPLY, [[I32, I64, I32, I32, I32], []]],
    imports: [['send_deferred', 1]],
    functions: [
      {
        type: 0,
        code: [
          ...only('set'),
          ...[...constant(SENDER_ID), ...local(0), ...constant(TRANSACTION)],
          ...[...constant(packed.length), ...constant(0), ...call(0)],
        ],
      },
    ],
    memory: MEMORY,
    data: [
      [SENDER_ID, [7]],
      [TRANSACTION, [...packed]],
    ],
  })
  const plain = (name: string) => ({ name, base: '', fields: [] })
  return files(wasm, {
    structs: [plain('set'), plain('ring')],
    actions: ['set', 'ring'].map((name) => ({ name, type: name, ricardian_contract: '' })),
  })
}
