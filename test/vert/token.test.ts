/** A suite as users of VeRT write it: the token contract. */
import { Asset, Name, TimePointSec } from '@wharfkit/antelope'
import { expect } from 'chai'
import {
  Blockchain,
  antelopeAssert,
  expectToThrow,
  mintTokens,
  nameToBigInt,
  protonAssert,
  symbolCodeToBigInt,
} from '../../src/vert/index.ts'
import { shipped } from './shipped.ts'

describe('pronghorn/vert: a token', () => {
  const blockchain = new Blockchain()
  const token = blockchain.createContract('eosio.token', shipped('eosio.token'))
  const [alice, bob] = blockchain.createAccounts('alice', 'bob')

  const balanceOf = (account: string, code: string): string | undefined =>
    token.tables.accounts!(nameToBigInt(account)).getTableRow(
      symbolCodeToBigInt(Asset.SymbolCode.from(code)),
    )?.balance

  beforeEach(() => {
    blockchain.resetTables()
  })

  it('actions take their fields in order or by name, and rows are plain values', async () => {
    await token.actions.create!(['alice', '1000.000 TKN']).send()
    await token.actions.issue!({ to: alice!.name, quantity: '500.000 TKN', memo: '' }).send('alice')
    const key = symbolCodeToBigInt(Asset.SymbolCode.from('TKN'))
    expect(token.tables.stat!(key).getTableRow(key)).deep.include({
      supply: '500.000 TKN',
      issuer: 'alice',
    })
    expect(token.tables.stat!(key).get(key).issuer).deep.equal(Name.from('alice'))
    expect(token.tables.stat!(key).get(1n)).equal(undefined)
  })

  it('tokens are minted to several accounts, and removed by a reset of the tables', async () => {
    await mintTokens(token, 'XPR', 4, 1000000, 100, [alice!, bob!])
    expect(balanceOf('alice', 'XPR')).equal('100.0000 XPR')
    await token.actions.transfer!(['alice', 'bob', '30.0000 XPR', 'rent']).send('alice@active')
    expect(balanceOf('bob', 'XPR')).equal('130.0000 XPR')
    blockchain.resetTables()
    expect(balanceOf('bob', 'XPR')).equal(undefined)
    await mintTokens(token, 'XPR', 4, 1000000, 7, [bob!])
    expect(balanceOf('bob', 'XPR')).equal('7.0000 XPR')
  })

  it('failures have the texts of VeRT, and change nothing', async () => {
    await mintTokens(token, 'XPR', 4, 1000, 100, [alice!])
    const send = (quantity: string, by: string): Promise<unknown> =>
      token.actions.transfer!(['alice', 'bob', quantity, '']).send(by)
    await expectToThrow(send('101.0000 XPR', 'alice'), protonAssert('overdrawn balance'))
    await expectToThrow(
      send('-1.0000 XPR', 'alice'),
      antelopeAssert('must transfer positive quantity'),
    )
    await expectToThrow(send('1.0000 XPR', 'bob'), 'missing required authority alice')
    // A name that has no letter of names is empty.
    await expectToThrow(
      token.actions.transfer!(['ALICE', 'bob', '1.0000 XPR', '']).send('alice'),
      'missing required authority ',
    )
    await expectToThrow(send('1.0000 XPR', 'carol'), 'Account carol is missing for inline action')
    await expectToThrow(
      send('1.0000 XPR', 'alice@voting'),
      'Account alice has no permission voting',
    )
    expect(balanceOf('alice', 'XPR')).equal('100.0000 XPR')
  })

  it('data that do not fit are refused before they are sent', () => {
    expect(() => token.actions.create!(['alice', '1.0000000000000000000 NKT'])).throws(
      'Encoding error at root<create>.maximum_supply<asset>: Invalid asset symbol, precision too large',
    )
    expect(() => token.actions.create!({ issuer: 'alice' })).throws(
      'Missing field maximum_supply on action create',
    )
    expect(() => token.actions.create!(['alice', '1 NKT', 'more'])).throws(
      'Action create has 2 fields, not 3',
    )
  })

  it('an expectation that is not met says what happened', async () => {
    const failure = await expectToThrow(
      token.actions.create!(['alice', '1 TKN']).send(),
      'something else',
    ).catch((error: Error) => error)
    expect(failure?.message).include('Was expecting to fail with something else')
  })

  it('rows are listed in the order of their keys, from a key on, up to a limit', async () => {
    for (const symbol of ['BBB', 'AAA', 'CCC']) {
      await token.actions.create!(['alice', `10 ${symbol}`]).send()
      await token.actions.issue!(['alice', `10 ${symbol}`, '']).send('alice')
    }
    const rows = token.tables.accounts!(nameToBigInt('alice'))
    const balances = ['10 AAA', '10 BBB', '10 CCC'].map((balance) => ({ balance }))
    expect(rows.getTableRows()).deep.equal(balances)
    expect(rows.getTableRows(0n, { limit: 2 })).deep.equal(balances.slice(0, 2))
    const key = symbolCodeToBigInt(Asset.SymbolCode.from('BBB'))
    expect(rows.getTableRows(key)).deep.equal(balances.slice(1))
    expect(rows.getTableRow(key.toString())).deep.equal({ balance: '10 BBB' })
  })

  it('rows are written without the contract, which then finds them', async () => {
    await token.actions.create!(['alice', '1000 TKN']).send()
    const key = symbolCodeToBigInt(Asset.SymbolCode.from('TKN'))
    const accounts = token.tables.accounts!(nameToBigInt('alice'))
    accounts.set(key, Name.from('alice'), { balance: '40 TKN' })
    accounts.set(key, Name.from('alice'), { balance: '50 TKN' })
    await token.actions.transfer!(['alice', 'bob', '20 TKN', '']).send('alice')
    expect(accounts.getTableRows()).deep.equal([{ balance: '30 TKN' }])
    expect(balanceOf('bob', 'TKN')).equal('20 TKN')
  })

  it('notifications and inline actions are in the traces', async () => {
    await mintTokens(token, 'XPR', 4, 1000, 100, [alice!])
    expect(blockchain.executionTraces.map(({ action }) => String(action))).deep.equal(['transfer'])
    const { data, contract, isInline, isNotification } = blockchain.executionTraces[0]!
    expect(data).deep.include({ quantity: '100.0000 XPR' })
    expect([String(contract), isInline, isNotification]).deep.equal(['eosio.token', false, false])
    expect(blockchain.actionTraces[0]!.receiver).equal(token)
    expect(blockchain.actionTraces[0]!.returnValue).equal(undefined)
  })

  it('saved tables are brought back', async () => {
    await mintTokens(token, 'XPR', 4, 1000, 100, [alice!])
    const store = blockchain.store
    blockchain.resetTables()
    expect(balanceOf('alice', 'XPR')).equal(undefined)
    blockchain.resetTables(store)
    expect(balanceOf('alice', 'XPR')).equal('100.0000 XPR')
    const snapshot = store.snapshot()
    await token.actions.transfer!(['alice', 'bob', '1.0000 XPR', '']).send('alice')
    expect(balanceOf('alice', 'XPR')).equal('99.0000 XPR')
    store.revertTo(snapshot)
    expect(balanceOf('alice', 'XPR')).equal('100.0000 XPR')
  })

  it('the time stays where the test set it', async () => {
    const set = TimePointSec.from('2030-01-01T00:00:00')
    blockchain.setTime(set)
    await mintTokens(token, 'XPR', 4, 1000, 100, [alice!])
    expect(blockchain.timestamp.toMilliseconds()).equal(set.toMilliseconds())
  })
})
