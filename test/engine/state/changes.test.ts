import { expect } from 'chai'
import fc from 'fast-check'
import { ChangeReader, ChangeWriter } from '../../../src/engine/state/changes.ts'
import type { ChangeSet } from '../../../src/engine/state/changes.ts'
import { createDatabase } from '../../../src/engine/state/database.ts'
import type { Database } from '../../../src/engine/state/database.ts'
import { OBJECT_TABLES } from '../../../src/engine/state/tables.ts'
import type { ObjectTableName } from '../../../src/engine/state/tables.ts'
import { fillEveryTable } from './every_table.ts'
import { RowShadow, rowsOf } from './row_shadow.ts'

function apply(target: Database, set: ChangeSet): void {
  const reader = new ChangeReader(set.bytes)
  let count = 0
  while (reader.next()) {
    const value = reader.value()
    if (value) target.putRow(reader.table, reader.key(), value)
    else target.removeRow(reader.table, reader.key())
    count++
  }
  expect(count).equal(set.count)
  for (const [table, next_id] of set.next_ids) target.loadNextId(table, next_id)
}

/** Everything in a database, as text. */
function contents(db: Database): unknown {
  const rows: unknown[] = []
  for (const name of Object.keys(OBJECT_TABLES) as ObjectTableName[]) {
    rows.push(name, db[name].next_id, [...db[name].all()])
  }
  for (let t_id = 0; t_id < 4; t_id++) {
    const { key_value, index256, index_double } = db
    for (let row = key_value.first(t_id); row >= 0; row = key_value.next(row)) {
      rows.push([t_id, key_value.primary(row), key_value.payer(row), key_value.value(row).slice()])
    }
    for (let row = index256.firstSecondary(t_id); row >= 0; row = index256.nextSecondary(row)) {
      rows.push([t_id, index256.primary(row), index256.payer(row), index256.secondary(row)])
    }
    const next = (row: number) => index_double.nextSecondary(row)
    for (let row = index_double.firstSecondary(t_id); row >= 0; row = next(row)) {
      rows.push([t_id, index_double.primary(row), index_double.secondary(row)])
    }
  }
  return rows
}

const ACTIONS = [
  'insert',
  'insert',
  'update',
  'remove',
  'create',
  'modify',
  'drop',
  'nest',
  'end',
] as const

describe('state: change sets', () => {
  it('leave a short buffer, unless all of them are long', () => {
    const table = {
      rows: { has: () => true },
      storedKey: () => 0,
      storedSize: () => 1000,
      copyStored: (row: number, out: Uint8Array, at: number) => out.fill(row, at, at + 1000),
    }
    for (const [writer, keeps] of [
      [new ChangeWriter(), false],
      [new ChangeWriter(Infinity), true],
    ] as const) {
      for (let row = 0; row < 2000; row++) writer.add({ number: 1, table }, row)
      expect(writer.bytes).greaterThan(1 << 20)
      expect(writer.finish([]).bytes.length).equal(2000 * 1006)
      expect(writer.bytes > 1 << 20).equal(keeps)
      writer.add({ number: 1, table }, 7)
      expect(writer.finish([]).bytes.subarray(6)).deep.equal(new Uint8Array(1000).fill(7))
    }
  })

  it('carry every table over to an empty database', () => {
    const db = createDatabase()
    const session = db.startSession()
    fillEveryTable(db)
    const set = db.collectChanges()
    session.push()
    const copy = createDatabase()
    apply(copy, set)
    expect(contents(copy)).deep.equal(contents(db))
    const dumped = createDatabase()
    for (const part of db.allRows(7)) apply(dumped, part)
    expect(contents(dumped)).deep.equal(contents(db))
  })

  it('and deltas of each session, applied in order, give the same state', () => {
    const step = fc.record({
      action: fc.constantFrom(...ACTIONS),
      t_id: fc.nat(3),
      primary: fc.bigInt(0n, 4n),
      value: fc.uint8Array({ maxLength: 30 }),
      commit: fc.boolean(),
      squash: fc.boolean(),
      undo: fc.boolean(),
    })
    const blocks = fc.array(fc.array(step, { maxLength: 25, size: 'max' }), {
      maxLength: 6,
      size: 'max',
    })
    const property = fc.property(blocks, (list) => {
      const db = createDatabase()
      const copy = createDatabase()
      const shadow = new RowShadow()
      for (const [i, steps] of list.entries()) {
        const before = rowsOf(db)
        const block = db.startSession()
        const nested = []
        for (const { action, t_id, primary, value, squash } of steps) {
          const row = db.key_value.find(t_id, primary)
          const object = db.account_ram_correction.find('by_name', primary)
          if (action === 'insert' && row < 0) db.key_value.insert(t_id, primary, 1n, value)
          if (action === 'update' && row >= 0) db.key_value.update(row, primary, value)
          if (action === 'remove' && row >= 0) db.key_value.remove(row)
          if (action === 'create' && !object) {
            db.account_ram_correction.create({ name: primary, ram_correction: 0n })
          }
          if (action === 'modify' && object) {
            db.account_ram_correction.modify(object, (r) => (r.ram_correction += 1n))
          }
          if (action === 'drop' && object) db.account_ram_correction.remove(object)
          if (action === 'nest') nested.push(db.startSession())
          if (action === 'end') {
            const inner = nested.pop()
            if (squash) inner?.squash()
            else inner?.undo()
          }
        }
        while (nested.length > 0) nested.pop()!.squash()
        apply(copy, db.collectChanges())
        shadow.apply(String(i), db.deltas())
        expect(shadow.rows).deep.equal(rowsOf(db))
        if (steps[0]?.undo) {
          // What goes back by the deltas is what the undo log goes back to.
          shadow.undone(String(i))
          expect(shadow.rows).deep.equal(before)
          shadow.apply(String(i), db.deltas())
        }
        block.push()
        if (steps[0]?.commit) db.commit(db.revision)
        expect(contents(copy)).deep.equal(contents(db))
      }
    })
    fc.assert(property, { numRuns: 150 })
  })

  it('that fill every table have a delta for each row', () => {
    const db = createDatabase()
    const shadow = new RowShadow()
    const session = db.startSession()
    fillEveryTable(db)
    shadow.apply('session', db.deltas())
    expect(shadow.rows).deep.equal(rowsOf(db))
    expect(shadow.rows.size).above(20)
    session.undo()
    shadow.undone('session')
    expect(shadow.rows.size).equal(0)
  })

  it('are refused when cut off', () => {
    const db = createDatabase()
    const session = db.startSession()
    db.key_value.insert(1, 2n, 3n, new Uint8Array(10))
    const { bytes } = db.collectChanges()
    session.undo()
    for (let length = 1; length < bytes.length; length++) {
      expect(() => new ChangeReader(bytes.slice(0, length)).next(), `${length}`).throw(RangeError)
    }
  })

  it('of a state with unknown tables are refused', () => {
    const db = createDatabase()
    expect(() => db.putRow(99, new Uint8Array(8), new Uint8Array(1))).throw('unknown table 99')
  })
})
