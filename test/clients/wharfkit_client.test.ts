/** Every method of wharfkit's chain client, with types that check what they read. */
import {
  APIError,
  Action,
  Asset,
  Name,
  PackedTransaction,
  SignedTransaction,
  Struct,
} from '@wharfkit/antelope'
import { expect } from 'chai'
import { TestNode } from '../support/test_node.ts'
import { until } from '../support/wait.ts'
import { WharfkitChain } from '../support/wharfkit_chain.ts'

class AccountRow extends Struct {
  static override abiName = 'account'
  static override abiFields = [{ name: 'balance', type: Asset }]
  declare balance: Asset
}

describe('clients: the chain client of wharfkit', () => {
  let node: TestNode
  let chain: WharfkitChain
  let v1: WharfkitChain['client']['v1']['chain']
  before(async () => {
    node = await TestNode.start()
    chain = new WharfkitChain(node.url)
    v1 = chain.client.v1.chain
    await chain.createToken('1000.0000', '100.0000')
    const data = transferOf('alice', 'bob', '1.0000 SYS')
    await chain.act('eosio.token', 'transfer', 'alice', data)
  })
  after(async () => {
    await node.stop()
    expect(node.faults).deep.equal([])
  })

  function transferOf(from: string, to: string, quantity: string) {
    return { from, to, quantity, memo: 'a test' }
  }

  /** A transfer of bob's, signed. */
  async function signedTransfer(quantity: string): Promise<SignedTransaction> {
    const data = transferOf('bob', 'alice', quantity)
    return chain.sign([await chain.action('eosio.token', 'transfer', 'bob', data)])
  }

  it('reads get_info', async () => {
    const info = await v1.get_info()
    expect(String(info.head_block_producer)).equal('eosio')
    expect(info.head_block_id.blockNum.equals(info.head_block_num)).equal(true)
    expect(String(info.chain_id)).match(/^[0-9a-f]{64}$/)
  })

  it('reads get_block by number and id, get_block_info and get_block_header_state', async () => {
    const block = await v1.get_block(2)
    expect(
      (await v1.get_block(block.id)).producer_signature.equals(block.producer_signature),
    ).equal(true)
    const info = await v1.get_block_info(2)
    expect(info.id.equals(block.id)).equal(true)
    expect(info.ref_block_prefix.equals(block.ref_block_prefix)).equal(true)
    const head = await v1.get_block_header_state(node.head_block_num)
    expect(head.header.previous.hexString).match(/^[0-9a-f]{64}$/)
  })

  it('reads get_account', async () => {
    const account = await v1.get_account('alice')
    expect(String(account.account_name)).equal('alice')
    expect(account.ram_quota.toNumber()).equal(-1)
    expect(Number(account.ram_usage)).greaterThan(2000)
    expect(account.getPermission('owner').required_auth.threshold.toNumber()).equal(1)
    expect(account.created.toMilliseconds()).greaterThan(0)
  })

  it('reads get_abi, get_raw_abi and get_code', async () => {
    expect((await v1.get_abi('eosio.token')).abi!.structs.length).greaterThan(3)
    expect((await v1.get_abi('bob')).abi).equal(undefined)
    const raw = await v1.get_raw_abi('eosio.token')
    expect(raw.code_hash.equals((await v1.get_code('eosio.token')).code_hash)).equal(true)
  })

  it('reads get_currency_balance and get_currency_stats', async () => {
    const [balance] = await v1.get_currency_balance('eosio.token', 'bob', 'SYS')
    expect(balance!.equals('1.0000 SYS')).equal(true)
    const stats = await v1.get_currency_stats('eosio.token', 'SYS')
    expect(stats.SYS!.supply.equals('100.0000 SYS')).equal(true)
  })

  it('reads get_table_rows: as JSON, as bytes of a known type, with payers, page by page', async () => {
    const where = { code: 'eosio.token', scope: 'alice', table: 'accounts' }
    expect((await v1.get_table_rows(where)).rows).deep.equal([{ balance: '99.0000 SYS' }])
    const typed = await v1.get_table_rows({ ...where, type: AccountRow })
    expect(typed.rows[0]!.balance.equals('99.0000 SYS')).equal(true)
    const paid = await v1.get_table_rows({ ...where, show_payer: true })
    expect(paid.ram_payers!.map(String)).deep.equal(['alice'])
    const lower_bound = Name.from('zzz')
    expect((await v1.get_table_rows({ ...where, lower_bound })).rows).deep.equal([])
  })

  it('reads get_table_by_scope', async () => {
    const page = await v1.get_table_by_scope({ code: 'eosio.token', table: 'accounts', limit: 1 })
    expect(page.rows.map(({ scope }) => String(scope))).deep.equal(['alice'])
    expect(page.more).not.equal('')
    const rest = await v1.get_table_by_scope({
      code: 'eosio.token',
      table: 'accounts',
      lower_bound: page.more,
    })
    expect(rest.rows.map(({ scope }) => String(scope))).deep.equal(['bob'])
  })

  it('reads get_producer_schedule and get_activated_protocol_features', async () => {
    const { active } = await v1.get_producer_schedule()
    expect(active!.producers.map(({ producer_name }) => String(producer_name))).deep.equal([
      'eosio',
    ])
    const features = await v1.get_activated_protocol_features()
    expect(features.activated_protocol_features).an('array')
  })

  it('compute_transaction leaves nothing behind', async () => {
    const { processed } = await v1.compute_transaction(await signedTransfer('0.1000 SYS'))
    expect(processed.receipt.status).equal('executed')
    const [balance] = await v1.get_currency_balance('eosio.token', 'bob', 'SYS')
    expect(String(balance)).equal('1.0000 SYS')
  })

  it('send_read_only_transaction runs without signatures, and refuses authority', async () => {
    const { actions, ...header } = await signedTransfer('0.1000 SYS')
    const read_only = (action: object) =>
      v1.send_read_only_transaction(
        SignedTransaction.from({ ...header, actions: [action as Action], signatures: [] }),
      )
    const refused = await read_only(actions[0]!)
    expect(refused.processed.receipt).equal(null)
    expect(refused.processed.except?.stack?.[0]?.format).equal(
      "read-only action '${name}' cannot have authorizations",
    )
    const idle = { account: 'bob', name: 'anything', authorization: [], data: '' }
    const { processed } = await read_only(idle)
    expect(processed.receipt.status).equal('executed')
  })

  it('push_transaction, send_transaction, send_transaction2 change it', async () => {
    const ids = new Set<string>()
    const pushed = await v1.push_transaction(await signedTransfer('0.0001 SYS'))
    ids.add(pushed.transaction_id)
    const sent = await v1.send_transaction(await signedTransfer('0.0002 SYS'))
    ids.add(sent.transaction_id)
    const packed = PackedTransaction.fromSigned(await signedTransfer('0.0003 SYS'))
    ids.add((await v1.send_transaction2(packed)).transaction_id)
    expect(ids.size).equal(3)
    const [balance] = await v1.get_currency_balance('eosio.token', 'bob', 'SYS')
    expect(String(balance)).equal('0.9994 SYS')
  })

  it('a failure has the code, the name and the words of the reference', async () => {
    const overdrawn = await signedTransfer('50.0000 SYS')
    const sends = [
      v1.push_transaction(overdrawn),
      v1.send_transaction(overdrawn),
      v1.send_transaction2(overdrawn),
    ]
    for (const send of sends) {
      const error = await failure(send)
      expect(error.name).equal('eosio_assert_message_exception')
      expect(error.code).equal(3050003)
      expect(error.details[0]!.message).equal('assertion failure with message: overdrawn balance')
    }
  })

  it('a transaction that is known already is refused', async () => {
    const transfer = await signedTransfer('0.0004 SYS')
    await v1.send_transaction(transfer)
    const error = await failure(v1.send_transaction(transfer))
    expect([error.name, error.code, error.response.status]).deep.equal([
      'tx_duplicate',
      3040008,
      409,
    ])
  })

  it('reads get_transaction_status', async () => {
    const { transaction_id } = await v1.send_transaction(await signedTransfer('0.0005 SYS'))
    const in_block = await until('it is in a block', async () => {
      const status = await v1.get_transaction_status(transaction_id)
      return String(status.state) !== 'LOCALLY_APPLIED' && status
    })
    expect(String(in_block.state)).oneOf(['IN_BLOCK', 'IRREVERSIBLE'])
    const unknown = await v1.get_transaction_status('f'.repeat(64))
    expect(String(unknown.state)).equal('UNKNOWN')
  })

  it('reads get_accounts_by_authorizers', async () => {
    const { accounts } = await v1.get_accounts_by_authorizers({ keys: [chain.key.toPublic()] })
    const names = accounts.map(({ account_name }) => String(account_name))
    expect(names).include.members(['alice', 'bob', 'eosio.token'])
  })

  async function failure(call: Promise<unknown>): Promise<APIError> {
    const error = await call.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).instanceOf(APIError)
    return error as APIError
  }
})
