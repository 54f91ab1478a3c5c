import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { Chain, ChainError, TransactionError } from '../../src/in_process/index.ts'
import type { Account } from '../../src/in_process/index.ts'
import { contractFiles } from '../support/contracts.ts'

const TOKEN = contractFiles('eosio.token')

/** The error that `f` throws, which must be one of a transaction. */
function failureOf(f: () => unknown): TransactionError {
  try {
    f()
  } catch (error) {
    expect(error).instanceOf(TransactionError)
    return error as TransactionError
  }
  throw new Error('it did not fail')
}

describe('a chain in process', () => {
  let chain: Chain
  let token: Account

  beforeEach(() => {
    chain = Chain.create({ time: '2024-02-29T12:00:00' })
    chain.createAccounts('alice', 'bob')
    token = chain.deploy('eosio.token', TOKEN.wasm, TOKEN.abi)
    token.actions.create!({ issuer: 'alice', maximum_supply: '1000.0000 SYS' }).send()
    token.actions.issue!({ to: 'alice', quantity: '100.0000 SYS', memo: '' }).send('alice')
  })

  const transfer = (quantity: string) =>
    token.action('transfer', { from: 'alice', to: 'bob', quantity, memo: '' })

  it('runs an action as any account and shows what it did', () => {
    const result = transfer('1.5000 SYS').send('alice@active')
    expect(result.status).equal('executed')
    expect(result.cpu_usage_us).equal(100)
    expect(result.ram_deltas).deep.equal([{ account: 'alice', delta: 240 }])
    expect(result.trace.action_traces.map(({ receiver }) => receiver)).deep.equal([
      'eosio.token',
      'alice',
      'bob',
    ])
    expect(result.trace.action_traces[0]!.act.data).deep.include({ quantity: '1.5000 SYS' })
    expect(token.tables.accounts!('bob').get('SYS')).deep.equal({ balance: '1.5000 SYS' })
    expect(token.tables.accounts!('carol').get('SYS')).equal(undefined)
  })

  it('takes the fields of an action in order, and values that are not JSON', () => {
    token.action('transfer', ['alice', 'bob', { toJSON: () => '2.0000 SYS' }, '']).send('alice')
    expect(token.table('accounts', 'bob').rows()).deep.equal([{ balance: '2.0000 SYS' }])
  })

  it('takes packed data, from the context of a test runner too', () => {
    const packed = '0000000000855c340000000000000e3d10270000000000000453595300000000' + '00'
    const bytes = Buffer.from(packed, 'hex')
    const list = JSON.stringify([...bytes])
    for (const data of [bytes, runInNewContext(`Uint8Array.from(${list})`) as Uint8Array]) {
      token.action('transfer', data).send('alice')
    }
    expect(token.table('accounts', 'bob').rows()).deep.equal([{ balance: '2.0000 SYS' }])
  })

  it('fails with the text of the contract and the code of the reference, and changes nothing', () => {
    const error = failureOf(() => transfer('100.0001 SYS').send('alice'))
    expect(error).instanceOf(ChainError)
    expect(error).include({
      code: 3050003,
      errorName: 'eosio_assert_message_exception',
      assertion: 'overdrawn balance',
      message: 'assertion failure with message: overdrawn balance',
    })
    expect(token.table('accounts', 'alice').get('SYS')).deep.equal({ balance: '100.0000 SYS' })
  })

  it('refuses an action that lacks the authority that the contract requires', () => {
    const error = failureOf(() => transfer('1.0000 SYS').send('bob'))
    expect(error).include({ code: 3090004, assertion: undefined })
  })

  it('runs several actions as one transaction, all or none', () => {
    const calls = [transfer('60.0000 SYS'), transfer('60.0000 SYS')].map((call) => call.as('alice'))
    expect(failureOf(() => chain.transact(calls)).assertion).equal('overdrawn balance')
    chain.transact([calls[0]!])
    expect(token.table('accounts', 'bob').get('SYS')).deep.equal({ balance: '60.0000 SYS' })
  })

  it('says what an action, an ABI or an account lacks', () => {
    expect(() => token.action('transfr')).throw(ChainError, /no action transfr; it has .*transfer/)
    expect(() => token.action('transfer', { from: 'alice' })).throw(ChainError, /to/)
    expect(() => chain.account('carol')).throw(ChainError, 'there is no account carol')
    expect(() => chain.account('alice').action('x')).throw(ChainError, 'alice has no ABI')
    expect(() => transfer('1.0000 SYS').as('alice@active@x')).throw(ChainError, 'alice@active')
    expect(failureOf(() => chain.createAccount('alice')).errorName).equal(
      'account_name_exists_exception',
    )
  })

  it('runs the same action any number of times in one block, and makes blocks of them', () => {
    const { block_num } = chain
    for (let i = 0; i < 2100; i++) transfer('0.0001 SYS').send('alice')
    // 2000 transactions of 100 microseconds are a block.
    expect(chain.block_num).equal(block_num + 1)
    expect(token.table('accounts', 'bob').get('SYS')).deep.equal({ balance: '0.2100 SYS' })
  })

  it('goes back to checkpoints, in any order and any number of times', () => {
    const before = { time: chain.time.now, block_num: chain.block_num }
    const first = chain.checkpoint()
    transfer('1.0000 SYS').send('alice')
    const second = chain.checkpoint()
    transfer('1.0000 SYS').send('alice')
    chain.mine(3)
    second.goBack()
    expect(token.table('accounts', 'bob').get('SYS')).deep.equal({ balance: '1.0000 SYS' })
    for (let i = 0; i < 3; i++) {
      first.goBack()
      expect(token.table('accounts', 'bob').rows()).deep.equal([])
      transfer('3.0000 SYS').send('alice')
      chain.time.advance({ days: 1 })
    }
    first.goBack()
    // The block of the transactions before it ended.
    expect(chain.block_num).equal(before.block_num + 1)
    expect(chain.time.now.getTime()).equal(before.time.getTime() + 500)
    expect(() => second.goBack()).throw(ChainError, 'dropped')
    first.drop()
    expect(() => first.drop()).throw(ChainError, 'dropped')
  })

  it('goes back within a block: the block then has what came after alone', () => {
    const start = chain.checkpoint()
    const ids = [0, 1].map(() => {
      const { id } = transfer('1.0000 SYS').send('alice')
      failureOf(() => transfer('1000.0000 SYS').send('alice'))
      start.goBack()
      return id
    })
    // Nothing of the first one is left, not even its id.
    expect(ids[0]).equal(ids[1])
    const { id } = transfer('7.0000 SYS').send('alice')
    chain.mine()
    const block = chain.api.get_block({ block_num_or_id: chain.block_num - 1 })
    const trx = block.transactions.map(({ trx }) => (typeof trx === 'string' ? trx : trx.id))
    expect(trx).deep.equal([id])
    expect(token.table('accounts', 'bob').get('SYS')).deep.equal({ balance: '7.0000 SYS' })
    start.goBack()
    expect(token.table('accounts', 'bob').rows()).deep.equal([])
  })

  it('has a time that moves with blocks, by a span, and to a moment', () => {
    expect(chain.time.now.toISOString()).equal('2024-02-29T12:00:00.000Z')
    chain.mine(2)
    expect(chain.time.now.toISOString()).equal('2024-02-29T12:00:01.000Z')
    chain.time.advance({ hours: 24, seconds: 1.2 })
    expect(chain.time.now.toISOString()).equal('2024-03-01T12:00:02.500Z')
    chain.time.set('2030-01-01T00:00:00')
    expect(transfer('1.0000 SYS').send('alice').block_time).equal('2030-01-01T00:00:00.000')
    expect(() => chain.time.set(new Date(0))).throw(RangeError, 'forwards')
    expect(() => chain.time.set('tomorrow')).throw(RangeError, 'tomorrow is not a time')
    expect(() => chain.time.advance({ dayz: 1 } as never)).throw(TypeError, 'dayz is not a part')
    expect(() => chain.time.advance(-1)).throw(RangeError, 'forwards')
    expect(() => chain.time.advance({ days: 365 * 50 })).throw(RangeError, '2068')
  })

  it('continues where its time is set to what it is, at once after actions', () => {
    for (const move of [
      () => chain.time.advance(0),
      () => chain.time.set(chain.time.now),
      () => chain.time.advance({ days: 0 }),
      () => chain.time.advance({ days: undefined } as never),
    ]) {
      transfer('1.0000 SYS').send('alice')
      const before = chain.time.now.getTime()
      move()
      transfer('1.0000 SYS').send('alice')
      expect(chain.time.now.getTime()).equal(before + 500)
    }
  })

  it('says that there is no time for a further block', () => {
    const last = new Date(Date.UTC(2000, 0, 1) + (2 ** 32 - 1) * 500)
    chain.time.set(last)
    transfer('1.0000 SYS').send('alice')
    expect(() => chain.mine(2)).throw(RangeError, '2068')
    expect(() => transfer('1.0000 SYS').send('alice')).throw(RangeError, '2068')
    expect(token.tables.accounts!('bob').get('SYS')).deep.equal({ balance: '1.0000 SYS' })
  })

  it('is one of several, which know nothing of each other', () => {
    const other = Chain.create({ time: '2020-01-01' })
    expect(other.hasAccount('alice')).equal(false)
    expect(other.chain_id).equal(chain.chain_id)
    other.deploy('eosio.token', TOKEN.wasm, TOKEN.abi)
    expect(other.account('eosio.token').table('stat', 'SYS').rows()).deep.equal([])
    expect(token.table('stat', 'SYS').get('SYS')).include({ supply: '100.0000 SYS' })
  })

  it('sets code and ABI that are there already without a transaction', () => {
    chain.mine()
    const { block_num } = chain
    token.deploy(TOKEN.wasm, TOKEN.abi)
    chain.mine()
    expect(chain.block_num).equal(block_num + 1)
    expect(() => token.deploy(TOKEN.wasm)).throw(TypeError, 'needs an ABI')
    expect(() => token.deploy(TOKEN.wasm, '{"version"')).throw(ChainError, 'JSON')
  })

  it('refuses options that are out of range', () => {
    expect(() => Chain.create({ bill_cpu_us: 99 })).throw(RangeError, 'bill_cpu_us')
    expect(() => Chain.create({ time_limit_ms: 0 })).throw(RangeError, 'time_limit_ms')
    expect(() => Chain.create({ time: '2018-01-01' })).throw(RangeError, 'time')
    expect(() => Chain.create({ time: 'now' })).throw(RangeError, 'time')
    expect(() => Chain.create({ cpu: 100 } as never)).throw(TypeError, 'cpu is not an option')
    expect(() => new (Chain as unknown as new () => Chain)()).throw(TypeError, 'Chain.create()')
    expect(() => chain.mine(-1)).throw(RangeError, 'blocks')
  })
})
