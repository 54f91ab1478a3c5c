import type { Body } from '../../../../src/engine/contract.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Authority } from '../../../../src/engine/protocol/authority.ts'
import { publicKeyToString } from '../../../../src/engine/protocol/key.ts'
import { nameFromString, nameToString } from '../../../../src/engine/protocol/name.ts'
import { AuthorizerIndex } from '../../../../src/engine/services/account_queries/authorizer_index.ts'
import type { AccountAuthorizationJson } from '../../../../src/engine/services/account_queries/authorizers.ts'
import { getAccountsByAuthorizers } from '../../../../src/engine/services/account_queries/authorizers.ts'
import { createDatabase } from '../../../../src/engine/state/database.ts'
import type { Database } from '../../../../src/engine/state/database.ts'
import { refusal } from '../../refusal.ts'

const N = nameFromString
const ACCOUNTS = ['alice', 'bob', 'carol'].map(N)
const PERMISSIONS = ['owner', 'active', 'other'].map(N)

/** A K1 key whose x coordinate ends with a number. */
function keyOf(number: number): Uint8Array {
  const key = new Uint8Array(34)
  key.set([0, 2])
  key[33] = number
  return key
}
const KEYS = [1, 2, 3].map(keyOf)

/** Keys and levels, each with a weight; by numbers, so that they shrink well. */
type Weights = { keys: [number, number][]; accounts: [number, number, number][] }

function authorityOf({ keys, accounts }: Weights): Authority {
  return {
    threshold: 1,
    keys: keys.map(([key, weight]) => ({ key: KEYS[key]!, weight })),
    accounts: accounts.map(([actor, permission, weight]) => ({
      permission: { actor: ACCOUNTS[actor]!, permission: PERMISSIONS[permission]! },
      weight,
    })),
    waits: [],
  }
}

const place = fc.integer({ min: 0, max: 2 })
const weight = fc.integer({ min: 1, max: 3 })
const weights: fc.Arbitrary<Weights> = fc.record({
  keys: fc.uniqueArray(fc.tuple(place, weight), { selector: ([key]) => key, maxLength: 3 }),
  accounts: fc.uniqueArray(fc.tuple(place, place, weight), {
    selector: ([actor, permission]) => `${actor}@${permission}`,
    maxLength: 3,
  }),
})

type Step =
  | { do: 'set'; owner: number; name: number; weights: Weights }
  | { do: 'remove'; owner: number; name: number }
  | { do: 'start' | 'undo' | 'squash' | 'ask' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('set' as const), owner: place, name: place, weights }),
  fc.record({ do: fc.constant('remove' as const), owner: place, name: place }),
  fc.record({
    do: fc.constantFrom('start' as const, 'undo' as const, 'squash' as const, 'ask' as const),
  }),
)

function setPermission(db: Database, owner: bigint, name: bigint, auth: Authority): void {
  const row = db.permission.find('by_owner', owner, name)
  if (row) return void db.permission.modify(row, (r) => (r.auth = auth))
  db.permission.create({ usage_id: 0, parent: 0, owner, name, last_updated: 0, auth })
}

/** Everything, as the reference's rules say, without an index. */
function expected(db: Database): AccountAuthorizationJson[] {
  const rows = [...db.permission.all()]
  const found = rows.flatMap(({ id, owner, name, auth }) => {
    const shared = { account_name: nameToString(owner), permission_name: nameToString(name) }
    return [
      ...auth.accounts.map(({ permission: { actor, permission }, weight: w }) => ({
        rank: [0n, actor, permission, BigInt(w), BigInt(id)],
        json: {
          ...shared,
          authorizing_account: { actor: nameToString(actor), permission: nameToString(permission) },
          weight: w,
          threshold: auth.threshold,
        },
      })),
      ...auth.keys.map(({ key, weight: w }) => ({
        rank: [1n, BigInt(key[33]!), 0n, BigInt(w), BigInt(id)],
        json: {
          ...shared,
          authorizing_key: publicKeyToString(key),
          weight: w,
          threshold: auth.threshold,
        },
      })),
    ]
  })
  found.sort((a, b) => {
    const at = a.rank.findIndex((part, i) => part !== b.rank[i])
    return at < 0 ? 0 : a.rank[at]! < b.rank[at]! ? -1 : 1
  })
  return found.map(({ json }) => json)
}

const EVERYBODY = {
  accounts: ['carol', 'alice', 'bob', 'alice'],
  keys: [...KEYS, ...KEYS].map((key) => publicKeyToString(key)).reverse(),
}

/** All rows, page by page. */
function ask(db: Database, index: AuthorizerIndex, limit: number): AccountAuthorizationJson[] {
  const rows: AccountAuthorizationJson[] = []
  let lower_bound: string | undefined
  do {
    const params = { ...EVERYBODY, limit, lower_bound: lower_bound ?? null }
    const page = getAccountsByAuthorizers({ db }, index, params)
    expect(page.accounts.length).within(page.more === undefined ? 0 : 1, limit)
    rows.push(...page.accounts)
    lower_bound = page.more
  } while (lower_bound !== undefined)
  return rows
}

describe('queries: accounts by authorizers', () => {
  it('follows every change and its undo; pages hold each row once', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 40 }),
        fc.integer({ min: 1, max: 5 }),
        fc.boolean(),
        (steps, limit, early) => {
          const db = createDatabase()
          if (early)
            setPermission(db, N('early'), N('owner'), authorityOf({ keys: [[0, 1]], accounts: [] }))
          const index = new AuthorizerIndex(db)
          const sessions: ReturnType<Database['startSession']>[] = []
          for (const s of steps) {
            if (s.do === 'set') {
              setPermission(db, ACCOUNTS[s.owner]!, PERMISSIONS[s.name]!, authorityOf(s.weights))
            } else if (s.do === 'remove') {
              const row = db.permission.find('by_owner', ACCOUNTS[s.owner]!, PERMISSIONS[s.name]!)
              if (row) db.permission.remove(row)
            } else if (s.do === 'start') sessions.push(db.startSession())
            else if (s.do === 'undo') sessions.pop()?.undo()
            else if (s.do === 'squash') sessions.pop()?.squash()
            else expect(ask(db, index, limit)).deep.equal(expected(db))
          }
          expect(ask(db, index, limit)).deep.equal(expected(db))
        },
      ),
      { numRuns: 300 },
    )
  })

  function example(): { db: Database; index: AuthorizerIndex } {
    const db = createDatabase()
    setPermission(
      db,
      N('dave'),
      N('active'),
      authorityOf({
        keys: [],
        accounts: [
          [0, 1, 2],
          [1, 0, 1],
        ],
      }),
    )
    setPermission(db, N('dave'), N('owner'), authorityOf({ keys: [[0, 1]], accounts: [[0, 0, 1]] }))
    return { db, index: new AuthorizerIndex(db) }
  }

  const found = (params: Body<'get_accounts_by_authorizers'>): string[] => {
    const { db, index } = example()
    const { accounts } = getAccountsByAuthorizers({ db }, index, params)
    return accounts.map((row) => {
      const { actor, permission } = row.authorizing_account ?? { actor: row.authorizing_key }
      return `${actor}@${permission} ${row.account_name}@${row.permission_name}`
    })
  }

  it('an account means all its permissions, a permission only itself', () => {
    const owner = 'alice@owner dave@owner'
    const active = 'alice@active dave@active'
    expect(found({ accounts: ['alice'] })).deep.equal([active, owner])
    expect(found({ accounts: [{ actor: 'alice', permission: 'owner' }] })).deep.equal([owner])
    expect(found({ accounts: [{ actor: 'alice', permission: 'owner' }, 'alice'] })).deep.equal([
      active,
      owner,
    ])
    expect(found({ accounts: ['dave'], keys: null })).deep.equal([])
  })

  it('keys in both of their forms', () => {
    const legacy = publicKeyToString(KEYS[0]!)
    const modern = publicKeyToString(KEYS[0]!, 'modern')
    expect(found({ keys: [modern] })).deep.equal([`${legacy}@undefined dave@owner`])
    expect(found({ keys: [legacy, modern] })).deep.equal(found({ keys: [modern] }))
  })

  it('a page of nothing has no next one; more than 1000 rows are not in one', () => {
    const { db, index } = example()
    expect(getAccountsByAuthorizers({ db }, index, { accounts: ['alice'], limit: 0 })).deep.equal({
      accounts: [],
    })
    for (let i = 0; i < 1100; i++) {
      setPermission(
        db,
        N('erin') + BigInt(i << 4),
        N('active'),
        authorityOf({ keys: [[2, 1]], accounts: [] }),
      )
    }
    const params = { keys: [publicKeyToString(KEYS[2]!)], limit: 5000 }
    const page = getAccountsByAuthorizers({ db }, index, params)
    expect(page.accounts.length).equal(1000)
    const rest = getAccountsByAuthorizers({ db }, index, { ...params, lower_bound: page.more! })
    expect(rest.accounts.length).equal(100)
    expect(rest.more).equal(undefined)
  })

  it('refuses invalid bounds, names and keys', () => {
    const { db, index } = example()
    for (const params of [
      { accounts: ['alice'], lower_bound: 'alice' },
      { accounts: ['alice'], lower_bound: 'alice@active/1/x' },
      { accounts: ['alice'], lower_bound: 'EOSnope/1/1' },
      { accounts: ['UPPER'] },
      { accounts: [5] },
      { accounts: 'alice' },
      { keys: ['EOS7'] },
    ]) {
      const wrong = params as Body<'get_accounts_by_authorizers'>
      const name = refusal(() => getAccountsByAuthorizers({ db }, index, wrong))
      expect(name, JSON.stringify(params)).equal('invalid_http_request')
    }
  })

  it('is refused when the operator turned it off', () => {
    const { db } = example()
    const name = refusal(() => getAccountsByAuthorizers({ db }, undefined, { keys: [] }))
    expect(name).equal('plugin_config_exception')
  })
})
