/** The same token with unmodified eosjs. */
import { expect } from 'chai'
import { Api, JsonRpc, RpcError, Serialize } from 'eosjs'
import { JsSignatureProvider } from 'eosjs/dist/eosjs-jssig.js'
import { contractFiles } from '../support/contracts.ts'
import { TestNode } from '../support/test_node.ts'
import { until } from '../support/wait.ts'

const DEVELOPMENT_KEY = '5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3'
const DEVELOPMENT_PUBLIC_KEY = 'EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV'

interface Pushed {
  transaction_id: string
  processed: { block_num: number; action_traces: { inline_traces: unknown[]; receiver: string }[] }
}

interface Block {
  transactions: { status: string; trx: { id: string; transaction: { actions: object[] } } }[]
}

describe('clients: a token with eosjs', () => {
  let node: TestNode
  let rpc: JsonRpc
  let api: Api
  before(async () => {
    node = await TestNode.start()
    rpc = new JsonRpc(node.url, { fetch })
    api = new Api({ rpc, signatureProvider: new JsSignatureProvider([DEVELOPMENT_KEY]) })
  })
  after(async () => {
    await node.stop()
    expect(node.faults).deep.equal([])
  })

  async function act(account: string, name: string, actor: string, data: object): Promise<Pushed> {
    const action = { account, name, authorization: [{ actor, permission: 'active' }], data }
    const options = { blocksBehind: 0, expireSeconds: 120 }
    return (await api.transact({ actions: [action] }, options)) as Pushed
  }

  it('creates accounts', async () => {
    const keys = [{ key: DEVELOPMENT_PUBLIC_KEY, weight: 1 }]
    const authority = { threshold: 1, keys, accounts: [], waits: [] }
    for (const name of ['eosio.token', 'alice', 'bob']) {
      const data = { creator: 'eosio', name, owner: authority, active: authority }
      await act('eosio', 'newaccount', 'eosio', data)
    }
    const { permissions } = await rpc.get_account('alice')
    expect(permissions.map(({ perm_name, parent }) => [perm_name, parent])).deep.equal([
      ['active', 'owner'],
      ['owner', ''],
    ])
  })

  it('deploys the contract', async () => {
    const { wasm, abi } = contractFiles('eosio.token')
    const account = 'eosio.token'
    const code = wasm.toString('hex')
    await act('eosio', 'setcode', account, { account, vmtype: 0, vmversion: 0, code })
    await act('eosio', 'setabi', account, { account, abi: packedAbi(abi) })
    const deployed = await rpc.get_raw_code_and_abi(account)
    expect(deployed.wasm).equal(wasm.toString('base64'))
    expect((await rpc.get_code_hash(account)).code_hash).match(/^[0-9a-f]{64}$/)
  })

  /** eosio::setabi takes the ABI in its binary form. */
  function packedAbi(json: string): string {
    const type = api.abiTypes.get('abi_def')!
    const fields = Object.fromEntries(type.fields.map(({ name }) => [name, []]))
    const buffer = new Serialize.SerialBuffer()
    type.serialize(buffer, { ...fields, ...(JSON.parse(json) as object) })
    return Buffer.from(buffer.asUint8Array()).toString('hex')
  }

  it('creates, issues and transfers', async () => {
    const token = (name: string, actor: string, data: object) =>
      act('eosio.token', name, actor, data)
    await token('create', 'eosio.token', { issuer: 'alice', maximum_supply: '1000000.0000 SYS' })
    await token('issue', 'alice', { to: 'alice', quantity: '1000.0000 SYS', memo: 'all' })
    const transfer = { from: 'alice', to: 'bob', quantity: '25.0000 SYS', memo: 'lunch' }
    const { transaction_id, processed } = await token('transfer', 'alice', transfer)
    // push_transaction nests what an action caused.
    expect(processed.action_traces.map(({ receiver }) => receiver)).deep.equal(['eosio.token'])
    expect(processed.action_traces[0]!.inline_traces).length(2)

    expect(await rpc.get_currency_balance('eosio.token', 'bob', 'SYS')).deep.equal(['25.0000 SYS'])
    expect(await rpc.get_currency_balance('eosio.token', 'bob')).deep.equal(['25.0000 SYS'])
    const where = { code: 'eosio.token', scope: 'alice', table: 'accounts' }
    const { rows } = await rpc.get_table_rows({ json: true, ...where })
    expect(rows).deep.equal([{ balance: '975.0000 SYS' }])

    const receipt = await until('the transfer is in a block', async () => {
      for (let number = processed.block_num; number <= node.head_block_num; number++) {
        // The type of eosjs knows the packed form of a transaction alone.
        const { transactions } = (await rpc.get_block(number)) as unknown as Block
        const found = transactions.find(({ trx }) => trx.id === transaction_id)
        if (found) return found
      }
    })
    expect(receipt.status).equal('executed')
    expect(receipt.trx.transaction.actions[0]).deep.include({ name: 'transfer', data: transfer })
  })

  it('reports why an overdrawn transfer failed', async () => {
    const overdrawn = { from: 'bob', to: 'alice', quantity: '99.0000 SYS', memo: '' }
    const failure = await act('eosio.token', 'transfer', 'bob', overdrawn).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failure).instanceOf(RpcError)
    const { message, json } = failure as RpcError
    expect(message).equal('assertion failure with message: overdrawn balance')
    expect((json as { code: number; error: object }).error).deep.include({
      code: 3050003,
      name: 'eosio_assert_message_exception',
    })
    expect(await rpc.get_currency_balance('eosio.token', 'bob')).deep.equal(['25.0000 SYS'])
  })

  it('signs with what get_required_keys answers', async () => {
    const required = await rpc.getRequiredKeys({
      transaction: {
        expiration: '2030-01-01T00:00:00.000',
        ref_block_num: 0,
        ref_block_prefix: 0,
        actions: [
          {
            account: 'eosio.token',
            name: 'transfer',
            authorization: [{ actor: 'alice', permission: 'active' }],
            data: '',
          },
        ],
      },
      availableKeys: [
        DEVELOPMENT_PUBLIC_KEY,
        'PUB_K1_5bbkxaLdB5bfVZW6DJY8M74vwT2m61PqwywNUa5azfkJTvYa5H',
      ],
    })
    expect(required.map(String)).deep.equal([
      'PUB_K1_6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5BoDq63',
    ])
  })

  it('reads the chain with every other method of its client', async () => {
    expect((await rpc.get_abi('eosio.token')).account_name).equal('eosio.token')
    expect((await rpc.get_raw_abi('eosio.token')).abi).a('string')
    expect((await rpc.get_code('eosio.token')).code_hash).match(/^[0-9a-f]{64}$/)
    expect((await rpc.get_block_info(1)).block_num).equal(1)
    expect((await rpc.get_block_header_state(node.head_block_num)).block_num).a('number')
    expect((await rpc.get_currency_stats('eosio.token', 'SYS')).SYS!.issuer).equal('alice')
    expect((await rpc.get_producer_schedule()).active!.producers).length(1)
    expect((await rpc.get_producers()).rows.map(({ owner }) => owner)).deep.equal(['eosio'])
    expect((await rpc.get_scheduled_transactions()).transactions).deep.equal([])
    expect((await rpc.get_activated_protocol_features({})).activated_protocol_features).a('array')
    const scopes = await rpc.get_table_by_scope({ code: 'eosio.token', table: 'accounts' })
    expect(scopes.rows.map(({ scope }) => scope)).deep.equal(['alice', 'bob'])
  })
})
