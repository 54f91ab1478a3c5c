import { expect } from 'chai'
import fc from 'fast-check'
import { toHex } from '../../../src/engine/protocol/hex.ts'
import { createDatabase } from '../../../src/engine/state/database.ts'
import type { Database } from '../../../src/engine/state/database.ts'
import type { StateView } from '../../../src/engine/state/state_view.ts'

/** What the tests write: two object tables, contract rows and a secondary index. */
function readView(view: StateView): string[] {
  const lines: string[] = []
  for (const name of ['permission_usage', 'account'] as const) {
    const table = view.objectTable(name)
    for (let row = 0; row < table.size; row++) {
      lines.push(`${name} ${table.id(row)} ${toHex(table.packed(row))}`)
    }
  }
  for (const name of ['key_value', 'index64'] as const) {
    const table = view.contractTable(name)
    for (let row = 0; row < table.size; row++) {
      lines.push(`${name} ${table.t_id(row)} ${toHex(table.stored(row))}`)
    }
  }
  return lines
}

function now(db: Database): string[] {
  const view = db.view()
  const lines = readView(view)
  view.release()
  return lines
}

const step = fc.record({
  action: fc.constantFrom(
    'object',
    'account',
    'row',
    'secondary',
    'remove',
    'start',
    'undo',
    'squash',
    'commit',
  ),
  id: fc.integer({ min: 0, max: 5 }),
  size: fc.constantFrom(0, 3, 40, 700, 400_000),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Changes of a block, or the end of a session. */
function apply(db: Database, { action, id, size }: Step): void {
  const key = BigInt(id)
  const abi = new Uint8Array(size).fill(id + 1)
  switch (action) {
    case 'object': {
      const row = db.permission_usage.byId(id)
      if (row) db.permission_usage.modify(row, (r) => (r.last_used = size))
      else db.permission_usage.create({ last_used: size })
      return
    }
    case 'account': {
      const row = db.account.find('by_name', key)
      if (row) db.account.modify(row, (r) => (r.abi = abi))
      else db.account.create({ name: key, creation_date: 1, abi })
      return
    }
    case 'row': {
      const row = db.key_value.find(id % 2, key)
      if (row < 0) db.key_value.insert(id % 2, key, 1n, abi)
      else db.key_value.update(row, 2n, abi)
      return
    }
    case 'secondary': {
      const row = db.index64.find(1, key)
      if (row < 0) db.index64.insert(1, key, 1n, BigInt(size))
      else db.index64.update(row, 1n, BigInt(size))
      return
    }
    case 'remove': {
      const object = db.account.find('by_name', key)
      if (object) db.account.remove(object)
      const row = db.key_value.find(id % 2, key)
      if (row >= 0) db.key_value.remove(row)
      return
    }
    case 'start':
      db.startSession().push()
      return
    case 'undo':
      if (db.depth > 0) db.undo()
      return
    case 'commit':
      db.commit(db.revision)
      return
    case 'squash': {
      const session = db.startSession()
      apply(db, { action: 'row', id, size })
      session.squash()
    }
  }
}

describe('view of the state', () => {
  it('stays as it was, whatever is done', () => {
    const steps = fc.array(step, { maxLength: 30 })
    const property = fc.property(steps, steps, steps, steps, (before, between, after, last) => {
      const db = createDatabase()
      const other = createDatabase()
      const run = (all: Step[]): void => {
        for (const one of all) for (const each of [db, other]) apply(each, one)
      }
      run(before)
      const first = db.view()
      const first_lines = readView(first)
      run(between)
      const second = db.view()
      const second_lines = readView(second)
      run(after)
      expect(readView(first)).deep.equal(first_lines)
      first.release()
      expect(readView(second)).deep.equal(second_lines)
      second.release()
      run(last)
      // Views made no difference.
      expect(now(db)).deep.equal(now(other))
    })
    fc.assert(property, { numRuns: 60 })
  })

  it('frees the memory of replaced contents', () => {
    const db = createDatabase()
    const value = new Uint8Array(1000)
    for (let i = 0; i < 5000; i++) db.key_value.insert(1, BigInt(i), 1n, value)
    const rewriteAll = (): void => {
      const session = db.startSession()
      for (let i = 0; i < 5000; i++) db.key_value.update(db.key_value.find(1, BigInt(i)), 2n, value)
      session.push()
      db.commit(db.revision)
    }
    const sizes: number[] = []
    for (let round = 0; round < 4; round++) {
      const view = db.view()
      rewriteAll()
      rewriteAll()
      view.release()
      sizes.push(db.memory.blocks)
    }
    expect(sizes[3]).equal(sizes[1])
  })

  it('is not read after its end', () => {
    const view = createDatabase().view()
    view.release()
    view.release()
    expect(() => view.objectTable('account')).throw('released')
    expect(() => view.contractTable('key_value')).throw('released')
  })
})
