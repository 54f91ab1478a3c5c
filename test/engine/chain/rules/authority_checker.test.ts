import { expect } from 'chai'
import {
  AuthorityChecker,
  keySet,
  levelSet,
} from '../../../../src/engine/chain/rules/authorization/authority_checker.ts'
import type { ProvidedFactors } from '../../../../src/engine/chain/rules/authorization/authority_checker.ts'
import type { Authority, PermissionLevel } from '../../../../src/engine/protocol/authority.ts'
import { N } from '../../../../src/engine/protocol/name.ts'

/** A K1 key that differs by its last byte. */
const key = (n: number) => Uint8Array.from([0, 2, ...new Array<number>(31).fill(0), n])
const level = (text: string): PermissionLevel => {
  const [actor = '', permission = ''] = text.split('@')
  return { actor: N(actor), permission: permission === '' ? 0n : N(permission) }
}

interface Factors {
  keys?: [number, number][]
  accounts?: [string, number][]
  waits?: [number, number][]
}

function authority(
  threshold: number,
  { keys = [], accounts = [], waits = [] }: Factors,
): Authority {
  return {
    threshold,
    keys: keys.map(([n, weight]) => ({ key: key(n), weight })),
    accounts: accounts.map(([text, weight]) => ({ permission: level(text), weight })),
    waits: waits.map(([wait_sec, weight]) => ({ wait_sec, weight })),
  }
}

function checker(permissions: Record<string, Authority>, factors: Partial<ProvidedFactors>) {
  const table = new Map(
    Object.entries(permissions).map(([text, auth]) => {
      const { actor, permission } = level(text)
      return [`${actor}@${permission}`, auth] as const
    }),
  )
  return new AuthorityChecker(({ actor, permission }) => table.get(`${actor}@${permission}`), {
    keys: [],
    depth_limit: 6,
    ...factors,
  })
}

const keys = (...numbers: number[]) => keySet(numbers.map(key))

describe('authority checker', () => {
  it('adds weights up to the threshold', () => {
    const permissions = {
      'alice@active': authority(3, {
        keys: [
          [1, 1],
          [2, 2],
          [3, 1],
        ],
      }),
    }
    const satisfied = (...numbers: number[]) =>
      checker(permissions, { keys: keys(...numbers) }).satisfied(level('alice@active'))
    expect(satisfied(1, 2)).to.equal(true)
    expect(satisfied(2, 3)).to.equal(true)
    expect(satisfied(1, 3)).to.equal(false)
    expect(satisfied()).to.equal(false)
    expect(satisfied(9)).to.equal(false)
  })

  it('uses the heaviest keys, and no more than it needs', () => {
    const permissions = {
      'alice@active': authority(2, {
        keys: [
          [1, 1],
          [2, 2],
          [3, 1],
        ],
      }),
    }
    const check = checker(permissions, { keys: keys(1, 2, 3) })
    expect(check.satisfied(level('alice@active'))).to.equal(true)
    expect(check.usedKeys()).to.deep.equal([key(2)])
    expect(check.unusedKeys()).to.deep.equal([key(1), key(3)])
    expect(check.allKeysUsed()).to.equal(false)
  })

  it('gives keys back that did not satisfy', () => {
    const permissions = {
      'alice@active': authority(2, {
        keys: [
          [1, 1],
          [2, 1],
        ],
      }),
      'bob@active': authority(1, { accounts: [['alice@active', 1]], keys: [[3, 1]] }),
    }
    const check = checker(permissions, { keys: keys(1, 3) })
    expect(check.satisfied(level('alice@active'))).to.equal(false)
    expect(check.usedKeys()).to.deep.equal([])
    expect(check.satisfied(level('bob@active'))).to.equal(true)
    expect(check.usedKeys()).to.deep.equal([key(3)])
  })

  it('asks waits before keys and keys before accounts of equal weight', () => {
    const permissions = {
      'bob@active': authority(1, { keys: [[2, 1]] }),
      'alice@active': authority(1, {
        keys: [[1, 1]],
        accounts: [['bob@active', 1]],
        waits: [[10, 1]],
      }),
    }
    const used = (factors: Partial<ProvidedFactors>) => {
      const check = checker(permissions, { keys: keys(1, 2), ...factors })
      expect(check.satisfied(level('alice@active'))).to.equal(true)
      return check.usedKeys()
    }
    expect(used({ delay_us: 10_000_000 })).to.deep.equal([])
    expect(used({ delay_us: 9_999_999 })).to.deep.equal([key(1)])
    expect(used({ keys: keys(2) })).to.deep.equal([key(2)])
  })

  it('counts a delay of Infinity as every wait', () => {
    const permissions = {
      'alice@active': authority(2, {
        waits: [
          [5, 1],
          [4_000_000_000, 1],
        ],
      }),
    }
    const check = checker(permissions, {})
    expect(check.satisfied(level('alice@active'), 5_000_000)).to.equal(false)
    expect(check.satisfied(level('alice@active'), Infinity)).to.equal(true)
    // A delay for one question does not stay.
    expect(check.satisfied(level('alice@active'))).to.equal(false)
  })

  it('takes provided permissions for satisfied, an empty name for all of an actor', () => {
    const permissions = {
      'alice@active': authority(1, { accounts: [['token@eosio.code', 1]] }),
      'bob@active': authority(1, { accounts: [['carol@trade', 1]] }),
    }
    const satisfied = (asked: string, ...provided: string[]) =>
      checker(permissions, { permissions: levelSet(provided.map(level)) }).satisfied(level(asked))
    expect(satisfied('alice@active', 'token@eosio.code')).to.equal(true)
    expect(satisfied('alice@active', 'token@active')).to.equal(false)
    expect(satisfied('bob@active', 'carol@')).to.equal(true)
    expect(satisfied('alice@active', 'alice@active')).to.equal(true)
  })

  it('stops at the depth limit', () => {
    const permissions = {
      'a@active': authority(1, { accounts: [['b@active', 1]] }),
      'b@active': authority(1, { accounts: [['c@active', 1]] }),
      'c@active': authority(1, { keys: [[1, 1]] }),
    }
    const satisfied = (depth_limit: number) =>
      checker(permissions, { keys: keys(1), depth_limit }).satisfied(level('a@active'))
    expect(satisfied(3)).to.equal(true)
    expect(satisfied(2)).to.equal(false)
    expect(satisfied(0)).to.equal(false)
  })

  it('does not run in circles', () => {
    const permissions = {
      'a@active': authority(2, { accounts: [['b@active', 1]], keys: [[1, 1]] }),
      'b@active': authority(1, { accounts: [['a@active', 1]], keys: [[2, 1]] }),
    }
    const satisfied = (...numbers: number[]) =>
      checker(permissions, { keys: keys(...numbers) }).satisfied(level('a@active'))
    expect(satisfied(1)).to.equal(false)
    expect(satisfied(1, 2)).to.equal(true)
  })

  it('evaluates a permission once, also when it was reached too deep to be satisfied', () => {
    const permissions = {
      'a@active': authority(1, {
        accounts: [
          ['b@active', 2],
          ['c@active', 1],
        ],
      }),
      'b@active': authority(1, { accounts: [['c@active', 1]] }),
      'c@active': authority(1, { accounts: [['d@active', 1]] }),
      'd@active': authority(1, { keys: [[1, 1]] }),
    }
    // Through b, c is met at depth 2, where its account d is beyond the limit; the answer stays.
    const check = checker(permissions, { keys: keys(1), depth_limit: 3 })
    expect(check.satisfied(level('a@active'))).to.equal(false)
    expect(check.satisfied(level('c@active'))).to.equal(true)
  })

  it('never satisfies an authority without factors, nor an unknown permission', () => {
    const check = checker({ 'nobody@owner': authority(0, {}) }, { keys: keys(1) })
    expect(check.satisfied(level('nobody@owner'))).to.equal(false)
    expect(check.satisfied(level('unknown@owner'))).to.equal(false)
  })

  it('orders key and permission sets', () => {
    expect(keys(3, 1, 3)).to.deep.equal([key(1), key(3)])
    const levels = levelSet([
      level('b@active'),
      level('a@owner'),
      level('a@active'),
      level('b@active'),
    ])
    expect(levels).to.deep.equal([level('a@active'), level('a@owner'), level('b@active')])
  })
})
