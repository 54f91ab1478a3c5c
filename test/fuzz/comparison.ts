import { readFileSync } from 'node:fs'
import type { ActionTrace, TransactionTrace } from '../../src/engine/chain/trace.ts'
import { nameToString } from '../../src/engine/protocol/name.ts'
import { Writer } from '../../src/engine/protocol/writer.ts'
import type { SecondaryKey } from '../../src/engine/state/secondary_kind.ts'
import type { SecondaryTable } from '../../src/engine/state/secondary_table.ts'
import { FEATURE_SPECS } from '../../src/engine/chain/features/specs.ts'
import { WasmRuntime } from '../../src/engine/vm/runtime.ts'
import { Harness, action } from '../engine/chain/harness.ts'
import { interpret } from './naive/interpreter.ts'
import type { Outcome, Setting } from './naive/interpreter.ts'
import { describeState, emptyState } from './naive/state.ts'
import type { Kind, NaiveState } from './naive/state.ts'
import { NAMES, randomProgram } from './programs.ts'
import { Random } from './random.ts'

/** Links every function, or only those that were there from the start. */
const contract = (name: 'probe' | 'boot'): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../fixtures/probe/${name}.wasm`, import.meta.url)))

/** One seed in so many begins before the protocol features but the first. */
const BEFORE_FEATURES = 4
const FIRST = ['PREACTIVATE_FEATURE'] as const

/**
 * Runs random programs on the engine and on the naive interpreter, one after the other on the same
 * state, and compares all that they leave behind. The seed determines everything.
 */
export class Comparison {
  private readonly harness: Harness
  private readonly random: Random
  private readonly before_features: boolean
  private state: NaiveState = emptyState()
  /** How many programs did not fail. */
  succeeded = 0

  constructor(seed: number, runtime: WasmRuntime = new WasmRuntime()) {
    this.random = new Random(seed)
    this.before_features = seed % BEFORE_FEATURES === 0
    const features = this.before_features ? FIRST : FEATURE_SPECS.map(({ name }) => name)
    this.harness = new Harness({ runtime, features })
    this.harness.createAccount('probe', 'alice', 'bob')
    this.harness.setCode('probe', contract(this.before_features ? 'boot' : 'probe'))
  }

  /** Runs one program; answers how the two outcomes differ, undefined where they do not. */
  next(): string | undefined {
    const program = randomProgram(this.random)
    const signs = this.random.once(2)
    if (this.random.once(10)) this.harness.nextBlock()
    const levels = signs ? 'probe@active,alice@active' : 'probe@active'
    const data = new Writer()
    data.blob(program)
    const trace = this.harness.push([action('probe', 'run', levels, data.bytes())])
    const setting: Setting = {
      receiver: NAMES.contract,
      authorizers: signs ? [NAMES.contract, NAMES.signer] : [NAMES.contract],
      accounts: Object.values(NAMES),
      action_data_size: data.length,
      before_features: this.before_features,
    }
    const naive = interpret(program, this.state, setting)
    this.state = naive.state
    if (!naive.outcome.error) this.succeeded++
    const difference =
      difference_of(outcomeOf(trace), naive.outcome) ??
      difference_of(this.rows(), describeState(this.state))
    return difference && `${difference}\n  program ${Buffer.from(program).toString('hex')}`
  }

  /** Rows of the contract's tables, described as the naive ones are. */
  private rows(): string[] {
    const { db } = this.harness
    const rows: string[] = []
    for (const { id, code, scope, table, payer } of db.table_id.all()) {
      const place = [code, scope, table, payer].join('/')
      for (let row = db.key_value.first(id); row >= 0; row = db.key_value.next(row)) {
        const value = Buffer.from(db.key_value.value(row)).toString('hex')
        rows.push(`${place} i64 ${db.key_value.primary(row)} ${db.key_value.payer(row)} ${value}`)
      }
      const add = <K extends SecondaryKey>(kind: Kind, rows_of_kind: SecondaryTable<K>): void => {
        for (let row = rows_of_kind.first(id); row >= 0; row = rows_of_kind.next(row)) {
          const key = rows_of_kind.secondary(row)
          const whole = typeof key === 'bigint' ? key : key[0] | (key[1] << 128n)
          const [primary, owner] = [rows_of_kind.primary(row), rows_of_kind.payer(row)]
          rows.push(`${place} ${kind} ${primary} ${owner} ${whole}`)
        }
      }
      add('idx64', db.index64)
      add('idx128', db.index128)
      add('idx256', db.index256)
      add('idx_double', db.index_double)
      add('idx_long_double', db.index_long_double)
    }
    return rows.sort()
  }
}

function outcomeOf(trace: TransactionTrace): Outcome {
  const first: ActionTrace = trace.action_traces[0]!
  const { except } = trace
  return {
    console: first.console,
    return_value: Buffer.from(first.return_value).toString('hex'),
    error: except && `${except.errorName}: ${except.message}`,
    ram: first.account_ram_deltas.map(({ account, delta }) => [account, delta]),
  }
}

function difference_of(engine: object, naive: object): string | undefined {
  for (const key of new Set([...Object.keys(engine), ...Object.keys(naive)])) {
    const [a, b] = [engine, naive].map((o) => show((o as Record<string, unknown>)[key]))
    if (a !== b) return `${key}:\n  engine ${a}\n  naive  ${b}`
  }
  return undefined
}

function show(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint' ? nameToString(part) || String(part) : part,
  )
}
