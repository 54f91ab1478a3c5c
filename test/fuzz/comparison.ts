import { readFileSync } from 'node:fs'
import type { ActionTrace, TransactionTrace } from '../../src/engine/chain/base/trace.ts'
import { nameToString } from '../../src/engine/protocol/name.ts'
import { Writer } from '../../src/engine/protocol/writer.ts'
import type { SecondaryKey } from '../../src/engine/state/secondary_kind.ts'
import type { SecondaryTable } from '../../src/engine/state/secondary_table.ts'
import { FEATURE_SPECS } from '../../src/engine/protocol/features.ts'
import { WasmRuntime } from '../../src/engine/vm/runtime.ts'
import { Harness, action } from '../engine/chain/support/harness.ts'
import { NaiveTransaction } from './naive/transaction.ts'
import type { NaiveTrace, Sequences } from './naive/transaction.ts'
import { copyState, describeState, emptyState } from './naive/state.ts'
import type { Kind, NaiveState } from './naive/state.ts'
import { NAMES } from './names.ts'
import { randomProgram } from './programs.ts'
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
    const code = contract(this.before_features ? 'boot' : 'probe')
    for (const account of ['probe', 'bob']) this.harness.setCode(account, code)
  }

  /** Runs one program; answers how the two outcomes differ, undefined where they do not. */
  next(): string | undefined {
    const { harness, random } = this
    const program = randomProgram(random, this.state)
    const signs = random.once(2)
    if (random.once(10)) harness.nextBlock()
    const sequences = this.sequences()
    const levels = signs ? 'probe@active,alice@active' : 'probe@active'
    const data = new Writer()
    data.blob(program)
    const trace = harness.push([action('probe', 'run', levels, data.bytes())])
    const after = copyState(this.state)
    const naive = new NaiveTransaction(after, this.before_features, sequences, NAMES)
    const authorizers = signs ? [NAMES.contract, NAMES.signer] : [NAMES.contract]
    const error = naive.run({ account: NAMES.contract, authorizers, data: data.bytes() })
    if (!error) {
      this.state = after
      this.succeeded++
    }
    const difference =
      difference_of({ error: errorOf(trace) }, { error }) ??
      difference_of(trace.action_traces.map(traceOf), naive.traces) ??
      difference_of(this.rows(), describeState(this.state))
    return difference && `${difference}\n  program ${Buffer.from(program).toString('hex')}`
  }

  /** Sequence numbers that the next action has them after. */
  private sequences(): Sequences {
    const { db } = this.harness
    const received = new Map<bigint, bigint>()
    const authorized = new Map<bigint, bigint>()
    for (const account of Object.values(NAMES)) {
      const row = db.account_metadata.get('by_name', account)
      received.set(account, row.recv_sequence)
      authorized.set(account, row.auth_sequence)
    }
    const global = db.dynamic_global_property.single().global_action_sequence
    return { global, received, authorized }
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
        const order: bigint[] = []
        for (let row = rows_of_kind.firstSecondary(id); row >= 0;) {
          order.push(rows_of_kind.primary(row))
          row = rows_of_kind.nextSecondary(row)
        }
        if (order.length > 0)
          rows.push(`${[code, scope, table].join('/')} ${kind}: ${order.join()}`)
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

const errorOf = ({ except }: TransactionTrace): string | undefined =>
  except && `${except.errorName}: ${except.message}`

function traceOf(trace: ActionTrace): NaiveTrace {
  const { receipt } = trace
  return {
    ordinal: trace.action_ordinal,
    creator: trace.creator_action_ordinal,
    closest: trace.closest_unnotified_ancestor_action_ordinal,
    receiver: trace.receiver,
    account: trace.act.account,
    console: trace.console,
    return_value: Buffer.from(trace.return_value).toString('hex'),
    ram: trace.account_ram_deltas.map(({ account, delta }) => [account, delta]),
    sequences: receipt && [
      receipt.global_sequence,
      receipt.recv_sequence,
      ...receipt.auth_sequence.map(([, sequence]) => sequence),
    ],
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
