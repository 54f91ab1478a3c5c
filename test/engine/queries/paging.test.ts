import { expect } from 'chai'
import fc from 'fast-check'
import { nameFromString } from '../../../src/engine/protocol/name.ts'
import { doubleToBits, doubleToQuadBits } from '../../../src/engine/queries/float_bits.ts'
import type { QueryChain } from '../../../src/engine/queries/query.ts'
import { getTableByScope } from '../../../src/engine/queries/table_by_scope.ts'
import { getTableRows } from '../../../src/engine/queries/table_rows.ts'
import { packAbi } from '../../../src/engine/abi/abi_binary.ts'
import { abiFromJson } from '../../../src/engine/abi/abi_json.ts'
import { createDatabase } from '../../../src/engine/state/database.ts'
import type { Database } from '../../../src/engine/state/database.ts'

const N = nameFromString
const CODE = N('contract')
const TABLE = N('things')

const ABI = packAbi(
  abiFromJson({
    version: 'eosio::abi/1.1',
    structs: [{ name: 'thing', base: '', fields: [{ name: 'id', type: 'uint64' }] }],
    tables: [{ name: 'things', index_type: 'i64', type: 'thing' }],
  }),
)

function emptyChain(): { db: Database; chain: QueryChain } {
  const db = createDatabase()
  db.account.create({ name: CODE, creation_date: 0, abi: ABI })
  return { db, chain: { db } as unknown as QueryChain }
}

function createTable(db: Database, scope: bigint, table: bigint): number {
  return db.table_id.create({ code: CODE, scope, table, payer: CODE, count: 1 }).id
}

function value(primary: bigint): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, primary, true)
  return bytes
}

interface Page {
  rows: { id: number | string }[]
  more: boolean
  next_key: string
}

/** Every row's id, page by page; fails when the pages do not come to an end. */
function readAll(chain: QueryChain, query: Record<string, unknown>, reverse: boolean): string[] {
  const ids: string[] = []
  let bound: Record<string, string> = {}
  for (let pages = 0; ; pages++) {
    expect(pages, 'pages without progress').to.be.lessThan(200)
    const params = { code: 'contract', scope: 's', table: 'things', json: true, reverse }
    const page = getTableRows(chain, { ...params, ...query, ...bound }) as unknown as Page
    ids.push(...page.rows.map(({ id }) => String(id)))
    if (!page.more) return ids
    bound = { [reverse ? 'upper_bound' : 'lower_bound']: page.next_key }
  }
}

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const u128 = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n })
const double = fc.double({ noNaN: true }).map((d) => (d === 0 ? 0 : d))

interface Kind {
  key_type: string
  encode_type?: string
  keys: fc.Arbitrary<unknown>
  insert: (db: Database, t_id: number, primary: bigint, key: unknown) => void
}

const KINDS: Kind[] = [
  {
    key_type: 'i64',
    keys: u64,
    insert: (db, t, p, k) => db.index64.insert(t, p, CODE, k as bigint),
  },
  {
    key_type: 'name',
    // Short numbers in `next_key` may read as names; such keys are below 2^44.
    keys: fc.bigInt({ min: 2n ** 44n, max: 2n ** 64n - 1n }),
    insert: (db, t, p, k) => db.index64.insert(t, p, CODE, k as bigint),
  },
  {
    key_type: 'i128',
    keys: u128,
    insert: (db, t, p, k) => db.index128.insert(t, p, CODE, k as bigint),
  },
  ...['i256', 'sha256'].map((key_type): Kind => ({
    key_type,
    keys: fc.tuple(u128, u128),
    insert: (db, t, p, k) => db.index256.insert(t, p, CODE, k as [bigint, bigint]),
  })),
  {
    key_type: 'i256',
    encode_type: 'hex',
    keys: fc.tuple(u128, u128),
    insert: (db, t, p, k) => db.index256.insert(t, p, CODE, k as [bigint, bigint]),
  },
  {
    key_type: 'ripemd160',
    keys: fc.tuple(
      u128,
      fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }).map((v) => v << 96n),
    ),
    insert: (db, t, p, k) => db.index256.insert(t, p, CODE, k as [bigint, bigint]),
  },
  {
    key_type: 'float64',
    keys: double.map(doubleToBits),
    insert: (db, t, p, k) => db.index_double.insert(t, p, CODE, k as bigint),
  },
  ...['dec', 'hex'].map((encode_type): Kind => ({
    key_type: 'float128',
    encode_type,
    keys: fc.oneof(
      double.map(doubleToQuadBits),
      u128.filter((bits) => ((bits >> 112n) & 0x7fffn) !== 0x7fffn && bits << 1n !== 0n),
    ),
    insert: (db, t, p, k) => db.index_long_double.insert(t, p, CODE, k as bigint),
  })),
]

describe('queries: pages of get_table_rows', () => {
  it('by the primary key: every row once, in both directions', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(u64, { maxLength: 40 }),
        fc.integer({ min: 1, max: 7 }),
        (keys, limit) => {
          const { db, chain } = emptyChain()
          const t_id = createTable(db, N('s'), TABLE)
          for (const key of keys) db.key_value.insert(t_id, key, CODE, value(key))
          const sorted = [...keys].sort((a, b) => (a < b ? -1 : 1)).map(String)
          expect(readAll(chain, { limit }, false)).to.deep.equal(sorted)
          expect(readAll(chain, { limit }, true)).to.deep.equal(sorted.reverse())
        },
      ),
      { numRuns: 40 },
    )
  })

  for (const { key_type, encode_type = 'dec', keys, insert } of KINDS) {
    it(`by ${key_type} keys (${encode_type}): every row once, in both directions`, () => {
      const key = (k: unknown): string => String(k)
      fc.assert(
        fc.property(
          fc.uniqueArray(keys, { maxLength: 25, selector: key }),
          fc.integer({ min: 1, max: 5 }),
          (list, limit) => {
            const { db, chain } = emptyChain()
            const t_id = createTable(db, N('s'), TABLE)
            const index = createTable(db, N('s'), TABLE | 1n)
            list.forEach((k, i) => {
              db.key_value.insert(t_id, BigInt(i), CODE, value(BigInt(i)))
              insert(db, index, BigInt(i), k)
            })
            const query = { limit, key_type, encode_type, index_position: '3' }
            const whole = readAll(chain, { ...query, limit: 1000 }, false)
            expect(whole.length).to.equal(list.length)
            expect(readAll(chain, query, false)).to.deep.equal(whole)
            expect(readAll(chain, query, true)).to.deep.equal([...whole].reverse())
          },
        ),
        { numRuns: 40 },
      )
    })
  }

  it('counts rows, and at most 1000', () => {
    const { db, chain } = emptyChain()
    const t_id = createTable(db, N('s'), TABLE)
    for (let i = 0n; i < 1500n; i++) db.key_value.insert(t_id, i, CODE, value(i))
    const params = { code: 'contract', scope: 's', table: 'things', limit: 4000000000 }
    const page = getTableRows(chain, params) as unknown as Page
    expect(page.rows.length).to.equal(1000)
    expect(page.next_key).to.equal('1000')
  })

  it('ends a page before it outgrows memory, and continues after it', () => {
    const { db, chain } = emptyChain()
    const t_id = createTable(db, N('s'), TABLE)
    const big = new Uint8Array(3 * 1024 * 1024)
    for (let i = 0n; i < 8n; i++) db.key_value.insert(t_id, i, CODE, big)
    const params = { code: 'contract', scope: 's', table: 'things', limit: 100 }
    const first = getTableRows(chain, params)
    expect([first.rows.length, first.more, first.next_key]).to.deep.equal([6, true, '6'])
    const rest = getTableRows(chain, { ...params, lower_bound: first.next_key })
    expect([rest.rows.length, rest.more]).to.deep.equal([2, false])
  })

  it('leaves out entries of an index that have no row, without counting them', () => {
    const { db, chain } = emptyChain()
    const t_id = createTable(db, N('s'), TABLE)
    // The first secondary index has the table's own name, and so its number.
    for (let i = 0n; i < 10n; i++) {
      db.index64.insert(t_id, i, CODE, i)
      if (i % 3n === 0n) db.key_value.insert(t_id, i, CODE, value(i))
    }
    const query = { limit: 3, key_type: 'i64', index_position: 'secondary' }
    expect(readAll(chain, query, false)).to.deep.equal(['0', '3', '6', '9'])
  })
})

describe('queries: pages of get_table_by_scope', () => {
  function readScopes(chain: QueryChain, query: object, reverse: boolean): string[] {
    const found: string[] = []
    let bound: Record<string, string> = {}
    for (let pages = 0; ; pages++) {
      expect(pages, 'pages without progress').to.be.lessThan(200)
      const params = { code: 'contract', reverse, ...query, ...bound }
      const { rows, more } = getTableByScope(chain, params) as unknown as {
        rows: { scope: string; table: string }[]
        more: string
      }
      found.push(...rows.map(({ scope, table }) => `${scope}/${table}`))
      if (more === '') return found
      bound = { [reverse ? 'upper_bound' : 'lower_bound']: more }
    }
  }

  it('every table once, in both directions, also many tables in one scope', () => {
    const scopes = fc.constantFrom(0n, 1n, N('a'), N('scope'), 2n ** 64n - 1n)
    const tables = fc.constantFrom(N('t'), N('things'), N('zz'), 1n, 2n ** 64n - 1n)
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(scopes, tables), { selector: String }),
        fc.integer({ min: 1, max: 4 }),
        (list, limit) => {
          const { db, chain } = emptyChain()
          for (const [scope, table] of list) createTable(db, scope, table)
          const whole = readScopes(chain, { limit: 1000 }, false)
          expect(whole.length).to.equal(list.length)
          expect(readScopes(chain, { limit }, false)).to.deep.equal(whole)
          expect(readScopes(chain, { limit }, true)).to.deep.equal([...whole].reverse())
          const things = whole.filter((w) => w.endsWith('/things'))
          expect(readScopes(chain, { limit, table: 'things' }, false)).to.deep.equal(things)
          expect(readScopes(chain, { limit, table: 'things' }, true)).to.deep.equal(
            things.reverse(),
          )
        },
      ),
      { numRuns: 60 },
    )
  })
})
