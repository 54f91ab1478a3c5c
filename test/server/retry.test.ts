/** Waiting submissions, transaction status and subjective billing, as clients see them. */
import { expect } from 'chai'
import { PackedTransaction, SignedTransaction, type Action } from '@wharfkit/antelope'
import { TestNode } from '../support/test_node.ts'
import { WharfkitChain } from '../support/wharfkit_chain.ts'
import { until } from '../support/wait.ts'

interface Processed {
  id: string
  block_num: number
  producer_block_id: string | null
  receipt: { status: string } | null
  except: { name: string } | null
}

interface ErrorBody {
  code: number
  error: { name: string; code: number; details: { message: string }[] }
}

describe('server: submissions that wait, and the status of transactions', () => {
  let node: TestNode
  let chain: WharfkitChain
  afterEach(async () => {
    const { faults } = node
    await node.stop()
    expect(faults).deep.equal([])
  })

  async function start(...argv: string[]): Promise<void> {
    node = await TestNode.start({ argv })
    chain = new WharfkitChain(node.url)
  }

  /** An account's creation, signed. */
  async function creation(name: string, expireSeconds = 60) {
    const key = { key: String(chain.key.toPublic()), weight: 1 }
    const authority = { threshold: 1, keys: [key], accounts: [], waits: [] }
    const data = { creator: 'eosio', name, owner: authority, active: authority }
    return signed(await chain.action('eosio', 'newaccount', 'eosio', data), 'eosio', expireSeconds)
  }

  async function signed(action: Action, actor = 'eosio', expireSeconds = 60) {
    const session = await chain.session(actor)
    const result = await session.transact({ action }, { broadcast: false, expireSeconds })
    const { transaction } = result.resolved!
    const { signatures } = result
    const packed = PackedTransaction.fromSigned(
      SignedTransaction.from({ ...transaction, signatures }),
    )
    return { id: String(transaction.id), transaction: JSON.parse(JSON.stringify(packed)) as object }
  }

  const send = (transaction: object, options: object) =>
    node.chain('send_transaction2', { transaction, ...options })
  const state = async (id: string) =>
    ((await node.chain('get_transaction_status', { id })).body as { state: string }).state

  it('are answered with their block, and are in it', async () => {
    await start()
    for (const [name, wait] of [
      ['one', { retry_trx_num_blocks: 1 }],
      ['none', { retry_trx_num_blocks: 0 }],
      ['final', {}],
    ] as const) {
      const { id, transaction } = await creation(name)
      const answer = await send(transaction, { retry_trx: true, ...wait })
      expect(answer.status).equal(202)
      const { transaction_id, processed } = answer.body as {
        transaction_id: string
        processed: Processed
      }
      expect(transaction_id).equal(id)
      expect(processed.receipt?.status).equal('executed')
      expect(processed.producer_block_id).match(/^[0-9a-f]{64}$/)
      const { body } = await node.chain('get_block', { block_num_or_id: processed.block_num })
      expect((body as { id: string }).id).equal(processed.producer_block_id)
      expect(await state(id)).oneOf(
        name === 'final' ? ['IRREVERSIBLE'] : ['IN_BLOCK', 'IRREVERSIBLE'],
      )
      await until('it is irreversible', async () => (await state(id)) === 'IRREVERSIBLE')
    }
  })

  it('fail at once, with a trace or as an error', async () => {
    await start()
    const { transaction } = await creation('eosio')
    const traced = await send(transaction, { retry_trx: true, return_failure_trace: true })
    expect(traced.status).equal(202)
    const { processed } = traced.body as { processed: Processed }
    expect(processed.receipt).equal(null)
    expect(processed.except?.name).equal('account_name_exists_exception')
    const plain = await send(transaction, { retry_trx: true, return_failure_trace: false })
    expect(plain.status).equal(500)
    expect((plain.body as ErrorBody).error.name).equal('account_name_exists_exception')
  })

  it('are refused when the transaction expires too late, and when it is in the chain', async () => {
    await start()
    const late = await creation('late', 1000)
    const refused = await send(late.transaction, { retry_trx: true })
    expect(refused.status).equal(500)
    expect((refused.body as ErrorBody).error).include({
      name: 'tx_exp_too_far_exception',
      code: 3040006,
    })
    const { transaction } = await creation('once')
    await send(transaction, { retry_trx: true, retry_trx_num_blocks: 0 })
    const again = await send(transaction, { retry_trx: true, retry_trx_num_blocks: 0 })
    expect(again.status).equal(409)
    expect((again.body as ErrorBody).error.name).equal('tx_duplicate')
  })

  it('a transaction has no status when it is unknown or failed, and has one at once when it was accepted', async () => {
    await start()
    expect(await state('ab'.repeat(32))).equal('UNKNOWN')
    const failing = await creation('eosio')
    await send(failing.transaction, {})
    expect(await state(failing.id)).equal('UNKNOWN')
    await node.pause()
    const { id, transaction } = await creation('waits')
    await send(transaction, {})
    const { body } = await node.chain('get_transaction_status', { id })
    expect(body).include({ state: 'LOCALLY_APPLIED' })
    expect(body).not.property('block_number')
    await node.producer('resume')
    await until('it is in a block', async () => (await state(id)) !== 'LOCALLY_APPLIED')
    const { status, body: refused } = await node.chain('get_transaction_status', { id: 'x' })
    expect(status).equal(400)
    expect((refused as ErrorBody).error.details[0]!.message).equal('Invalid transaction id')
  })

  it('an operator can turn both off', async () => {
    await start(
      '--transaction-retry-max-storage-size-gb=0',
      '--transaction-finality-status-max-storage-size-gb=0',
    )
    const { id, transaction } = await creation('anybody')
    const retried = await send(transaction, { retry_trx: true })
    expect(retried.status).equal(500)
    expect((retried.body as ErrorBody).error.name).equal('unsupported_feature')
    expect((retried.body as ErrorBody).error.details[0]!.message).equal(
      'Transaction retry not enabled on node. transaction-retry-max-storage-size-gb is 0',
    )
    const { status, body } = await node.chain('get_transaction_status', { id })
    expect(status).equal(500)
    expect((body as ErrorBody).error.name).equal('unsupported_feature')
    expect((body as ErrorBody).error.details[0]!.message).match(/Interface not enabled/)
    expect((await send(transaction, {})).status).equal(202)
  })

  it('end with a clear error when the node stops', async () => {
    await start()
    await node.pause()
    const { id, transaction } = await creation('never')
    const answer = send(transaction, { retry_trx: true })
    await until('it is waited for', async () => (await state(id)) === 'LOCALLY_APPLIED')
    const stopped = node.stop()
    const { status, body } = await answer
    expect(status).equal(500)
    expect((body as ErrorBody).error.details[0]!.message).match(/^the node stops while transaction/)
    await stopped
    await start()
  })

  it('failing transactions are charged to their account when the operator wants it', async () => {
    await start('--disable-subjective-api-billing=false', '--subjective-account-max-failures=3')
    await chain.createAccounts('alice', 'bob')
    const charged = async (account_name: string) => {
      const { body } = await node.chain('get_account', { account_name })
      return (body as { subjective_cpu_bill_limit: { used: number } }).subjective_cpu_bill_limit
        .used
    }
    const fail = async () => {
      const data = { account: 'alice', abi: '' }
      const action = await chain.action('eosio', 'setabi', 'bob', data)
      const { transaction } = await signed(action, 'bob')
      return (await send(transaction, { return_failure_trace: false })).body as ErrorBody
    }
    expect(await charged('bob')).equal(0)
    const names = []
    for (let i = 0; i < 5; i++) names.push((await fail()).error.name)
    expect(names[0]).equal('missing_auth_exception')
    expect(await charged('bob')).greaterThan(0)
    expect(await charged('alice')).equal(0)
  })

  it('dry runs can be throttled', async () => {
    await start('--max-compute-transactions-per-second=1')
    const { transaction } = await creation('somebody')
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => node.chain('compute_transaction', { transaction })),
    )
    expect(answers.map(({ status }) => status)).include.members([200, 503])
    const busy = answers.find(({ status }) => status === 503)!
    expect(busy.body).deep.include({ code: 503, message: 'Busy' })
  })
})
