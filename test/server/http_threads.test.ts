/** Connections that an HTTP thread accepts: what it answers by itself, and what it gives to the chain's thread. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Action, PackedTransaction, PrivateKey, type SignedTransaction } from '@wharfkit/antelope'
import { expect } from 'chai'
import { toHex } from '../../src/engine/protocol/hex.ts'
import { KeptClient } from '../support/kept_client.ts'
import { temporaryFolder } from '../support/node_process.ts'
import { TestNode } from '../support/test_node.ts'
import { WharfkitChain } from '../support/wharfkit_chain.ts'
import { until } from '../support/wait.ts'

/** More reads than a node answers before it starts its threads. */
const MANY_READS = 600

describe('server: HTTP threads', () => {
  const folder = temporaryFolder()
  const socket = (): string => join(folder.path, 'all.sock')
  let node: TestNode
  const clients: KeptClient[] = []
  const start = () =>
    TestNode.start({
      folder: folder.path,
      argv: [
        '--http-threads=1',
        '--http-max-in-flight-requests=20',
        `--unix-socket-path=${socket()}`,
      ],
      server: { validate_responses: false },
    })

  before(async () => {
    node = await start()
  })

  after(async () => {
    for (const client of clients) client.socket.destroy()
    const { faults } = node
    await node.stop()
    folder.remove()
    expect(faults).deep.equal([])
  })

  /** A connection on which the thread has answered a request, or on which this thread has. */
  async function client(on_thread: boolean): Promise<KeptClient> {
    const opened = await KeptClient.of(node, on_thread)
    clients.push(opened)
    return opened
  }

  it('start when there are many reads', async () => {
    const first = new KeptClient(node.url)
    clients.push(first)
    for (let i = 0; i < MANY_READS; i++) await first.post('get_account', { account_name: 'eosio' })
    expect(node.server.threads.areRunning).equal(true)
    await until('the thread accepts connections', async () => {
      const other = new KeptClient(node.url)
      await other.post('get_account', { account_name: 'eosio' })
      other.socket.destroy()
      return node.server.threads.answered > 0
    })
  })

  it('answer as the chain thread does, reads and errors and everything else', async () => {
    await node.pause()
    const questions: [operation: string, body: unknown][] = [
      ['get_account', { account_name: 'eosio' }],
      ['get_account', { account_name: 'eosio.null', expected_core_symbol: '4,SYS' }],
      ['get_account', { account_name: 'nobody' }],
      ['get_account', { account_name: 7 }],
      ['get_account', '{"account_name":'],
      ['get_account', undefined],
      ['get_account', '[]'],
      ['get_code', { account_name: 'eosio' }],
      ['get_code_hash', { account_name: 'eosio' }],
      ['get_abi', { account_name: 'eosio' }],
      ['get_raw_abi', { account_name: 'eosio' }],
      ['get_raw_code_and_abi', { account_name: 'eosio' }],
      ['get_table_rows', { code: 'eosio', scope: 'eosio', table: 'global', json: true }],
      ['get_table_rows', { code: 'eosio', scope: 'eosio', table: 'abihash', json: true }],
      ['get_table_by_scope', { code: 'eosio' }],
      ['get_currency_balance', { code: 'eosio', account: 'eosio' }],
      ['get_currency_stats', { code: 'eosio', symbol: 'SYS' }],
      ['get_scheduled_transactions', { json: true }],
      ['get_info', {}],
      ['get_block', { block_num_or_id: 1 }],
      ['get_block', { block_num_or_id: '' }],
      ['get_raw_block', { block_num_or_id: 2 }],
      ['get_block_header', { block_num_or_id: 2, include_extensions: true }],
      ['get_block_header_state', { block_num_or_id: node.head_block_num }],
      ['get_block_info', { block_num: node.head_block_num }],
      ['get_block_info', { block_num: node.head_block_num + 1 }],
      ['get_producers', {}],
      ['get_transaction_id', {}],
      ['send_transaction2', {}],
      ['nothing_like_this', {}],
    ]
    const here = await client(false)
    for (const [operation, body] of questions) {
      const there = await client(true)
      const answer = await there.post(operation, body)
      expect(answer, operation).equal(await here.post(operation, body))
      // The connection is still of use, whoever serves it.
      expect(await there.post('get_code_hash', { account_name: 'eosio' })).match(/^HTTP.1.1 200/)
    }
    await node.producer('resume')
  })

  it('see each transaction that was answered', async () => {
    const chain = new WharfkitChain(node.url)
    const reader = await client(true)
    for (let i = 1; i <= 5; i++) {
      const name = `seen${i}`
      const key = { key: String(chain.key.toPublic()), weight: 1 }
      const authority = { threshold: 1, keys: [key], accounts: [], waits: [] }
      const data = { creator: 'eosio', name, owner: authority, active: authority }
      const action = await chain.action('eosio', 'newaccount', 'eosio', data)
      const before = node.server.threads.answered
      expect(await reader.post('get_account', { account_name: name })).match(/^HTTP.1.1 400/)
      await (await chain.session('eosio')).transact({ action })
      expect(await reader.post('get_account', { account_name: name })).match(/^HTTP.1.1 200/)
      expect(node.server.threads.answered).at.least(before + 2)
    }
  })

  it('read submissions as the chain thread does, and keep their connections', async () => {
    const chain = new WharfkitChain(node.url)
    await chain.createAccounts('sender')
    const idle = (data: string): Action =>
      Action.from({
        account: 'sender',
        name: 'idle',
        authorization: [{ actor: 'sender', permission: 'active' }],
        data,
      })
    const there = await client(true)
    const here = await client(false)
    const { answered } = node.server.threads
    let count = 0
    const asJson = (signed: SignedTransaction) => {
      const transaction = JSON.parse(JSON.stringify(signed)) as { signatures: string[] }
      return { signatures: transaction.signatures, compression: 'none', transaction }
    }
    const forms: ((signed: SignedTransaction) => object)[] = [
      (signed) => JSON.parse(JSON.stringify(PackedTransaction.fromSigned(signed, 0))) as object,
      (signed) => JSON.parse(JSON.stringify(PackedTransaction.fromSigned(signed, 1))) as object,
      asJson,
    ]
    const submit = (to: KeptClient, operation: string, packed: object): Promise<string> => {
      const is_wrapped = !/^(push|send)_transaction$/.test(operation)
      return to.post(operation, is_wrapped ? { transaction: packed } : packed)
    }
    for (const form of forms) {
      for (const operation of ['push_transaction', 'send_transaction', 'send_transaction2']) {
        const signed = await chain.sign([idle(`${count++}`.padStart(4, '0'))])
        const done = bodyOf(await submit(there, operation, form(signed))) as Processed
        expect(done.transaction_id).equal(String(signed.id))
        expect(done.processed.receipt.status).equal('executed')
        // The same once more, and in other hands.
        const refused = await submit(there, operation, form(signed))
        expect(refused).equal(await submit(here, operation, form(signed)))
        const stranger = await chain.sign([idle('00')], PrivateKey.generate('K1'))
        const wrong = bodyOf(await submit(there, operation, form(stranger))) as Processed
        expect(JSON.stringify(wrong)).match(/unsatisfied_authorization/)
      }
      const signed = await chain.sign([idle('ff')])
      const computed = bodyOf(await submit(there, 'compute_transaction', form(signed)))
      expect((computed as Processed).processed.action_traces).length(1)
      const read_only = await submit(there, 'send_read_only_transaction', form(signed))
      expect(read_only).match(/read-only action/)
    }
    const signed = await chain.sign([idle('aa')])
    const packed = forms[0]!(signed)
    const refusals: [operation: string, body: unknown][] = [
      ['send_transaction2', { transaction: packed, retry_trx: true, retry_trx_num_blocks: 70_000 }],
      ['send_transaction2', { transaction: { ...packed, packed_trx: '00' } }],
      ['send_transaction2', { transaction: { ...packed, compression: 7 } }],
      ['send_transaction', { ...packed, signatures: ['SIG_K1_none'] }],
      ['send_transaction', { ...asJson(signed), transaction: { delay_sec: 5 } }],
      [
        'push_transaction',
        { ...asJson(signed), transaction: { actions: [{ account: 'nobody' }] } },
      ],
      ['push_transactions', [packed, { actions: 7 }].map(() => ({ actions: 7 }))],
      ['push_block', {}],
      ['get_required_keys', {}],
    ]
    for (const [operation, body] of refusals) {
      const answer = await there.post(operation, body)
      expect(withoutTimes(answer), operation).equal(withoutTimes(await here.post(operation, body)))
    }
    await there.post('get_code_hash', { account_name: 'eosio' })
    expect(node.server.threads.answered).above(answered)
    const seen = node.server.threads.answered
    await there.post('get_code_hash', { account_name: 'eosio' })
    expect(node.server.threads.answered).equal(seen + 1)
  })

  it('answer blocks while they are made', async () => {
    const reader = await client(true)
    const { answered } = node.server.threads
    const first = node.head_block_num
    let asked = 0
    while (node.head_block_num < first + 6) {
      const info = bodyOf(await reader.post('get_info', {})) as { head_block_num: number }
      for (let num = info.head_block_num; num > info.head_block_num - 4; num -= 3) {
        const block = bodyOf(await reader.post('get_block', { block_num_or_id: num }))
        expect(block).deep.equal(node.engine.api.chain.getBlock({ block_num_or_id: num }))
        asked++
      }
      expect(info).include({
        head_block_id: toHex(node.engine.chain.blockIdByNumber(info.head_block_num)!),
      })
      asked++
    }
    expect(node.server.threads.answered).equal(answered + asked)
  })

  it('see the rules of the node', async () => {
    const reader = await client(true)
    const body = { account_name: 'eosio.null' }
    const before = await reader.post('get_account', body)
    await node.producer('add_greylist_accounts', { accounts: ['eosio.null'] })
    const here = await client(false)
    expect(withoutHead(await reader.post('get_account', body))).equal(
      withoutHead(await here.post('get_account', body)),
    )
    await node.producer('remove_greylist_accounts', { accounts: ['eosio.null'] })
    expect(withoutHead(await reader.post('get_account', body))).equal(withoutHead(before))
  })

  it('pass on long requests and long answers', async () => {
    const passing = await client(true)
    const long = { account_name: 'eosio', filler: 'x'.repeat(1_500_000) }
    expect(await passing.post('get_account', long)).match(/^HTTP.1.1 200/)
    const document = await passing.ask('GET', '/openapi.json')
    const ours = await (await fetch(`${node.url}/openapi.json`)).text()
    expect(ours.length).above(300_000)
    expect(document.endsWith(ours)).equal(true)
  })

  it('give clients that go away, and those that send no more, what they need', async () => {
    const gone = await client(true)
    gone.socket.write('POST /v1/chain/get_info HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{')
    gone.socket.destroy()
    const ended = await client(true)
    const answer = ended.post('get_producer_schedule', {})
    ended.socket.end()
    expect(await answer).match(/^HTTP.1.1 200/)
    await until('its connection is closed', () => ended.is_closed)
  })

  it('count requests with the others', async () => {
    const { answered } = node.server.threads
    const text = await (await fetch(`${node.url}/v1/prometheus/metrics`)).text()
    const [, count] = /http_requests_total\{handler="[^"]*get_account"\} (\d+)/.exec(text) ?? []
    expect(Number(count)).above(MANY_READS)
    expect(answered).above(0)
  })

  it('end their connections when the node stops, and the socket file goes', async () => {
    expect(existsSync(socket())).equal(true)
    const open = [await client(true), await client(true), await client(false)]
    await open[1]!.post('get_producers', {})
    const { faults } = node
    await node.stop()
    await until('all are closed', () => open.every(({ is_closed }) => is_closed))
    expect(faults).deep.equal([])
    expect(existsSync(socket())).equal(false)
    node = await start()
  })

  it('leave everything to the chain thread when the state can no longer be read', async () => {
    for (let i = 0; i < MANY_READS; i++) node.server.threads.countRead()
    await node.server.threads.started()
    const reader = await client(true)
    const name = { account_name: 'eosio.null' }
    for (let i = 0; i < 3; i++) await reader.post('get_account', name)
    const { answered } = node.server.threads
    node.engine.chain.db.shared.lock.refuseReaders()
    const others = [new KeptClient(node.url), new KeptClient(node.url)]
    clients.push(...others)
    for (const other of [reader, ...others]) {
      expect(await other.post('get_account', name)).match(/^HTTP.1.1 200/)
      expect(await other.post('get_block', { block_num_or_id: 1 })).match(/^HTTP.1.1 200/)
    }
    await node.nextBlock()
    expect(node.engine.chain.db.shared.isRead).equal(false)
    expect(node.server.threads.answered).equal(answered)
    await until('it is in the log', () => node.faults.length > 0)
    expect(node.faults).length(1)
    expect(node.log.splice(0).join()).match(/not read by other threads any more/)
  })
})

interface Processed {
  transaction_id: string
  processed: { receipt: { status: string }; action_traces: unknown[] }
}

/** Errors tell when they happened. */
function withoutTimes(text: string): string {
  return text.replace(/"timestamp":"[^"]+"/g, '')
}

/** The account of an answer: blocks are made meanwhile. */
function withoutHead(text: string): string {
  return text.replace(/"head_block_num":\d+,"head_block_time":"[^"]+"/, '')
}

function bodyOf(answer: string): unknown {
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
}
