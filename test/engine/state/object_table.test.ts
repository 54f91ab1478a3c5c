import { expect } from 'chai'
import fc from 'fast-check'
import { ChainError } from '../../../src/engine/errors.ts'
import { createDatabase } from '../../../src/engine/state/database.ts'
import type { Database } from '../../../src/engine/state/database.ts'
import type { Row } from '../../../src/engine/state/object_table.ts'
import type { GeneratedTransaction } from '../../../src/engine/state/rows.ts'
import type { Session } from '../../../src/engine/state/session.ts'

type Fields = GeneratedTransaction
type ModelRow = Fields & { id: number }

const digest = fc.nat(5).map((n) => new Uint8Array(32).fill(n))
const time = fc.oneof(fc.nat(3), fc.integer({ min: 0, max: 2 ** 50 }))
const fields: fc.Arbitrary<Fields> = fc.record({
  trx_id: digest,
  sender: fc.bigInt(0n, 3n),
  sender_id: fc.oneof(fc.bigInt(0n, 3n), fc.bigInt(0n, (1n << 128n) - 1n)),
  payer: fc.bigInt(0n, (1n << 64n) - 1n),
  delay_until: time,
  expiration: time,
  published: time,
  packed_trx: fc.uint8Array({ maxLength: 200 }),
})

type Action = 'create' | 'modify' | 'fail' | 'remove' | 'start' | 'squash' | 'undo' | 'trim'
const ACTIONS: Action[] = [
  'create',
  'create',
  'modify',
  'modify',
  'fail',
  'remove',
  'start',
  'squash',
  'undo',
  'trim',
]
const step = fc.record({ action: fc.constantFrom(...ACTIONS), pick: fc.nat(), fields })

function sortedBy(rows: ModelRow[], key: (row: ModelRow) => (bigint | number | string)[]) {
  return [...rows].sort((a, b) => {
    const [x, y] = [key(a), key(b)]
    for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return x[i]! < y[i]! ? -1 : 1
    return 0
  })
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

const KEYS = {
  by_id: (row: ModelRow) => [row.id],
  by_trx_id: (row: ModelRow) => [hex(row.trx_id)],
  by_expiration: (row: ModelRow) => [row.expiration, row.id],
  by_delay: (row: ModelRow) => [row.delay_until, row.id],
  by_sender_id: (row: ModelRow) => [row.sender, row.sender_id],
} as const
const INDICES = Object.keys(KEYS) as (keyof typeof KEYS)[]

/** Whether another row than `id` has one of the unique keys. */
function collides(rows: ModelRow[], row: Fields, id: number): boolean {
  return rows.some(
    (other) =>
      other.id !== id &&
      (hex(other.trx_id) === hex(row.trx_id) ||
        (other.sender === row.sender && other.sender_id === row.sender_id)),
  )
}

function expectSame(db: Database, rows: ModelRow[], next_id: number): void {
  const table = db.generated_transaction
  expect(table.size).equal(rows.length)
  expect(table.next_id).equal(next_id)
  for (const index of INDICES) {
    const expected = sortedBy(rows, KEYS[index])
    expect([...table.all(index)]).deep.equal(expected)
    expect([...table.all(index, true)]).deep.equal([...expected].reverse())
    const walked: Row<Fields>[] = []
    for (let row = table.first(index); row; row = table.next(index, row)) walked.push(row)
    expect(walked).deep.equal(expected)
    walked.length = 0
    for (let row = table.last(index); row; row = table.prev(index, row)) walked.push(row)
    expect(walked).deep.equal([...expected].reverse())
  }
  for (const row of rows) {
    expect(table.byId(row.id)).deep.equal(row)
    expect(table.find('by_trx_id', row.trx_id)).equal(table.byId(row.id))
    expect(table.get('by_sender_id', row.sender, row.sender_id)).equal(table.byId(row.id))
  }
  // Keys that rows had before, or may get, are found where rows have them, and only there.
  for (let n = 0; n <= 5; n++) {
    const trx_id = new Uint8Array(32).fill(n)
    const owner = rows.find((row) => hex(row.trx_id) === hex(trx_id))
    expect(table.find('by_trx_id', trx_id)).equal(owner && table.byId(owner.id))
  }
  for (let key = 0n; key < 16n; key++) {
    const [sender, sender_id] = [key / 4n, key % 4n]
    const owner = rows.find((row) => row.sender === sender && row.sender_id === sender_id)
    expect(table.find('by_sender_id', sender, sender_id)).equal(owner && table.byId(owner.id))
  }
}

describe('state: object table', () => {
  it('agrees with an array of objects under nested undo, with four indices', () => {
    const property = fc.property(fc.array(step, { maxLength: 50, size: 'max' }), (steps) => {
      const db = createDatabase()
      const table = db.generated_transaction
      const sessions: Session[] = []
      const levels: { rows: ModelRow[]; next_id: number }[] = []
      let rows: ModelRow[] = []
      let next_id = 0
      for (const { action, pick, fields: wanted } of steps) {
        const chosen = rows[pick % (rows.length || 1)]
        switch (action) {
          case 'create':
            if (collides(rows, wanted, -1)) {
              expect(() => table.create(wanted)).throw(ChainError, 'uniqueness')
              break
            }
            expect(table.create(wanted)).deep.equal({ ...wanted, id: next_id })
            rows = [...rows, { ...wanted, id: next_id++ }]
            break
          case 'modify': {
            if (!chosen) break
            const live = table.getById(chosen.id)
            const change = () => table.modify(live, (row) => Object.assign(row, wanted))
            if (collides(rows, wanted, chosen.id)) {
              expect(change).throw(ChainError, 'uniqueness')
              break
            }
            expect(change()).equal(live)
            rows = rows.map((row) => (row === chosen ? { ...wanted, id: chosen.id } : row))
            break
          }
          case 'fail': {
            if (!chosen) break
            const live = table.getById(chosen.id)
            const change = () =>
              table.modify(live, (row) => {
                Object.assign(row, wanted)
                throw new Error('midway')
              })
            expect(change).throw('midway')
            break
          }
          case 'remove':
            if (!chosen) break
            table.remove(table.getById(chosen.id))
            rows = rows.filter((row) => row !== chosen)
            break
          case 'start':
            sessions.push(db.startSession())
            levels.push({ rows, next_id })
            break
          case 'squash':
            sessions.pop()?.squash()
            levels.pop()
            break
          case 'undo':
            if (sessions.length === 0) break
            sessions.pop()!.undo()
            rows = levels.at(-1)!.rows
            next_id = levels.pop()!.next_id
            break
          case 'trim':
            db.trimCaches(pick % 4)
        }
        expectSame(db, rows, next_id)
      }
    })
    fc.assert(property, { numRuns: 150 })
  })

  it('keeps 20,000 decoded rows when its cache is trimmed, whichever way they came', () => {
    const db = createDatabase()
    const { permission_usage: table } = db
    const create = () => table.create({ last_used: 5 })
    const first = create()
    for (let i = 1; i < 20_000; i++) create()
    db.trimCaches()
    expect(table.getById(0)).equal(first)
    create()
    db.trimCaches()
    // The oldest one was dropped, so it is decoded again, which makes one too many.
    const second = table.getById(1)
    const again = table.getById(0)
    expect(again).not.equal(first)
    expect(again).deep.equal(first)
    db.trimCaches()
    expect(table.getById(1)).not.equal(second)
    expect(table.getById(0)).equal(again)
  })

  it('gives ids in order, never twice, and again only after undo', () => {
    const db = createDatabase()
    const create = () => db.permission_usage.create({ last_used: 5 })
    expect([create().id, create().id]).deep.equal([0, 1])
    db.permission_usage.remove(db.permission_usage.getById(1))
    expect(create().id).equal(2)
    const session = db.startSession()
    expect([create().id, create().id]).deep.equal([3, 4])
    db.permission_usage.remove(db.permission_usage.getById(4))
    expect(create().id).equal(5)
    session.undo()
    expect(create().id).equal(3)
    const kept = db.startSession()
    expect(create().id).equal(4)
    kept.squash()
    expect(create().id).equal(5)
  })

  it('adds equal rows at once as if one by one', () => {
    const [one, other] = [createDatabase(), createDatabase()]
    const block_id = new Uint8Array(32).fill(7)
    for (const db of [one, other]) db.block_summary.create({ block_id: new Uint8Array(32) })
    for (let i = 0; i < 100; i++) one.block_summary.create({ block_id })
    other.block_summary.createEqual({ block_id }, 100)
    const rows = (db: Database) =>
      [...db.block_summary.allPacked()].map(({ id, packed }) => [id, hex(packed)])
    expect(rows(other)).deep.equal(rows(one))
    expect(other.block_summary.next_id).equal(101)
    expect(other.block_summary.getById(100).block_id).deep.equal(block_id)
  })

  it('keeps one object for a row while it changes and is undone', () => {
    const db = createDatabase()
    const row = db.dynamic_global_property.create({ global_action_sequence: 1n })
    const outer = db.startSession()
    db.dynamic_global_property.modify(row, (r) => (r.global_action_sequence = 2n))
    const inner = db.startSession()
    db.dynamic_global_property.modify(row, (r) => (r.global_action_sequence = 3n))
    expect(db.dynamic_global_property.single()).equal(row)
    inner.undo()
    expect(row.global_action_sequence).equal(2n)
    outer.undo()
    expect(row.global_action_sequence).equal(1n)
    expect(db.dynamic_global_property.single()).equal(row)
  })

  it('brings a removed row back as the same object', () => {
    const db = createDatabase()
    const row = db.account_ram_correction.create({ name: 7n, ram_correction: 1n })
    const session = db.startSession()
    db.account_ram_correction.remove(row)
    expect(db.account_ram_correction.find('by_name', 7n)).equal(undefined)
    const other = db.account_ram_correction.create({ name: 7n, ram_correction: 2n })
    expect(other.id).equal(1)
    session.undo()
    expect(db.account_ram_correction.find('by_name', 7n)).equal(row)
    expect(row.ram_correction).equal(1n)
  })

  it('undoes rows that took over keys of other rows', () => {
    const db = createDatabase()
    const table = db.account_ram_correction
    const create = (name: bigint) => table.create({ name, ram_correction: 0n })
    const rename = (row: Row<{ name: bigint; ram_correction: bigint }>, name: bigint) =>
      table.modify(row, (r) => (r.name = name))
    const names = () => [...table.all('by_name')].map((row) => [row.name, row.id])
    const [one, two] = [create(1n), create(2n)]
    const before = names()
    // A row of this session takes the key of a row that is removed in it.
    let session = db.startSession()
    const three = create(3n)
    table.remove(one)
    rename(three, 1n)
    session.undo()
    expect(names()).deep.equal(before)
    // A row leaves its key to another one for a while, and has it back at the end.
    session = db.startSession()
    rename(two, 10n)
    rename(one, 2n)
    const inner = db.startSession()
    rename(one, 20n)
    inner.squash()
    rename(two, 2n)
    session.undo()
    expect(names()).deep.equal(before)
    expect(table.get('by_name', 2n).id).equal(1)
  })

  it('does not keep what callers gave', () => {
    const db = createDatabase()
    const abi = new Uint8Array([1, 2, 3])
    const row = db.account.create({ name: 1n, creation_date: 0, abi })
    abi[0] = 9
    expect([...row.abi]).deep.equal([1, 2, 3])
  })

  it('decodes rows with byte arrays of any length, which others do not overwrite', () => {
    const db = createDatabase()
    const abiOf = (n: number) => new Uint8Array((n * 97) % 1500).fill(n)
    const numbers = Array.from({ length: 200 }, (_, n) => n)
    for (const n of numbers) db.account.create({ name: BigInt(n), creation_date: n, abi: abiOf(n) })
    db.trimCaches(0)
    const decoded = numbers.map((n) => db.account.get('by_name', BigInt(n)))
    for (const [n, row] of decoded.entries()) expect(row.abi, String(n)).deep.equal(abiOf(n))
  })

  it('changes the right one of rows whose ids have the same last bits', () => {
    const table = createDatabase().account_ram_correction
    const ids = Array.from({ length: 300 }, (_, n) => n)
    for (const n of ids) table.create({ name: BigInt(n), ram_correction: 0n })
    const rows = ids.map((n) => table.get('by_name', BigInt(n)))
    for (const n of ids) table.modify(rows[n]!, (row) => (row.ram_correction = BigInt(n)))
    const corrections = [...table.all()].map(({ ram_correction }) => Number(ram_correction))
    expect(corrections).deep.equal(ids)
  })

  it('finds the id of a row by its key', () => {
    const table = createDatabase().account_ram_correction
    for (const name of [5n, 3n]) table.create({ name, ram_correction: 0n })
    expect(table.findId('by_name', 3n)).equal(1)
    expect(table.findId('by_name', 4n)).equal(undefined)
  })

  it('refuses rows that are not alive', () => {
    const db = createDatabase()
    const table = db.account_ram_correction
    const row = table.create({ name: 7n, ram_correction: 1n })
    db.trimCaches(0)
    expect(() => table.modify(row, () => {})).throw('live')
    const fresh = table.getById(0)
    table.remove(fresh)
    expect(() => table.remove(fresh)).throw('live')
    expect(() => table.getById(0)).throw('no row 0')
    expect(() => table.get('by_name', 7n)).throw('no row with key 7')
  })

  it('finds by leading parts of a key', () => {
    const db = createDatabase()
    for (const [account, code] of [
      [1n, 1n],
      [1n, 2n],
      [2n, 1n],
      [2n, 5n],
      [(1n << 64n) - 1n, 0n],
    ] as const) {
      const link = { account, code, message_type: 3n, required_permission: 4n }
      db.permission_link.create(link)
    }
    const table = db.permission_link
    expect(table.lowerBound('by_action_name', 2n)?.id).equal(2)
    expect(table.upperBound('by_action_name', 1n)?.id).equal(2)
    expect(table.upperBound('by_action_name', 2n, 1n)?.id).equal(3)
    expect(table.upperBound('by_action_name', 2n)?.id).equal(4)
    expect(table.upperBound('by_action_name', (1n << 64n) - 1n)).equal(undefined)
    const ids = (lower: [] | [bigint], upper: [] | [bigint] | [bigint, bigint], reverse = false) =>
      [...table.range('by_action_name', lower, upper, reverse)].map((row) => row.id)
    expect(ids([1n], [1n])).deep.equal([0, 1])
    expect(ids([2n], [2n], true)).deep.equal([3, 2])
    expect(ids([2n], [2n, 1n])).deep.equal([2])
    expect(ids([], [2n])).deep.equal([0, 1, 2, 3])
  })

  it('lets rows go away while they are walked over', () => {
    const db = createDatabase()
    for (let i = 0; i < 300; i++) db.permission_usage.create({ last_used: i })
    const seen: number[] = []
    for (const row of db.permission_usage.all()) {
      seen.push(row.id)
      db.permission_usage.remove(row)
    }
    expect(seen).deep.equal([...Array(300).keys()])
    expect(db.permission_usage.size).equal(0)
  })
})
