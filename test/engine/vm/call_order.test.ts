import { expect } from 'chai'
import { HOST_FUNCTIONS } from '../../../src/engine/vm/host/table.ts'
import { NO_RESULT } from '../../../src/engine/vm/wasm/module.ts'
import { I64, assemble, i32, i64 } from './assembler.ts'
import { FakeContext } from './fake_context.ts'
import { APPLY } from './modules.ts'
import { expectError, run } from './support.ts'

/**
 * What is asked before a host function does anything, in the reference's order: its pointers, the
 * last one first; that none alias; the context; the privilege; that no key is a NaN
 * (eos-vm: host_function.hpp; spring: webassembly/runtimes/eos-vm.cpp, preconditions.hpp).
 */

/** Parameters by letter: i32, i64, spans of bytes, of 8 and of 16 bytes, pointers to 8, 16, 32 bytes. */
const POINTERS: Record<string, string> = {
  db_store_i64: 'llllS',
  db_update_i64: 'ilS',
  db_get_i64: 'iS',
  db_next_i64: 'iA',
  db_previous_i64: 'iA',
  ...secondary('db_idx64', 'A'),
  ...secondary('db_idx128', 'B'),
  ...secondary('db_idx256', 'W'),
  ...secondary('db_idx_double', 'A'),
  ...secondary('db_idx_long_double', 'B'),
  get_parameters_packed: 'SS',
  set_parameters_packed: 'S',
  get_wasm_parameters_packed: 'Si',
  set_wasm_parameters_packed: 'S',
  get_blockchain_parameters_packed: 'S',
  set_blockchain_parameters_packed: 'S',
  set_proposed_producers: 'S',
  set_proposed_producers_ex: 'lS',
  set_finalizers: 'lS',
  get_resource_limits: 'lAAA',
  preactivate_feature: 'C',
  is_feature_activated: 'C',
  get_active_producers: 'N',
  check_transaction_authorization: 'SSS',
  check_permission_authorization: 'llSSl',
  get_code_hash: 'liS',
  set_action_return_value: 'S',
  send_inline: 'S',
  send_context_free_inline: 'S',
  send_deferred: 'BlSi',
  cancel_deferred: 'B',
}

function secondary(prefix: string, key: string): Record<string, string> {
  return {
    [`${prefix}_store`]: `llll${key}`,
    [`${prefix}_update`]: `il${key}`,
    [`${prefix}_find_secondary`]: `lll${key}A`,
    [`${prefix}_find_primary`]: `lll${key}l`,
    [`${prefix}_lowerbound`]: `lll${key}A`,
    [`${prefix}_upperbound`]: `lll${key}A`,
    [`${prefix}_next`]: 'iA',
    [`${prefix}_previous`]: 'iA',
  }
}

/** What context-free actions may call. */
const ANYWHERE =
  /^(__\w+|mem(cpy|move|cmp|set)|print\w+|(assert_)?(sha1|sha256|sha512|ripemd160|recover_key)|sha3|k1_recover|blake2_f|mod_exp|alt_bn128_\w+|bls_\w+|abort|eosio_(assert|assert_message|assert_code|exit)|read_action_data|action_data_size|current_receiver|read_transaction|transaction_size|expiration|tapos_block_(num|prefix)|get_action|get_block_num|get_context_free_data)$/

const OUTSIDE = 0x10000
const VIOLATION = 'access violation: wasm memory out-of-bounds'
const NULL = 'references cannot be created for null pointers'
const OVERFLOW = 'eos-vm system failure: length will overflow'
const AWARE = "only context free api's can be used in this context"
const FREE = 'this API may only be called from context_free apply'

type Fault = 'none' | 'outside' | 'null' | 'overflow'
type Argument = number | bigint

/** The arguments of one parameter; places are 64 bytes apart. */
function argumentsOf(letter: string, place: number, fault: Fault): Argument[] {
  if (letter === 'i') return [0]
  if (letter === 'l') return [0n]
  const at = fault === 'outside' ? OUTSIDE : fault === 'null' ? 0 : 64 + 64 * place
  if ('ABC'.includes(letter)) return [at]
  const length = letter === 'W' ? 2 : 1
  return [at, fault === 'overflow' ? 0x20000000 : length]
}

/** What is said of a parameter with this fault. */
function complaintOf(letter: string, fault: Fault): string | undefined {
  if (fault === 'outside' && !'il'.includes(letter)) return VIOLATION
  if (fault === 'null' && 'ABC'.includes(letter)) return NULL
  if (fault === 'overflow' && 'NW'.includes(letter)) return OVERFLOW
  if (fault === 'overflow' && letter === 'S') return VIOLATION
  return undefined
}

function contextFree(): FakeContext {
  const ctx = new FakeContext('contract')
  ctx.context_free = true
  return ctx
}

/** Calls a function from a contract. */
function call(name: string, args: readonly Argument[], ctx = contextFree()): void {
  const { type } = HOST_FUNCTIONS.get(name)!
  const result = type.result === NO_RESULT ? [] : [type.result]
  const constants = args.flatMap((arg, i) => constant(type.params[i]!, arg))
  const code = assemble({
    types: [APPLY, [[...type.params], result]],
    imports: [[name, 1]],
    functions: [{ type: 0, code: [...constants, 0x10, 0, ...result.map(() => 0x1a)] }],
    memory: { initial: 1 },
    data: [[512, [0, 0, 0, 0, 0, 0, 0xf8, 0x7f]]],
  })
  run(code, ctx)
}

function constant(type: number, value: Argument): number[] {
  if (type === I64) return [0x42, ...i64(value)]
  return [0x41, ...i32(Number(value))]
}

const refused = (f: () => void, text: string): void => {
  const of_context = text === AWARE || text === FREE
  expectError(f, of_context ? 'unaccessible_api' : 'wasm_execution_error', text)
}

describe('before a host function runs', () => {
  it('each pointer is looked at before the context', () => {
    for (const [name, letters] of Object.entries(POINTERS)) {
      for (let bad = 0; bad < letters.length; bad++) {
        for (const fault of ['outside', 'null', 'overflow'] as const) {
          const text = complaintOf(letters[bad]!, fault)
          if (text === undefined) continue
          const args = [...letters].flatMap((l, i) => argumentsOf(l, i, i === bad ? fault : 'none'))
          refused(() => call(name, args), text)
        }
      }
    }
  })

  it('the last pointer is looked at first', () => {
    for (const [name, letters] of Object.entries(POINTERS)) {
      const pointers = [...letters].filter((l) => !'il'.includes(l))
      if (!'ABC'.includes(pointers[0]!) || pointers.length === 1) continue
      const args = [...letters].flatMap((l, i) =>
        argumentsOf(l, i, i === letters.indexOf(pointers[0]!) ? 'null' : 'outside'),
      )
      refused(() => call(name, args), VIOLATION)
    }
  })

  it('the context is asked for by every function that context-free actions may not call', () => {
    const names = [...HOST_FUNCTIONS.keys()].filter((name) => !ANYWHERE.test(name))
    expect(names).to.include.members(Object.keys(POINTERS))
    for (const name of names) {
      const { params } = HOST_FUNCTIONS.get(name)!.type
      const plain = params.map((type) => (type === I64 ? 0n : 0))
      const letters = POINTERS[name]
      const args = letters ? [...letters].flatMap((l, i) => argumentsOf(l, i, 'none')) : plain
      refused(() => call(name, args), AWARE)
    }
  })

  it('and by the one that is for context-free actions alone', () => {
    const ctx = new FakeContext('contract')
    refused(() => call('get_context_free_data', [0, OUTSIDE, 1], ctx), VIOLATION)
    refused(() => call('get_context_free_data', [0, 64, 1], ctx), FREE)
    call('get_context_free_data', [0, 64, 1])
  })

  it('aliases are looked for before the context, the privilege and the NaN after it', () => {
    const alias = (): void => call('get_parameters_packed', [64, 2, 65, 2])
    expectError(alias, 'wasm_exception', 'pointers not allowed to alias')
    refused(() => call('set_privileged', [0n, 1]), AWARE)
    refused(() => call('db_idx_double_store', [0n, 0n, 0n, 0n, 512]), AWARE)
    const ctx = new FakeContext('contract')
    refused(() => call('get_resource_limits', [0n, 64, 64, 0], ctx), NULL)
    const unprivileged = (): void => call('get_resource_limits', [0n, 64, 64, 64], ctx)
    expectError(unprivileged, 'unaccessible_api', 'does not have permission to call this API')
  })
})
