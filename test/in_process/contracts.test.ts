/** What contracts print, return, assert and store, and what chains answer about it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { PrivateKey, Serializer, SignedTransaction, Transaction } from '@wharfkit/antelope'
import { Chain, ChainError, TransactionError } from '../../src/in_process/index.ts'
import { contractFiles } from '../support/contracts.ts'
import { temporaryFolder } from '../support/node_process.ts'
import { SAMPLE_ABI, SAMPLE_WASM } from './sample_contract.ts'

const KEY = PrivateKey.from('5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3')

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

describe('a chain in process: contracts', () => {
  const chain = Chain.create({ time: '2024-01-01', time_limit_ms: 200 })
  const sample = chain.deploy('sample', SAMPLE_WASM, SAMPLE_ABI)

  it('has what contracts print, and what they return by the ABI', () => {
    expect(sample.action('say').send().console).equal('hello from the contract\n')
    const said = chain.transact([sample.action('say'), sample.action('say')])
    expect(said.console).equal('hello from the contract\n'.repeat(2))
    expect(said.return_value).equal(undefined)
    const now = sample.action('now').send()
    expect(now.return_value).equal(String(chain.time.now.getTime() * 1000))
    expect(now.trace.action_traces[0]!.return_value_data).equal(now.return_value)
  })

  it('fails with the number of an assertion without text, and what was printed before', () => {
    const error = failureOf(() => sample.action('code').send())
    expect(error).include({ code: 3050004, assertion: undefined, assertion_code: 42n })
    expect(error.console).equal('hello')
  })

  it('ends a contract that does not end by itself', () => {
    expect(failureOf(() => sample.action('spin').send()).errorName).equal('deadline_exception')
    expect(sample.action('say').send().status).equal('executed')
  })

  it('reads tables by primary and by secondary index', () => {
    sample.action('rank').send()
    const ranks = sample.table<{ id: number; rank: number }>('ranks', 0)
    const ids = (query: Parameters<typeof ranks.rows>[0]) => ranks.rows(query).map(({ id }) => id)
    expect(ranks.get(2)).deep.equal({ id: 2, rank: 10 })
    expect(ranks.get(2n)).deep.equal({ id: 2, rank: 10 })
    expect(ranks.get(4)).equal(undefined)
    expect(ids({})).deep.equal([1, 2, 3])
    expect(ids({ reverse: true, limit: 2 })).deep.equal([3, 2])
    expect(ids({ index: 2, key_type: 'i64' })).deep.equal([2, 3, 1])
    expect(ids({ index: 2, key_type: 'i64', lower_bound: 20 })).deep.equal([3, 1])
    expect(ids({ limit: 0 })).deep.equal([])
    expect(() => ranks.rows({ index: 2 })).throw(ChainError, 'key type required')
    expect(sample.tables.ranks!('other').rows()).deep.equal([])
    expect(() => sample.table('nothing').rows()).throw(ChainError, 'not specified in the ABI')
  })
})

describe('a chain in process: where contracts are found', () => {
  const started_in = process.cwd()
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => {
    folder = temporaryFolder()
    process.chdir(folder.path)
  })
  afterEach(() => {
    process.chdir(started_in)
    folder.remove()
  })

  function write(stem: string, has_abi = true): void {
    mkdirSync(join(stem, '..'), { recursive: true })
    writeFileSync(`${stem}.wasm`, SAMPLE_WASM)
    if (has_abi) writeFileSync(`${stem}.abi`, JSON.stringify(SAMPLE_ABI))
  }

  it('by a path, with and without the extension, and in a folder', () => {
    write('build/sample')
    write('two/a')
    write('two/b')
    const chain = Chain.create()
    for (const code of ['build/sample', './build/sample.wasm', 'build', join(folder.path, 'build')])
      expect(chain.deploy('sample', code).action('say').send().console).match(/^hello/)
    expect(chain.deploy('b', 'two').action('say').send().console).match(/^hello/)
  })

  it('in an npm package, by its name or by a path in it, from folders below it too', () => {
    write('node_modules/pack/build/sample')
    write('node_modules/pack/build/other')
    write('node_modules/@scope/pack/contract')
    mkdirSync('test')
    const chain = Chain.create()
    for (const [account, code] of [
      ['sample', 'pack'],
      ['second', 'pack/build/other'],
      ['third', '@scope/pack'],
    ] as const) {
      expect(chain.deploy(account, code).action('say').send().console).match(/^hello/)
    }
    process.chdir('test')
    const fourth = chain.createAccount('fourth')
    expect(fourth.deploy('@scope/pack').action('say').send().console).match(/^hello/)
    expect(() => chain.deploy('fifth', 'pack')).throw(Error, 'has several contracts')
  })

  it('with an ABI that is elsewhere', () => {
    write('node_modules/pack/sample', false)
    const chain = Chain.create()
    expect(() => chain.deploy('sample', 'pack')).throw(Error, 'there is no contract')
    expect(chain.deploy('sample', 'pack', SAMPLE_ABI).action('say').send().console).match(/^hello/)
  })

  it('an error says where they were looked for, and no account is made', () => {
    const chain = Chain.create()
    expect(() => chain.deploy('sample', 'nothing')).throw(
      `deploy sample=nothing: there is no contract; looked for ${join(process.cwd(), 'nothing.wasm')}`,
    )
    write('lone', false)
    expect(() => chain.deploy('sample', 'lone')).throw(/there is no ABI beside .*lone\.wasm/)
    expect(chain.hasAccount('sample')).equal(false)
  })
})

describe('a chain in process: transactions and operations', () => {
  let chain: Chain
  const token = contractFiles('eosio.token')

  beforeEach(() => {
    chain = Chain.create({ any_account: false })
    chain.createAccounts('alice', 'bob')
    chain.deploy('eosio.token', token.wasm, token.abi)
    const { actions } = chain.account('eosio.token')
    actions.create!({ issuer: 'alice', maximum_supply: '1000.0000 SYS' }).send()
    actions.issue!({ to: 'alice', quantity: '100.0000 SYS', memo: '' }).send('alice')
  })

  const transfer = (quantity: string) => ({
    account: 'eosio.token',
    name: 'transfer',
    authorization: [{ actor: 'alice', permission: 'active' }],
    data: { from: 'alice', to: 'bob', quantity, memo: '' },
  })
  const balance = (name: string) =>
    chain.account('eosio.token').table('accounts', name).get('SYS')?.['balance']

  it('takes actions as the HTTP API does', () => {
    chain.transact({ actions: [transfer('1.0000 SYS')] })
    chain.transact([{ ...transfer('2.0000 SYS'), authorization: ['alice@active'] }])
    const [call] = [chain.account('eosio.token').action('transfer', transfer('3.0000 SYS').data)]
    chain.transact([call.as('alice'), transfer('4.0000 SYS')])
    expect(balance('bob')).equal('10.0000 SYS')
    expect(() => chain.transact([{ ...transfer('x'), data: { from: 'alice' } }])).throw(ChainError)
  })

  /** A transaction made and signed by a client library. */
  function signed(quantity: string, key: PrivateKey, expires_ms = 60_000): SignedTransaction {
    const { head_block_id, chain_id } = chain.api.get_info()
    const abi = chain.api.get_abi({ account_name: 'eosio.token' }).abi
    const transaction = Transaction.from(
      {
        ref_block_num: Number.parseInt(head_block_id.slice(4, 8), 16),
        ref_block_prefix: Buffer.from(head_block_id, 'hex').readUInt32LE(8),
        expiration: new Date(chain.time.now.getTime() + expires_ms).toISOString().slice(0, 19),
        actions: [transfer(quantity)],
      },
      [{ contract: 'eosio.token', abi: abi as never }],
    )
    const signature = key.signDigest(transaction.signingDigest(chain_id))
    return SignedTransaction.from({ ...transaction, signatures: [signature] })
  }

  it('takes transactions that clients sign, and checks their signatures', () => {
    const transaction = signed('1.0000 SYS', KEY)
    const packed = packedForm(transaction)
    expect(chain.pushTransaction(packed).status).equal('executed')
    expect(balance('bob')).equal('1.0000 SYS')
    expect(failureOf(() => chain.pushTransaction(packed)).errorName).equal('tx_duplicate')
    const stolen = packedForm(signed('2.0000 SYS', PrivateKey.generate('K1')))
    expect(failureOf(() => chain.pushTransaction(stolen)).errorName).equal(
      'unsatisfied_authorization',
    )
    expect(() => chain.pushTransaction({})).throw(ChainError, 'Missing signatures')
  })

  it('answers the operations of the HTTP API by name, with the pending block', async () => {
    chain.transact([transfer('1.0000 SYS')])
    const query = { code: 'eosio.token', scope: 'bob', table: 'accounts', json: true }
    expect(chain.api.get_table_rows(query).rows).deep.equal([{ balance: '1.0000 SYS' }])
    expect(chain.api.get_currency_balance({ code: 'eosio.token', account: 'bob' })).deep.equal([
      '1.0000 SYS',
    ])
    const { accounts } = chain.api.get_accounts_by_authorizers({ keys: [String(KEY.toPublic())] })
    expect(accounts.map(({ account_name }) => account_name)).include('alice')
    const account = chain.api.get_account({ account_name: 'alice' })
    expect(account.permissions.map(({ perm_name }) => perm_name)).deep.equal(['active', 'owner'])
    expect(() => chain.api.get_account({ account_name: 'carol' })).throw(ChainError)
    chain.mine()
    const { head_block_num } = chain.api.get_info()
    expect(head_block_num).equal(chain.block_num - 1)
    const block = chain.api.get_block({ block_num_or_id: head_block_num })
    expect(block.transactions.length).greaterThan(5)
    const transaction = signed('5.0000 SYS', KEY)
    const sent = await chain.api.send_transaction2({
      transaction: {
        ...packedForm(transaction),
        compression: 'none',
        packed_context_free_data: '',
      },
    })
    expect(sent!.transaction_id).equal(String(transaction.id))
    expect(balance('bob')).equal('6.0000 SYS')
  })
})

/** The transaction as it is sent to a node. */
function packedForm(transaction: SignedTransaction): { signatures: string[]; packed_trx: string } {
  const { array } = Serializer.encode({ object: Transaction.from(transaction) })
  return {
    signatures: transaction.signatures.map(String),
    packed_trx: Buffer.from(array).toString('hex'),
  }
}
