/**
 * Contracts that call what most contracts call. They do so in one straight line, and each has few imports, so that
 * little has to be prepared at once.
 */
import { N } from '../protocol/name.ts'
import { I32, I64, assembleContract, op } from '../services/production/development/assemble.ts'
import type { Import } from '../services/production/development/assemble.ts'

type Instruction = readonly number[]

/** Parameters and results of host functions by letter: i32, long i64. */
const SIGNATURES: Readonly<Record<string, string>> = {
  require_auth: 'l',
  require_auth2: 'll',
  has_auth: 'l>i',
  is_account: 'l>i',
  action_data_size: '>i',
  read_action_data: 'ii>i',
  current_receiver: '>l',
  current_time: '>l',
  require_recipient: 'l',
  eosio_assert: 'ii',
  prints: 'i',
  printn: 'l',
  memcpy: 'iii>i',
  memset: 'iii>i',
  sha256: 'iii',
  set_action_return_value: 'ii',
  send_inline: 'ii',
  db_store_i64: 'llllii>i',
  db_update_i64: 'ilii',
  db_remove_i64: 'i',
  db_get_i64: 'iii>i',
  db_next_i64: 'ii>i',
  db_previous_i64: 'ii>i',
  db_find_i64: 'llll>i',
  db_lowerbound_i64: 'llll>i',
  db_upperbound_i64: 'llll>i',
  db_end_i64: 'lll>i',
  db_idx64_store: 'lllli>i',
  db_idx64_update: 'ili',
  db_idx64_remove: 'i',
  db_idx64_find_secondary: 'lllii>i',
  db_idx64_find_primary: 'lllil>i',
  db_idx64_lowerbound: 'lllii>i',
  db_idx64_next: 'ii>i',
}

const typesOf = (letters: string): number[] =>
  [...letters].map((letter) => (letter === 'i' ? I32 : I64))

function importOf(name: string): Import {
  const [params, results = ''] = SIGNATURES[name]!.split('>')
  return { name, params: typesOf(params!), results: typesOf(results) }
}

/** A body, in which names stand for calls. */
type Body = readonly (Instruction | string)[]

function contract(body: Body): Uint8Array {
  const names = [...new Set(body.filter((part) => typeof part === 'string'))]
  const code = body.map((part) => (typeof part === 'string' ? op.call(names.indexOf(part)) : part))
  return assembleContract(names.map(importOf), code)
}

const RECEIVER = op.localGet(0)
const CODE = op.localGet(1)
const ACTION = op.localGet(2)
const numbers = (...values: number[]): Instruction[] => values.map((value) => op.i32Const(value))
const name = (text: string): Instruction => op.i64Const(N(text))

// Addresses; not 0, because host functions refuse null pointers.
const DATA = 1024
const ROW = 64
const KEY = 128
const COPY = 256
const TEXT = 512

/** Does nothing when it is notified, and otherwise reads the data of the action. */
const BEGIN: Body = [
  ...[RECEIVER, CODE, op.i64Ne, op.if, op.return, op.end, RECEIVER, 'require_auth'],
  ...[op.i32Const(DATA), 'action_data_size', 'read_action_data', op.drop],
]

/** The action that succeeds. */
export const WORK = N('work')
/** Another one, which fails at its end. */
export const FAIL = N('fail')

const END: Body = [ACTION, name('fail'), op.i64Ne, op.i32Const(TEXT), 'eosio_assert']

/** Sends the inline action that is in the data. */
const sending: Body = [...BEGIN, op.i32Const(DATA), 'action_data_size', 'send_inline']

/** @param notified an account that is notified of each action */
function account(notified: Instruction): Body {
  return [
    ...[...BEGIN, notified, 'require_recipient', notified, 'is_account', op.drop],
    ...[RECEIVER, name('active'), 'require_auth2', notified, 'has_auth', op.drop],
    ...['current_receiver', 'printn', op.i32Const(TEXT), 'prints'],
    ...['current_time', 'printn', ...numbers(ROW, DATA, 16), 'memcpy', op.drop],
    ...[...numbers(COPY, 0, 64), 'memset', op.drop, ...numbers(DATA, 16, COPY), 'sha256'],
    ...[...numbers(COPY, 32), 'set_action_return_value', ...END],
  ]
}

/** Stores, finds, changes and removes a row. */
function rows(): Body {
  const table: Body = [CODE, CODE, name('rows')]
  const found: Body = [...table, op.i64Const(7n), 'db_find_i64']
  return [
    ...[...BEGIN, CODE, name('rows'), CODE, op.i64Const(7n), ...numbers(ROW, 16), 'db_store_i64'],
    ...[op.drop, ...found, ...numbers(COPY, 0), 'db_get_i64', op.drop],
    ...[...found, ...numbers(COPY, 16), 'db_get_i64', op.drop],
    ...[...found, CODE, ...numbers(ROW, 16), 'db_update_i64'],
    ...[...found, CODE, ...numbers(ROW, 24), 'db_update_i64'],
    ...[...found, op.i32Const(COPY), 'db_next_i64', op.drop],
    ...[...table, 'db_end_i64', op.i32Const(COPY), 'db_previous_i64', op.drop],
    ...[...table, op.i64Const(1n), 'db_lowerbound_i64', op.drop],
    ...[...table, op.i64Const(1n), 'db_upperbound_i64', op.drop],
    ...[...found, 'db_remove_i64', ...END],
  ]
}

/** The same with a key of a secondary index. */
function keys(): Body {
  const table: Body = [CODE, CODE, name('keys')]
  const found: Body = [...table, ...numbers(KEY, COPY), 'db_idx64_find_secondary']
  return [
    ...[...BEGIN, CODE, name('keys'), CODE, op.i64Const(9n), op.i32Const(KEY), 'db_idx64_store'],
    ...[op.drop, ...table, ...numbers(KEY, COPY), 'db_idx64_lowerbound', op.drop],
    ...[...table, op.i32Const(COPY), op.i64Const(9n), 'db_idx64_find_primary', op.drop],
    ...[...found, op.i32Const(COPY), 'db_idx64_next', op.drop],
    ...[...found, CODE, op.i32Const(KEY), 'db_idx64_update', ...found, 'db_idx64_remove', ...END],
  ]
}

/**
 * A contract whose actions do nothing but what is said, and one that sends the inline action in its data.
 * @param number makes it another code, which does the same
 */
export function exampleContract(
  what: 'account' | 'rows' | 'keys' | 'sending',
  number: number,
  notified: bigint,
): Uint8Array {
  const bodies = {
    account: () => account(op.i64Const(notified)),
    rows,
    keys,
    sending: () => sending,
  }
  return contract([op.i32Const(number), op.drop, ...bodies[what]()])
}
