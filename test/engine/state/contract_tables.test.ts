import { expect } from 'chai'
import fc from 'fast-check'
import { createDatabase } from '../../../src/engine/state/database.ts'
import type { Database } from '../../../src/engine/state/database.ts'
import type { Session } from '../../../src/engine/state/session.ts'
import type { SecondaryKey } from '../../../src/engine/state/secondary_kind.ts'
import type { SecondaryTable } from '../../../src/engine/state/secondary_table.ts'

interface ModelRow {
  t_id: number
  primary: bigint
  payer: bigint
  content: Uint8Array | SecondaryKey
}

type SecondaryName = 'index64' | 'index128' | 'index256' | 'index_double' | 'index_long_double'
const SECONDARY = ['index64', 'index128', 'index256', 'index_double', 'index_long_double'] as const

const bits64 = (value: number) => new BigUint64Array(new Float64Array([value]).buffer)[0]!
const DOUBLES = [-Infinity, -1e300, -1.5, -1, -5e-324, -0, 0, 5e-324, 1, 1.5, 1e300, Infinity]

/** Quadruples with the value of a double: the exponent widened, the fraction shifted. */
function bits128(value: number): bigint {
  const bits = bits64(value)
  const sign = (bits >> 63n) << 127n
  const exponent = (bits >> 52n) & 0x7ffn
  const fraction = (bits & 0xfffffffffffffn) << 60n
  if (exponent === 0n) return sign | fraction
  const wide = exponent === 0x7ffn ? 0x7fffn : exponent - 1023n + 16383n
  return sign | (wide << 112n) | fraction
}

/** Order of secondary keys, told in the simplest way. */
const ORDER: Record<SecondaryName, (a: SecondaryKey, b: SecondaryKey) => number> = {
  index64: (a, b) => compare(a as bigint, b as bigint),
  index128: (a, b) => compare(a as bigint, b as bigint),
  index256: (a, b) => {
    const [x, y] = [a as readonly [bigint, bigint], b as readonly [bigint, bigint]]
    return compare(x[0], y[0]) || compare(x[1], y[1])
  },
  index_double: (a, b) => compare(double(a as bigint), double(b as bigint)),
  index_long_double: (a, b) => compare(quadruple(a as bigint), quadruple(b as bigint)),
}

function compare<T extends bigint | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function double(bits: bigint): number {
  return new Float64Array(new BigUint64Array([bits]).buffer)[0]!
}

/** Rows with their values as text: much quicker to compare than arrays. */
function asText(rows: readonly ModelRow[]): unknown[] {
  return rows.map(({ content, ...rest }) => ({
    ...rest,
    content: content instanceof Uint8Array ? Buffer.from(content).toString('latin1') : content,
  }))
}

/** Sign and magnitude as one integer: orders as the number does. */
function quadruple(bits: bigint): bigint {
  const magnitude = bits & ((1n << 127n) - 1n)
  return bits >> 127n ? -magnitude : magnitude
}

const u64 = fc.oneof(fc.bigInt(0n, 3n), fc.bigInt(0n, (1n << 64n) - 1n))
const u128 = fc.oneof(fc.bigInt(0n, 3n), fc.bigInt(0n, (1n << 128n) - 1n))
const KEYS: Record<SecondaryName, fc.Arbitrary<SecondaryKey>> = {
  index64: u64,
  index128: u128,
  index256: fc.tuple(u128, u128),
  index_double: fc.oneof(
    fc.constantFrom(...DOUBLES.map(bits64)),
    fc.double({ noNaN: true }).map(bits64),
  ),
  index_long_double: fc.oneof(
    fc.constantFrom(...DOUBLES.map(bits128)),
    fc.double({ noNaN: true }).map(bits128),
    u128.filter((bits) => ((bits >> 112n) & 0x7fffn) !== 0x7fffn),
  ),
}

const value = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.nat(2000).map((size) => new Uint8Array(size).fill(size)),
  fc.constantFrom(new Uint8Array(0), new Uint8Array(300_000).fill(7)),
)

const action = fc.constantFrom<Action>(
  ...([
    'insert',
    'insert',
    'insert',
    'update',
    'update',
    'remove',
    'start',
    'squash',
    'undo',
  ] as const),
  ...(['push', 'pop', 'commit'] as const),
)
type Action = 'insert' | 'update' | 'remove' | SessionAction
type SessionAction = 'start' | 'squash' | 'undo' | 'push' | 'pop' | 'commit'

interface Step {
  action: Action
  t_id: number
  primary: bigint
  payer: bigint
  content: Uint8Array | SecondaryKey
}

/** A table under test, through the calls that all of them have. */
interface Table {
  name: 'key_value' | SecondaryName
  insert(t_id: number, primary: bigint, payer: bigint, content: ModelRow['content']): number
  update(row: number, payer: bigint, content: ModelRow['content']): void
  read(row: number): ModelRow
}

function tableOf(db: Database, name: Table['name']): Table {
  if (name === 'key_value') {
    const table = db.key_value
    return {
      name,
      insert: (t_id, primary, payer, content) =>
        table.insert(t_id, primary, payer, content as Uint8Array),
      update: (row, payer, content) => table.update(row, payer, content as Uint8Array),
      read: (row) => {
        expect(table.valueSize(row)).equal(table.value(row).length)
        return { ...common(table, row), content: table.value(row).slice() }
      },
    }
  }
  const table = db[name] as SecondaryTable<SecondaryKey>
  return {
    name,
    insert: (t_id, primary, payer, content) =>
      table.insert(t_id, primary, payer, content as SecondaryKey),
    update: (row, payer, content) => table.update(row, payer, content as SecondaryKey),
    read: (row) => ({ ...common(table, row), content: table.secondary(row) }),
  }
}

function common(table: Database['key_value'] | SecondaryTable<SecondaryKey>, row: number) {
  return { t_id: table.t_id(row), primary: table.primary(row), payer: table.payer(row) }
}

/** Rows sorted by (t_id, primary); every change makes a new array, so levels of undo are arrays. */
class Model {
  rows: readonly ModelRow[] = []
  levels: (readonly ModelRow[])[] = []

  find(t_id: number, primary: bigint): ModelRow | undefined {
    return this.rows.find((row) => row.t_id === t_id && row.primary === primary)
  }

  put(row: ModelRow): void {
    this.remove(row)
    this.rows = [...this.rows, row].sort((a, b) => a.t_id - b.t_id || compare(a.primary, b.primary))
  }

  remove(row: ModelRow): void {
    this.rows = this.rows.filter((r) => r.t_id !== row.t_id || r.primary !== row.primary)
  }
}

function expectPrimaryOrder(db: Database, table: Table, model: Model, probe: Step): void {
  const subject = db[table.name]
  expect(subject.size).equal(model.rows.length)
  for (const t_id of [0, 1, 2]) {
    const expected = model.rows.filter((row) => row.t_id === t_id)
    const found: ModelRow[] = []
    for (let row = subject.first(t_id); row >= 0; row = subject.next(row)) {
      found.push(table.read(row))
    }
    expect(asText(found)).deep.equal(asText(expected))
    const back: ModelRow[] = []
    for (let row = subject.last(t_id); row >= 0; row = subject.prev(row)) back.push(table.read(row))
    expect(asText(back.reverse())).deep.equal(asText(expected))
    const primaryAt = (row: number) => (row < 0 ? undefined : subject.primary(row))
    const key = probe.primary
    expect(primaryAt(subject.find(t_id, key))).equal(
      expected.find((row) => row.primary === key)?.primary,
    )
    expect(primaryAt(subject.lowerBound(t_id, key))).equal(
      expected.find((row) => row.primary >= key)?.primary,
    )
    expect(primaryAt(subject.upperBound(t_id, key))).equal(
      expected.find((row) => row.primary > key)?.primary,
    )
  }
}

function expectSecondaryOrder(db: Database, table: Table, model: Model, probe: SecondaryKey): void {
  const name = table.name as SecondaryName
  const subject = db[name] as SecondaryTable<SecondaryKey>
  const order = ORDER[name]
  for (const t_id of [0, 1, 2]) {
    const expected = model.rows
      .filter((row) => row.t_id === t_id)
      .sort(
        (a, b) =>
          order(a.content as SecondaryKey, b.content as SecondaryKey) ||
          compare(a.primary, b.primary),
      )
    const found: ModelRow[] = []
    for (let row = subject.firstSecondary(t_id); row >= 0; row = subject.nextSecondary(row)) {
      found.push(table.read(row))
    }
    expect(asText(found)).deep.equal(asText(expected))
    const back: ModelRow[] = []
    for (let row = subject.lastSecondary(t_id); row >= 0; row = subject.prevSecondary(row)) {
      back.push(table.read(row))
    }
    expect(asText(back.reverse())).deep.equal(asText(expected))
    const primaryAt = (row: number) => (row < 0 ? undefined : subject.primary(row))
    const keyOf = (row: ModelRow) => row.content as SecondaryKey
    expect(primaryAt(subject.findSecondary(t_id, probe))).equal(
      expected.find((row) => order(keyOf(row), probe) === 0)?.primary,
    )
    expect(primaryAt(subject.lowerBoundSecondary(t_id, probe))).equal(
      expected.find((row) => order(keyOf(row), probe) >= 0)?.primary,
    )
    expect(primaryAt(subject.upperBoundSecondary(t_id, probe))).equal(
      expected.find((row) => order(keyOf(row), probe) > 0)?.primary,
    )
  }
}

/** Runs the steps on the database and on the model, and compares all that can be seen. */
function run(name: Table['name'], steps: Step[]): void {
  const db = createDatabase()
  const table = tableOf(db, name)
  const model = new Model()
  /** Sessions that are held; sessions below them were pushed. */
  let held: Session[] = []
  for (const step of steps) {
    const { t_id, primary, payer, content } = step
    const known = model.find(t_id, primary)
    const row = db[name].find(t_id, primary)
    const top = held.at(-1)
    switch (step.action) {
      case 'insert':
        if (known) {
          expect(() => table.insert(t_id, primary, payer, content)).throw('uniqueness')
        } else {
          expect(asText([table.read(table.insert(t_id, primary, payer, content))])).deep.equal(
            asText([{ t_id, primary, payer, content }]),
          )
          model.put({ t_id, primary, payer, content })
        }
        break
      case 'update':
        if (!known) break
        table.update(row, payer, content)
        expect(asText([table.read(row)])).deep.equal(asText([{ t_id, primary, payer, content }]))
        model.put({ t_id, primary, payer, content })
        break
      case 'remove':
        if (!known) break
        db[name].remove(row)
        model.remove(known)
        break
      case 'start':
        held.push(db.startSession())
        model.levels.push(model.rows)
        break
      case 'squash':
        if (!top) break
        held.pop()!.squash()
        model.levels.pop()
        break
      case 'undo':
        if (!top) break
        held.pop()!.undo()
        model.rows = model.levels.pop()!
        break
      case 'push':
        // Push all, innermost first: then they are as blocks.
        for (const session of held.reverse()) expectPushable(session, held)
        held = []
        break
      case 'pop':
        if (held.length > 0 || db.depth === 0) break
        db.undo()
        model.rows = model.levels.pop()!
        break
      case 'commit':
        if (held.length > 0) break
        db.commit(db.revision - (db.depth >> 1))
        model.levels = model.levels.slice(model.levels.length - db.depth)
    }
    expect(db.depth).equal(model.levels.length)
    expectPrimaryOrder(db, table, model, step)
    if (name !== 'key_value') expectSecondaryOrder(db, table, model, content as SecondaryKey)
  }
}

/** Only the innermost session may be pushed, and then it stays open: so only one can be. */
function expectPushable(session: Session, held: Session[]): void {
  if (session === held[0]) session.push()
  else expect(() => session.push()).throw('inner sessions')
}

function steps(content: fc.Arbitrary<Step['content']>): fc.Arbitrary<Step[]> {
  const primary = fc.oneof(
    fc.bigInt(0n, 6n),
    fc.constantFrom(1n << 32n, 1n << 63n, (1n << 64n) - 1n),
  )
  const step = fc.record({ action, t_id: fc.nat(2), primary, payer: u64, content })
  return fc.array(step, { maxLength: 60, size: 'max' })
}

describe('state: contract tables', () => {
  it('key_value agrees with a sorted array under nested undo', () => {
    fc.assert(
      fc.property(steps(value), (list) => run('key_value', list)),
      { numRuns: 150 },
    )
  })

  for (const name of SECONDARY) {
    it(`${name} agrees with a sorted array under nested undo`, () => {
      fc.assert(
        fc.property(steps(KEYS[name]), (list) => run(name, list)),
        { numRuns: 80 },
      )
    })
  }
})
