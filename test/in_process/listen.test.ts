/** A chain of a test, as wallets and explorers see it. */
import { expect } from 'chai'
import { APIClient, FetchProvider } from '@wharfkit/antelope'
import { Session } from '@wharfkit/session'
import { WalletPluginPrivateKey } from '@wharfkit/wallet-plugin-privatekey'
import { Chain } from '../../src/in_process/index.ts'
// The chain requires it: Node.js 20 takes only sources that are loaded already.
import '../../src/in_process/listening.ts'
import type { Listening } from '../../src/in_process/index.ts'
import { contractFiles } from '../support/contracts.ts'

const KEY = '5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3'

describe('a chain in process: listen', () => {
  const chain = Chain.create()
  let listening: Listening
  let client: APIClient

  before(async () => {
    const token = contractFiles('eosio.token')
    chain.createAccounts('alice', 'bob')
    const { actions } = chain.deploy('eosio.token', token.wasm, token.abi)
    actions.create!({ issuer: 'alice', maximum_supply: '100.0000 SYS' }).send()
    actions.issue!({ to: 'alice', quantity: '100.0000 SYS', memo: '' }).send('alice')
    chain.mine()
    listening = await chain.listen()
    client = new APIClient({ provider: new FetchProvider(listening.url, { fetch }) })
  })
  after(() => listening.close())

  const post = (path: string, body: object) =>
    fetch(`${listening.url}${path}`, { method: 'POST', body: JSON.stringify(body) })

  it('answers the API at an address of this machine', async () => {
    expect(listening.url).match(/^http:\/\/127\.0\.0\.1:\d+$/)
    const info = await client.v1.chain.get_info()
    expect(String(info.chain_id)).equal(chain.chain_id)
    const balance = await client.v1.chain.get_currency_balance('eosio.token', 'alice')
    expect(balance.map(String)).deep.equal(['100.0000 SYS'])
    chain
      .account('eosio.token')
      .action('transfer', ['alice', 'bob', '1.0000 SYS', ''])
      .send('alice')
    expect(chain.api.get_info().head_block_num).equal(Number(info.head_block_num))
    const { rows } = await client.v1.chain.get_table_rows({
      ...{ code: 'eosio.token', scope: 'bob', table: 'accounts' },
    })
    expect(rows[0]).deep.equal({ balance: '1.0000 SYS' })
  })

  it('takes transactions of wallets, each in a block of its own', async () => {
    const { head_block_num } = chain.api.get_info()
    const session = new Session({
      chain: { id: chain.chain_id, url: listening.url },
      actor: 'alice',
      permission: 'active',
      walletPlugin: new WalletPluginPrivateKey(KEY),
    })
    const data = { from: 'alice', to: 'bob', quantity: '2.0000 SYS', memo: '' }
    const names = { account: 'eosio.token', name: 'transfer' }
    const authorization = [{ actor: 'alice', permission: 'active' }]
    const { response } = await session.transact({ action: { ...names, authorization, data } })
    const after = chain.api.get_info().head_block_num
    expect(after).equal(head_block_num + 1)
    const { transactions } = chain.api.get_block({ block_num_or_id: after })
    const ids = transactions.map(({ trx }) => (typeof trx === 'string' ? trx : trx.id))
    expect(ids).include(response?.['transaction_id'])
  })

  it('answers errors as a node does, and serves no other group of operations', async () => {
    const missing = await post('/v1/chain/get_account', { account_name: 'carol' })
    expect(missing.status).equal(400)
    expect(await missing.json()).nested.include({ 'error.code': 3060002 })
    expect((await post('/v1/producer/pause', {})).status).equal(404)
    expect((await post('/v1/chain/get_info', {})).headers.get('access-control-allow-origin')).equal(
      '*',
    )
  })

  it('refuses a port that is in use', async () => {
    const port = Number(new URL(listening.url).port)
    const error = await chain.listen(port).catch((failure: Error) => failure)
    expect(error).instanceOf(Error)
    expect((error as Error).message).contain(String(port))
  })
})
