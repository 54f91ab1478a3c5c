import { expect } from 'chai'
import { biosContract } from '../../src/engine/services/production/development/bios_contract.ts'
import { DEVELOPMENT_PUBLIC_KEY } from '../../src/node/development.ts'
import { Chain } from '../../src/in_process/index.ts'

const KEY = DEVELOPMENT_PUBLIC_KEY

describe('project: the small system contract', () => {
  let chain: Chain
  beforeEach(() => {
    chain = Chain.create()
    chain.createAccounts('alice', 'bob')
    const { wasm, abi } = biosContract()
    chain.deploy('eosio', wasm, abi)
  })
  const eosio = () => chain.account('eosio').actions

  it('sets limits of an account, and native actions still work', () => {
    const limits = { account: 'alice', ram_bytes: 4000, net_weight: -1, cpu_weight: -1 }
    eosio()['setalimits']!(limits).send()
    const permissions = (name: string, count: number) =>
      Array.from({ length: count }, (_, i) =>
        eosio()['updateauth']!({
          account: name,
          permission: `p${'abcdefgh'[i]}`,
          parent: 'active',
          auth: { threshold: 1, keys: [{ key: KEY, weight: 1 }], accounts: [], waits: [] },
        }).as(`${name}@active`),
      )
    chain.transact(permissions('alice', 1))
    expect(() => chain.transact(permissions('alice', 8))).throw(
      /account alice has insufficient ram; needs \d+ bytes has 4000 bytes/,
    )
    chain.transact(permissions('bob', 8))
  })

  it('sets and removes the privilege of an account', () => {
    expect(chain.account('bob').privileged).equal(false)
    eosio()['setpriv']!({ account: 'bob', is_priv: 1 }).send()
    expect(chain.account('bob').privileged).equal(true)
    eosio()['setpriv']!({ account: 'bob', is_priv: 0 }).send()
    expect(chain.account('bob').privileged).equal(false)
  })

  it('obeys its account alone', () => {
    const call = eosio()['setpriv']!({ account: 'bob', is_priv: 1 })
    expect(() => call.send('alice@active')).throw(/missing authority of eosio/)
    expect(chain.account('bob').privileged).equal(false)
  })
})
