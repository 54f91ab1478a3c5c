/** A token from nothing, with unmodified wharfkit packages. */
import { expect } from 'chai'
import { TestNode } from '../support/test_node.ts'
import { until } from '../support/wait.ts'
import { WharfkitChain } from '../support/wharfkit_chain.ts'

const hex = (text: string): string => Buffer.from(text).toString('hex')

describe('clients: a token with wharfkit', () => {
  let node: TestNode
  let chain: WharfkitChain
  before(async () => {
    node = await TestNode.start()
    chain = new WharfkitChain(node.url)
  })
  after(async () => {
    await node.stop()
    expect(node.faults).deep.equal([])
  })

  it('creates accounts', async () => {
    await chain.createAccounts('eosio.token', 'alice', 'bob')
    const account = await chain.client.v1.chain.get_account('alice')
    const active = account.getPermission('active')
    expect(String(active.required_auth.keys[0]!.key)).equal(String(chain.key.toPublic()))
    expect(account.privileged).equal(false)
  })

  it('deploys the contract', async () => {
    await chain.deploy('eosio.token', 'eosio.token')
    const { abi } = await chain.client.v1.chain.get_abi('eosio.token')
    expect(abi!.actions.map(({ name }) => String(name))).include.members(['create', 'transfer'])
    const raw = await chain.client.v1.chain.get_raw_abi('eosio.token')
    expect(String(raw.account_name)).equal('eosio.token')
    expect(raw.abi.array.length).greaterThan(100)
  })

  it('creates, issues and transfers', async () => {
    const token = (name: string, actor: string, data: object) =>
      chain.act('eosio.token', name, actor, data)
    await token('create', 'eosio.token', { issuer: 'alice', maximum_supply: '1000000.0000 SYS' })
    await token('issue', 'alice', { to: 'alice', quantity: '1000.0000 SYS', memo: 'all' })
    const transfer = { from: 'alice', to: 'bob', quantity: '25.0000 SYS', memo: 'lunch' }
    const { response } = await token('transfer', 'alice', transfer)
    const traces = response!.processed.action_traces as { receiver: string }[]
    expect(traces.map(({ receiver }) => receiver)).deep.equal(['eosio.token', 'alice', 'bob'])

    const balances = await chain.client.v1.chain.get_currency_balance('eosio.token', 'bob', 'SYS')
    expect(balances.map(String)).deep.equal(['25.0000 SYS'])
    const rows = { code: 'eosio.token', scope: 'alice', table: 'accounts' }
    const table = await chain.client.v1.chain.get_table_rows(rows)
    expect(table.rows).deep.equal([{ balance: '975.0000 SYS' }])
    const supply = await node.chain('get_currency_stats', { code: 'eosio.token', symbol: 'SYS' })
    // This build of the contract keeps no maximum; the reference's answer is the same.
    expect(supply.body).deep.equal({
      SYS: { supply: '1000.0000 SYS', max_supply: '0.0000 SYS', issuer: 'alice' },
    })

    const id = String(response!.transaction_id)
    const { block_num } = response!.processed as { block_num: number }
    const found = await until('the transfer is in a block', async () => {
      if (node.head_block_num < block_num) return undefined
      for (let number = block_num; number <= node.head_block_num; number++) {
        const block = await chain.client.v1.chain.get_block(number)
        const receipt = block.transactions.find((one) => String(one.id) === id)
        if (receipt) return { block, receipt }
      }
    })
    expect(String(found.receipt.status)).equal('executed')
    const raw = await node.chain('get_block', { block_num_or_id: String(found.block.block_num) })
    const { transactions } = raw.body as {
      transactions: { trx: { id: string; transaction: { actions: object[] } } }[]
    }
    expect(transactions.find(({ trx }) => trx.id === id)!.trx.transaction.actions[0]).deep.equal({
      account: 'eosio.token',
      name: 'transfer',
      authorization: [{ actor: 'alice', permission: 'active' }],
      data: transfer,
      hex_data: '0000000000855c340000000000000e3d90d0030000000000045359530000000005' + hex('lunch'),
    })
  })

  it('reports why an overdrawn transfer failed, and nothing changes', async () => {
    const overdrawn = { from: 'bob', to: 'alice', quantity: '99.0000 SYS', memo: '' }
    const failure = await chain.act('eosio.token', 'transfer', 'bob', overdrawn).then(
      () => undefined,
      (error: Error) => error,
    )
    expect(failure?.message).equal('assertion failure with message: overdrawn balance')
    const balances = await chain.client.v1.chain.get_currency_balance('eosio.token', 'bob')
    expect(balances.map(String)).deep.equal(['25.0000 SYS'])
  })
})
