import { expect } from 'chai'
import { createDatabase } from '../../../src/engine/state/database.ts'

const bytes = (size: number, fill = 1) => new Uint8Array(size).fill(fill)

describe('state: sessions', () => {
  it('count the revision as blocks do', () => {
    const db = createDatabase()
    db.setRevision(10)
    const block = db.startSession()
    expect([db.revision, db.depth]).deep.equal([11, 1])
    const transaction = db.startSession()
    expect(db.revision).equal(12)
    transaction.squash()
    expect(db.revision).equal(11)
    block.push()
    db.startSession().push()
    expect([db.revision, db.depth]).deep.equal([12, 2])
    db.commit(11)
    expect([db.revision, db.depth]).deep.equal([12, 1])
    db.commit(5)
    expect([db.revision, db.depth]).deep.equal([12, 1])
    db.undo()
    expect([db.revision, db.depth]).deep.equal([11, 0])
    expect(() => db.undo()).throw('a session is open')
    expect(() => db.commit(12)).throw('was done')
    db.startSession()
    expect(() => db.setRevision(20)).throw('no session')
  })

  it('end once, inner ones first', () => {
    const db = createDatabase()
    const outer = db.startSession()
    const inner = db.startSession()
    expect(() => outer.undo()).throw('inner sessions')
    inner.squash()
    expect(() => inner.undo()).throw('once')
    outer.undo()
    expect(() => outer.squash()).throw('once')
  })

  it('make changes final when the outermost is squashed', () => {
    const db = createDatabase()
    const session = db.startSession()
    const row = db.key_value.insert(1, 1n, 1n, bytes(5))
    session.squash()
    const next = db.startSession()
    db.key_value.update(row, 2n, bytes(9))
    next.undo()
    expect(db.key_value.payer(row)).equal(1n)
    expect(db.key_value.valueSize(row)).equal(5)
  })

  it('bring the same row number back', () => {
    const db = createDatabase()
    const rows = [1n, 2n, 3n].map((key) => db.key_value.insert(1, key, 1n, bytes(5)))
    const session = db.startSession()
    for (const row of rows) db.key_value.remove(row)
    for (const row of rows) expect(() => db.key_value.value(row)).throw('exists')
    const others = [4n, 5n, 6n].map((key) => db.key_value.insert(1, key, 1n, bytes(5)))
    expect(others.some((row) => rows.includes(row))).equal(false)
    session.undo()
    expect([1n, 2n, 3n].map((key) => db.key_value.find(1, key))).deep.equal(rows)
    expect(db.key_value.size).equal(3)
  })

  it('take everything back, to the last pushed', () => {
    const db = createDatabase()
    for (let i = 1n; i <= 4n; i++) {
      const session = db.startSession()
      db.key_value.insert(1, i, 1n, bytes(5))
      session.push()
    }
    db.commit(2)
    db.undoAll()
    expect(db.key_value.size).equal(2)
    expect(db.revision).equal(2)
  })

  it('keep little of the memory that undoing many changes would have taken', () => {
    const db = createDatabase()
    const { undo_log } = db.memory
    const session = db.startSession()
    for (let i = 0n; i < 70_000n; i++) {
      db.account_ram_correction.create({ name: i, ram_correction: 0n })
    }
    session.push()
    expect(db.memory.undo_log).greaterThan(1 << 20)
    db.commit(1)
    expect(db.memory.undo_log).equal(undo_log)
    db.startSession()
    db.account_ram_correction.create({ name: 70_000n, ram_correction: 0n })
    db.undo()
    expect(db.account_ram_correction.size).equal(70_000)
  })

  it('need no more memory however many blocks pass', () => {
    const db = createDatabase()
    const accounts = 50n
    for (let i = 0n; i < accounts; i++) {
      db.account_ram_correction.create({ name: i, ram_correction: 0n })
      db.key_value.insert(1, i, 1n, bytes(100))
    }
    const block = (n: number) => {
      const session = db.startSession()
      for (let t = 0n; t < 10n; t++) {
        const transaction = db.startSession()
        const name = (BigInt(n) * 7n + t) % accounts
        const account = db.account_ram_correction.get('by_name', name)
        db.account_ram_correction.modify(account, (row) => (row.ram_correction += 1n))
        const row = db.key_value.find(1, name)
        if (t % 3n === 0n) {
          db.key_value.remove(row)
          db.key_value.insert(1, name, 1n, bytes(50 + (n % 60)))
        } else {
          db.key_value.update(row, 1n, bytes(50 + (n % 60)))
          db.key_value.update(row, 1n, bytes(200))
        }
        db.index64.insert(2, BigInt(n) * 10n + t, 1n, name)
        if (t % 4n === 0n) transaction.undo()
        else transaction.squash()
      }
      for (let row = db.index64.first(2); row >= 0 && db.index64.size > 100;) {
        db.index64.remove(row)
        row = db.index64.first(2)
      }
      session.push()
      db.commit(db.revision - 5)
    }
    for (let n = 0; n < 200; n++) block(n)
    const settled = db.memory
    for (let n = 200; n < 3000; n++) block(n)
    expect(db.memory).deep.equal(settled)
  })
})
