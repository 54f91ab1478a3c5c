import { expect } from 'chai'
import fc from 'fast-check'
import { nameFromString } from '../../../src/engine/protocol/name.ts'
import { doubleToBits, doubleToQuadBits } from '../../../src/engine/queries/float_bits.ts'
import type { QueryChain } from '../../../src/engine/queries/query.ts'
import { getTableByScope } from '../../../src/engine/queries/table_by_scope.ts'
import { getTableRows } from '../../../src/engine/queries/table_rows.ts'
import { packAbi } from '../../../src/engine/abi/abi_binary.ts'
import { abiFromJson } from '../../../src/engine/abi/abi_json.ts'
import { refusalOf } from '../refusal.ts'
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
  next_page?: string
}

/** How a client asks for the next page of a page. */
type GoOn = (page: Page, reverse: boolean) => Record<string, unknown>

const byNextPage: GoOn = ({ next_page }) => ({ next_page })

/** As clients of the reference do. */
const byNextKey: GoOn = ({ next_key }, reverse) => ({
  [reverse ? 'upper_bound' : 'lower_bound']: next_key,
})

/** Every row's id, page by page; fails when the pages do not come to an end. */
function readAll(
  chain: QueryChain,
  query: Record<string, unknown>,
  reverse: boolean,
  goOn: GoOn = byNextPage,
): string[] {
  const ids: string[] = []
  let bound: Record<string, unknown> = {}
  for (let pages = 0; ; pages++) {
    expect(pages, 'pages without progress').to.be.lessThan(200)
    const params = { code: 'contract', scope: 's', table: 'things', json: true, reverse }
    const page = getTableRows(chain, { ...params, ...query, ...bound }) as unknown as Page
    expect(page.next_page !== undefined).to.equal(page.more)
    ids.push(...page.rows.map(({ id }) => String(id)))
    if (!page.more) return ids
    bound = goOn(page, reverse)
  }
}

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const u128 = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n })
/** A key type: its keys, how they are stored, and a number by which they are ordered. */
interface Kind {
  key_type: string
  encode_type?: string
  /** Not every key can be read back from `next_key`, as in the reference. */
  lossy?: true
  keys: fc.Arbitrary<unknown>
  insert: (db: Database, t_id: number, primary: bigint, key: unknown) => void
  rank: (key: unknown) => bigint
}

/** Numbers, some of which are names too. */
const nameKeys = fc.oneof(u64, fc.stringMatching(/^[1-5]{1,13}$/).map(BigInt))
const integer = (key: unknown) => key as bigint
const pair = (key: unknown) => ((key as bigint[])[0]! << 128n) | (key as bigint[])[1]!
/** Bits of a float of `width` bits as an integer with the order of the numbers. */
const float = (width: bigint) => (key: unknown) => {
  const magnitude = BigInt.asUintN(Number(width) - 1, key as bigint)
  return (key as bigint) >> (width - 1n) ? -magnitude : magnitude
}

const KINDS: Kind[] = [
  {
    key_type: 'i64',
    keys: u64,
    insert: (db, t, p, k) => db.index64.insert(t, p, CODE, k as bigint),
    rank: integer,
  },
  {
    key_type: 'name',
    lossy: true,
    keys: nameKeys,
    insert: (db, t, p, k) => db.index64.insert(t, p, CODE, k as bigint),
    rank: integer,
  },
  {
    key_type: 'i128',
    keys: u128,
    insert: (db, t, p, k) => db.index128.insert(t, p, CODE, k as bigint),
    rank: integer,
  },
  ...[['i256'], ['sha256'], ['i256', 'hex']].map(([key_type = '', encode_type = 'dec']): Kind => ({
    key_type,
    encode_type,
    keys: fc.tuple(u128, u128),
    insert: (db, t, p, k) => db.index256.insert(t, p, CODE, k as [bigint, bigint]),
    rank: pair,
  })),
  {
    key_type: 'ripemd160',
    keys: fc.tuple(
      u128,
      fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }).map((v) => v << 96n),
    ),
    insert: (db, t, p, k) => db.index256.insert(t, p, CODE, k as [bigint, bigint]),
    rank: pair,
  },
  {
    key_type: 'float64',
    lossy: true,
    keys: fc.double({ noNaN: true }).map(doubleToBits),
    insert: (db, t, p, k) => db.index_double.insert(t, p, CODE, k as bigint),
    rank: float(64n),
  },
  ...['dec', 'hex'].map((encode_type): Kind => ({
    key_type: 'float128',
    lossy: true,
    encode_type,
    keys: fc.oneof(
      fc.double({ noNaN: true }).map(doubleToQuadBits),
      u128.filter((bits) => ((bits >> 112n) & 0x7fffn) !== 0x7fffn),
    ),
    insert: (db, t, p, k) => db.index_long_double.insert(t, p, CODE, k as bigint),
    rank: float(128n),
  })),
]

/** Many keys, or few with many rows each. */
const lists = (keys: fc.Arbitrary<unknown>) =>
  fc.oneof(
    fc.array(keys, { maxLength: 25 }),
    fc.tuple(keys, keys).chain((few) => fc.array(fc.constantFrom(...few), { maxLength: 25 })),
  )

describe('queries: pages of get_table_rows', () => {
  it('by the primary key as a name: every row once, in both directions', () => {
    fc.assert(
      fc.property(fc.uniqueArray(nameKeys), fc.integer({ min: 1, max: 4 }), (keys, limit) => {
        const { db, chain } = emptyChain()
        const t_id = createTable(db, N('s'), TABLE)
        for (const key of keys) db.key_value.insert(t_id, key, CODE, value(key))
        const sorted = [...keys].sort((a, b) => (a < b ? -1 : 1)).map(String)
        const query = { limit, key_type: 'name' }
        expect(readAll(chain, query, false)).to.deep.equal(sorted)
        expect(readAll(chain, query, true)).to.deep.equal(sorted.reverse())
      }),
    )
  })

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

  for (const { key_type, encode_type = 'dec', lossy, keys, insert, rank } of KINDS) {
    const create = (list: unknown[]) => {
      const { db, chain } = emptyChain()
      const t_id = createTable(db, N('s'), TABLE)
      const index = createTable(db, N('s'), TABLE | 1n)
      list.forEach((key, i) => {
        db.key_value.insert(t_id, BigInt(i), CODE, value(BigInt(i)))
        insert(db, index, BigInt(i), key)
      })
      const sorted = list
        .map((key, i) => ({ rank: rank(key), id: i }))
        .sort((a, b) => (a.rank === b.rank ? a.id - b.id : a.rank < b.rank ? -1 : 1))
        .map(({ id }) => String(id))
      return { chain, sorted }
    }
    const query = { key_type, encode_type, index_position: '3' }

    it(`by ${key_type} keys (${encode_type}): every row once, in both directions`, () => {
      fc.assert(
        fc.property(lists(keys), fc.integer({ min: 1, max: 5 }), (list, limit) => {
          const { chain, sorted } = create(list)
          expect(readAll(chain, { ...query, limit }, false)).to.deep.equal(sorted)
          expect(readAll(chain, { ...query, limit }, true)).to.deep.equal(sorted.reverse())
        }),
        { numRuns: 60 },
      )
    })

    if (lossy) continue
    it(`by ${key_type} keys (${encode_type}): next_key loses no row where few have one key`, () => {
      fc.assert(
        fc.property(fc.array(keys, { maxLength: 8 }), (few) => {
          // Up to three rows of a key, and pages of as many.
          const list = [...few, ...few.slice(0, 5), ...few.slice(0, 2)]
          const { chain, sorted } = create(list)
          const limit = Math.max(3, list.length - new Set(list.map(String)).size)
          for (const reverse of [false, true]) {
            const ids = readAll(chain, { ...query, limit }, reverse, byNextKey)
            const once = ids.filter((id, i) => ids.indexOf(id) === i)
            expect(once.sort()).to.deep.equal([...sorted].sort())
          }
        }),
        { numRuns: 40 },
      )
    })
  }

  /** One row of a key, behind one that a page of one row has. */
  function nextKeyOf(db: Database, chain: QueryChain, query: Record<string, unknown>): string {
    const t_id = db.table_id.find('by_code_scope_table', CODE, N('s'), TABLE)!.id
    for (const id of [1n, 2n]) db.key_value.insert(t_id, id, CODE, value(id))
    const params = { code: 'contract', scope: 's', table: 'things', limit: 1, ...query }
    return getTableRows(chain, { index_position: '2', ...params }).next_key
  }

  // spring: chain_plugin.cpp convert_to_string
  const KEYS: [key_type: string, encode_type: string, key: unknown, next_key: string][] = [
    ['i64', 'dec', 42n, '42'],
    ['i64', 'hex', 2n ** 64n - 1n, '18446744073709551615'],
    ['name', 'dec', N('alice'), '3773036822876127232'],
    ['name', 'dec', 12345n, '12345'],
    ['i128', 'dec', 77n, '77'],
    ['i128', 'hex', 2n ** 128n - 1n, '340282366920938463463374607431768211455'],
    ['i256', 'dec', [1n, 2n], `0x${'1'.padStart(32, '0')}${'2'.padStart(32, '0')}`],
    ['i256', 'hex', [1n, 2n], `${'1'.padStart(32, '0')}${'2'.padStart(32, '0')}`],
    ['sha256', 'dec', [1n, 2n], `${'1'.padStart(32, '0')}${'2'.padStart(32, '0')}`],
    ['ripemd160', 'dec', [1n, 2n << 96n], `${'1'.padStart(32, '0')}00000002`],
    ['float64', 'dec', doubleToBits(1.5), '1.50000000000000000'],
    ['float64', 'dec', doubleToBits(1e-300), '0.00000000000000000'],
    ['float64', 'dec', doubleToBits(Infinity), 'inf'],
    ['float128', 'dec', doubleToQuadBits(1.5), '1.50000000000000000'],
    ['float128', 'hex', doubleToQuadBits(1.5), '1.50000000000000000'],
    // 1 + 2^-112 and 1 + 2^-53 + 2^-112: to the nearest double.
    ['float128', 'dec', (0x3fffn << 112n) + 1n, '1.00000000000000000'],
    ['float128', 'dec', (0x3fffn << 112n) + (1n << 59n) + 1n, '1.00000000000000022'],
  ]
  for (const [key_type, encode_type, key, next_key] of KEYS) {
    it(`next_key of ${key_type} (${encode_type}) ${next_key} is the reference's`, () => {
      const { db, chain } = emptyChain()
      const t_id = createTable(db, N('s'), TABLE)
      const kind = KINDS.find((k) => k.key_type === key_type)!
      for (const id of [1n, 2n]) kind.insert(db, t_id, id, key)
      expect(nextKeyOf(db, chain, { key_type, encode_type })).to.equal(next_key)
    })
  }

  it('next_key of a primary key as a name is its number', () => {
    const { db, chain } = emptyChain()
    createTable(db, N('s'), TABLE)
    const query = { key_type: 'name', index_position: '1' }
    expect(nextKeyOf(db, chain, query)).to.equal('2')
  })

  /** Four rows with one secondary key, and the first page of two. */
  function fourRows() {
    const { db, chain } = emptyChain()
    const t_id = createTable(db, N('s'), TABLE)
    for (const id of [3n, 1n, 7n, 5n]) {
      db.key_value.insert(t_id, id, CODE, value(id))
      db.index64.insert(t_id, id, CODE, 42n)
      db.index_double.insert(t_id, id, CODE, doubleToBits(1))
    }
    const query = { code: 'contract', scope: 's', table: 'things', json: true, limit: 2 }
    const params = { ...query, key_type: 'i64', index_position: '2' }
    return { db, chain, t_id, params, page: getTableRows(chain, params) as unknown as Page }
  }

  it('of rows with one key: next_key is the key, next_page continues', () => {
    const { chain, params, page } = fourRows()
    expect(page.rows).to.deep.equal([{ id: 1 }, { id: 3 }])
    expect(page.next_key).to.equal('42')
    expect(page.next_page).to.equal(
      `02${[CODE, N('s'), TABLE, 42n, 5n].map((n) => n.toString(16).padStart(16, '0')).join('')}`,
    )
    const last = { rows: [{ id: 5 }, { id: 7 }], more: false, next_key: '' }
    expect(getTableRows(chain, { ...params, next_page: page.next_page! })).to.deep.equal(last)
    // The bound that it replaces may stay in the request; the other one holds.
    const with_bounds = { ...params, lower_bound: '7', upper_bound: '42' }
    const next = getTableRows(chain, { ...with_bounds, next_page: page.next_page! })
    expect(next).to.deep.equal(last)
    const below = getTableRows(chain, { ...params, upper_bound: '41', next_page: page.next_page! })
    expect(below).to.deep.equal({ rows: [], more: false, next_key: '' })
    // Clients of the reference begin with the key again.
    const again = getTableRows(chain, { ...params, lower_bound: page.next_key })
    expect(again).to.deep.equal(page)
  })

  it('of rows with one key: the next page continues after the last row, although it was removed', () => {
    const { db, chain, t_id, params, page } = fourRows()
    db.index64.remove(db.index64.find(t_id, 5n))
    const next = getTableRows(chain, { ...params, next_page: page.next_page! })
    expect(next).to.deep.equal({ rows: [{ id: 7 }], more: false, next_key: '' })
  })

  it('a next_page of another request is refused, and what is none', () => {
    const { chain, params, page } = fourRows()
    const next_page = page.next_page!
    const refused = (changed: object, text: RegExp) => {
      const ask = () => getTableRows(chain, { ...params, next_page, ...changed })
      const error = refusalOf(ask)
      expect([error.errorName, error.details[0]!.message], JSON.stringify(changed)).to.satisfy(
        ([name, message]: string[]) => name === 'invalid_http_request' && text.test(message!),
      )
    }
    const OTHER = /^next_page belongs to another contract, scope, table, index or direction$/
    const NONE = /^next_page is not a value that get_table_rows answers$/
    refused({ scope: 't' }, OTHER)
    refused({ reverse: true }, OTHER)
    refused({ index_position: '1' }, OTHER)
    refused({ index_position: '3' }, OTHER)
    refused({ key_type: 'float64' }, OTHER)
    refused({ next_page: next_page.slice(0, -1) }, OTHER)
    refused({ next_page: `${next_page}0` }, OTHER)
    refused({ next_page: '42:5' }, NONE)
    refused({ next_page: 'abc' }, NONE)
    refused({ next_page: next_page.toUpperCase().replace(/[0-9]/g, 'X') }, NONE)
    const double = { ...params, key_type: 'float64' }
    const of_double = (getTableRows(chain, double) as unknown as Page).next_page!
    const nan = 'fff8000000000000'
    const with_nan = of_double.slice(0, 50) + nan + of_double.slice(50 + nan.length)
    refused({ key_type: 'float64', next_page: with_nan }, NONE)
  })

  it('key:primary is not a bound', () => {
    const { chain, params } = fourRows()
    expect(refusalOf(() => getTableRows(chain, { ...params, lower_bound: '42:5' }))).to.include({
      errorName: 'chain_type_exception',
    })
  })

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
    const rest = getTableRows(chain, { ...params, next_page: first.next_page! })
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
    const scopes = fc.constantFrom(
      ...[0n, 1n, N('a'), N('scope'), 2n ** 64n - 1n],
      ...['1111111.bank', '111111111114', '111111111122', '5', 'alice'].map(N),
    )
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

  it('a bound that is neither a scope nor `scope:table` is refused with its whole text', () => {
    const { chain } = emptyChain()
    for (const bound of ['2026-11-28T00:02:44', 'a:b:c', 'alice:Bob', '::', 'no name!:a']) {
      for (const field of ['lower_bound', 'upper_bound']) {
        const error = refusalOf(() => getTableByScope(chain, { code: 'contract', [field]: bound }))
        expect(error.errorName, bound).equal('chain_type_exception')
        expect(error.message).include(`Could not convert ${field} scope string '${bound}' to any`)
      }
    }
  })

  it('a scope of digits as `more` is its number, which is a bound in the reference too', () => {
    const { db, chain } = emptyChain()
    for (const scope of ['1111111.bank', '111111111114', '111111111122', 'alice'].map(N)) {
      for (const table of ['a', 'b'].map(N)) createTable(db, scope, table)
    }
    const mores: string[] = []
    for (let more = ''; mores.at(-1) !== '';) {
      more = getTableByScope(chain, { code: 'contract', limit: 1, lower_bound: more }).more
      mores.push(more)
    }
    const [bank, four, two] = ['1111111.bank', String(N('111111111114')), String(N('111111111122'))]
    expect(mores).to.deep.equal([
      `${bank}:b`,
      four,
      `${four}:b`,
      two,
      `${two}:b`,
      'alice',
      'alice:b',
      '',
    ])
  })
})
