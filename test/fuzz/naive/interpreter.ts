import { cryptoOperation, keyOperation } from './crypto_operations.ts'
import { NaiveDatabase } from './database.ts'
import { primaryOperation, secondaryOperation } from './database_operations.ts'
import { Exit, Failure } from './failure.ts'
import { FLOAT32, FLOAT64 } from './float_format.ts'
import { Machine, assertion } from './machine.ts'
import {
  conversion,
  floatOperation,
  integerOperation,
  quadComparison,
  wideOperation,
} from './number_operations.ts'
import { HASHES, hashOf } from './hashes.ts'
import { hexText, nameText, quadText, scientificText } from './printing.ts'
import type { NaiveState } from './state.ts'

/** Who runs a program, and who stands by. */
export interface Setting {
  receiver: bigint
  /** Accounts that authorized the action. */
  authorizers: readonly bigint[]
  accounts: readonly bigint[]
  action_data_size: number
  /** Before protocol features, with the contract that does without them. */
  before_features: boolean
  /** What a program asks to be done after it. */
  notify: (account: bigint) => void
  send: (packed_action: Uint8Array) => void
}

/** What a program leaves behind. */
export interface Outcome {
  console: string
  return_value: string
  error: string | undefined
  /** By account, in the order of accounts; none is left out. */
  ram: [account: bigint, bytes: number][]
}

const MAX_RETURN_VALUE = 256
const SYSTEM_ERRORS = 10_000_000_000_000_000_000n

/**
 * Runs a program of the probe contract without the contract: every operation is written down here a
 * second time, plainly. The state changes even where the program fails.
 */
export function interpret(program: Uint8Array, state: NaiveState, setting: Setting): Outcome {
  const { receiver, authorizers, before_features } = setting
  const db = new NaiveDatabase(
    state,
    receiver,
    (account) => !before_features || account === receiver || authorizers.includes(account),
  )
  const m = new Machine(program)
  let error: string | undefined
  try {
    while (!m.atEnd) step(m, db, setting)
  } catch (thrown) {
    if (thrown instanceof Failure) error = describeFailure(thrown)
    else if (!(thrown instanceof Exit)) throw thrown
  }
  const ram = [...db.ram].sort(([a], [b]) => (a < b ? -1 : 1))
  if (!before_features) error ??= unauthorized(ram, setting)
  return { console: m.console, return_value: hexText(m.return_value), error, ram }
}

export const describeFailure = ({ error_name, message }: Failure): string =>
  `${error_name}: ${message}`

/** RAM may grow for the receiver and for those who authorized it. */
function unauthorized(ram: Outcome['ram'], { receiver, authorizers }: Setting): string | undefined {
  const victim = ram.find(
    ([account, bytes]) => bytes > 0 && account !== receiver && !authorizers.includes(account),
  )
  if (!victim) return undefined
  return (
    'unauthorized_ram_usage_increase: unprivileged contract cannot increase RAM usage of another ' +
    `account that has not authorized the action: ${nameText(victim[0])}`
  )
}

function step(m: Machine, db: NaiveDatabase, setting: Setting): void {
  const op = m.u8()
  m.print(`${op}=`)
  if (op >= 80 && op <= 89) primaryOperation(m, db, op)
  else if (op >= 90 && op <= 94) secondaryOperation(m, db, op)
  else if (op >= 100 && op <= 109) numberOperation(m, op)
  else if (op >= 47 && op <= 55) printOperation(m, op)
  else if (op >= 56 && op <= 60) hashOperation(m, op)
  else if (op === 61 || op === 62) keyOperation(m, op)
  else if (CRYPTO.has(op)) {
    if (setting.before_features) notLinked(m, () => cryptoOperation(m, op))
    cryptoOperation(m, op)
  } else actionOperation(m, op, setting)
  m.print(';')
}

/** The contract of before reads the operands, and ends where it has no function to call. */
function notLinked(m: Machine, operation: () => void): never {
  const { console } = m
  try {
    operation()
  } catch (thrown) {
    const short = thrown instanceof Failure && thrown.error_name.startsWith('eosio_assert')
    if (short || !(thrown instanceof Failure)) throw thrown
  }
  m.console = console
  throw new Failure('wasm_execution_error', 'eos-vm system failure: unreachable')
}

const CRYPTO = new Set([63, 64, 65, 66, 67, 68, 69, 70])

function actionOperation(m: Machine, op: number, setting: Setting): void {
  switch (op) {
    case 4:
      return setting.notify(m.u64())
    case 8:
      return setting.send(m.bytes())
    case 3:
      return m.print(Number(setting.authorizers.includes(m.u64())))
    case 5:
      return m.print(Number(setting.accounts.includes(m.u64())))
    case 6:
      return m.print(setting.receiver)
    case 7:
      return m.print(setting.action_data_size)
    case 13: {
      const value = m.bytes()
      if (setting.before_features) notLinked(m, () => {})
      if (value.length > MAX_RETURN_VALUE) {
        const text = `action return value size must be less or equal to ${MAX_RETURN_VALUE} bytes`
        throw new Failure('action_return_value_exception', text)
      }
      m.return_value = value.slice()
      return
    }
    case 42: {
      const condition = m.u32()
      const text = Buffer.from(m.bytes().slice(0, -1)).toString('latin1').split('\0')[0]!
      if (condition === 0) assertion(text)
      return
    }
    case 43: {
      const condition = m.u32()
      const text = Buffer.from(m.bytes()).toString('latin1')
      if (condition === 0) assertion(text)
      return
    }
    case 44:
      return assertCode(m.u32(), m.u64())
    case 45:
      m.u32()
      throw new Exit()
    case 46:
      throw new Failure('abort_called', 'abort() called')
    default:
      assertion('probe: unknown op')
  }
}

function assertCode(condition: number, code: bigint): void {
  if (condition !== 0) return
  if (code >= SYSTEM_ERRORS) {
    const text = `eosio_assert_code called with reserved error code: ${code}`
    throw new Failure('restricted_error_code_exception', text)
  }
  const text = `assertion failure with error code: ${code}`
  throw new Failure('eosio_assert_code_exception', text)
}

function printOperation(m: Machine, op: number): void {
  switch (op) {
    case 47:
      return m.print(Buffer.from(m.bytes()).toString('latin1'))
    case 48:
      return m.print(BigInt.asIntN(64, m.u64()))
    case 49:
      return m.print(m.u64())
    case 50: {
      const value = m.integer(16)
      return m.print(`${BigInt.asIntN(128, value)},${value}`)
    }
    case 51:
      return m.print(scientificText(m.integer(4), FLOAT32, 6))
    case 52:
      return m.print(scientificText(m.u64(), FLOAT64, 15))
    case 53:
      return m.print(quadText(m.integer(16)))
    case 54:
      return m.print(nameText(m.u64()))
    default:
      return m.print(hexText(m.bytes()))
  }
}

function hashOperation(m: Machine, op: number): void {
  if (op < 60) return m.print(hashOf(HASHES[op - 56]!, m.bytes()).toString('hex'))
  const name = HASHES[Math.min(m.u8(), 3)]!
  const data = m.bytes()
  const hash = hashOf(name, data)
  const expected = m.bytes().subarray(0, hash.length)
  if (!hash.equals(expected)) throw new Failure('crypto_api_exception', 'hash mismatch')
}

function numberOperation(m: Machine, op: number): void {
  switch (op) {
    case 100:
      return wideOperation(m)
    case 101:
      return quadComparison(m)
    case 102:
      return conversion(m)
    case 103:
      return floatOperation(m, 8)
    case 104:
      return floatOperation(m, 4)
    case 105:
      return memoryOperation(m)
    case 107:
      return m.print(m.u32())
    case 109:
      return integerOperation(m)
    default:
      assertion('probe: unknown op')
  }
}

/** Copies and comparisons within the buffer. */
function memoryOperation(m: Machine): void {
  const f = m.u8() & 3
  const [to, from, length] = [m.u32(), m.u32(), m.u32()] as const
  const { buffer } = m
  if (f === 0 && Math.abs(to - from) < length) {
    const text = 'memcpy can only accept non-aliasing pointers'
    throw new Failure('overlapping_memory_error', text)
  }
  if (f < 2) buffer.copyWithin(to, from, from + length)
  else if (f === 2) buffer.fill(from, to, to + length)
  else {
    const parts = [to, from].map((at) => Buffer.from(buffer.subarray(at, at + length)))
    m.print(Buffer.compare(parts[0]!, parts[1]!))
  }
}
