/**
 * The chain group as tools of the reference call it: without a body, with an empty one, with
 * something that is not JSON, and with a body that the reference takes for right.
 * spring: tests/plugin_http_api_test.py (test_ChainApi, test_DbSizeApi, test_multipleRequests)
 */
import { connect } from 'node:net'
import { expect } from 'chai'
import { TestNode } from '../support/test_node.ts'
import { until } from '../support/wait.ts'

const BAD_REQUEST = 3200006

interface Case {
  operation: string
  /** Whether an empty body is right. */
  empty?: boolean
  body?: object
  /** The error of an empty body; that of a bad request by default. */
  error?: number
  /** What the body is answered with; 200 by default. */
  status?: number
  /** What the answer has. */
  has?: string[]
}

const ACCOUNT = { account_name: 'default' }
const PACKED = {
  signatures: [
    'SIG_K1_KeqfqiZu1GwUxQb7jzK9Fdks6HFaVBQ9AJtCZZj56eG9qGgvVMVtx8EerBdnzrhFoX437sgwtojf2gfz6S516Ty7c22oEp',
  ],
  compression: 'true',
  packed_context_free_data: 'context_free_data',
  packed_trx: 'packed_trx',
}
const BOUNDS = {
  lower_bound: '0x0000000000000000D0F2A472A8EB6A57',
  upper_bound: '0xFFFFFFFFFFFFFFFFD0F2A472A8EB6A57',
}
const TABLE = { code: 'cancancan345', table: 'vote', index_position: 2, ...BOUNDS }
const TRANSACTION = {
  expiration: '2020-08-01T07:15:49',
  ref_block_num: 34881,
  ref_block_prefix: 2972818865,
  max_net_usage_words: 0,
  max_cpu_usage_ms: 0,
  delay_sec: 0,
  context_free_actions: [],
  transaction_extensions: [],
  signatures: PACKED.signatures,
  context_free_data: [],
}
const TRANSFER = {
  account: 'eosio.token',
  name: 'transfer',
  authorization: [{ actor: 'han', permission: 'active' }],
}
const DATA = '000000000000a6690000000000ea305501000000000000000453595300000000016d'

const CASES: Case[] = [
  { operation: 'get_info', empty: true, has: ['server_version'] },
  { operation: 'get_consensus_parameters', empty: true, has: ['chain_config', 'wasm_config'] },
  {
    operation: 'get_activated_protocol_features',
    empty: true,
    has: ['activated_protocol_features'],
  },
  { operation: 'get_block', body: { block_num_or_id: 1 }, has: ['block_num'] },
  { operation: 'get_raw_block', body: { block_num_or_id: 1 }, has: ['action_mroot'] },
  {
    operation: 'get_block_header',
    body: { block_num_or_id: 1, include_extensions: true },
    has: ['id', 'signed_block_header', 'block_extensions'],
  },
  { operation: 'get_block_info', body: { block_num: 1 }, has: ['block_num'] },
  { operation: 'get_block_header_state', body: { block_num_or_id: 2000000 }, status: 400 },
  { operation: 'get_block_header_state', body: { block_num_or_id: 'spoon was here' }, status: 500 },
  { operation: 'get_account', body: ACCOUNT, status: 400 },
  {
    operation: 'get_account',
    body: { account_name: 'eosio', expected_core_symbol: '4,' },
    status: 400,
  },
  { operation: 'get_code', body: ACCOUNT, status: 400 },
  // The specification lets the name be absent; then it is the empty one, which no account has.
  { operation: 'get_code_hash', error: 3060002, body: ACCOUNT, status: 400 },
  { operation: 'get_abi', body: ACCOUNT, status: 400 },
  { operation: 'get_raw_code_and_abi', body: ACCOUNT, status: 400 },
  { operation: 'get_raw_abi', body: ACCOUNT, status: 400 },
  {
    operation: 'get_table_rows',
    body: { ...TABLE, json: 'true', scope: 'cancancan345', key_type: 'i128' },
    status: 400,
  },
  { operation: 'get_table_by_scope', body: TABLE, status: 500 },
  {
    operation: 'get_currency_balance',
    body: { code: 'eosio.token', account: 'unknown' },
    status: 400,
  },
  { operation: 'get_currency_stats', body: { code: 'eosio.token', symbol: 'SYS' }, status: 400 },
  { operation: 'get_finalizer_info', empty: true, has: ['active_finalizer_policy'] },
  // The specification requires a limit.
  { operation: 'get_producers', body: { json: 'true', lower_bound: '', limit: 9 }, has: ['rows'] },
  { operation: 'get_producer_schedule', empty: true, has: ['active'] },
  {
    operation: 'get_scheduled_transactions',
    body: { json: 'true', lower_bound: '' },
    has: ['transactions'],
  },
  { operation: 'get_required_keys' },
  { operation: 'get_transaction_id', body: TRANSACTION, status: 400 },
  {
    operation: 'get_transaction_id',
    body: { ...TRANSACTION, actions: 'hello_world' },
    status: 400,
  },
  { operation: 'push_block', body: { block: 'signed_block' }, status: 400 },
  { operation: 'push_transaction', body: PACKED, status: 500 },
  { operation: 'push_transactions', body: [PACKED], status: 202, has: ['transaction_id'] },
  { operation: 'push_transactions', error: 3200006, body: [PACKED, 5], status: 400 },
  { operation: 'send_transaction', body: PACKED, status: 500 },
]

describe('server: the chain group', () => {
  let node: TestNode
  before(async () => {
    node = await TestNode.start()
    await node.nextBlock()
  })
  after(async () => {
    const { faults } = node
    await node.stop()
    expect(faults).deep.equal([])
  })

  async function expectRefused(
    operation: string,
    body?: unknown,
    expected = BAD_REQUEST,
  ): Promise<void> {
    const answer = await node.chain(operation, body)
    expect(answer.status, operation).equal(400)
    const { code, error } = answer.body as { code: number; error: { code: number } }
    expect([code, error.code]).deep.equal([400, expected])
  }

  for (const { operation, empty = false, error, body, status = 200, has = [] } of CASES) {
    const what = body ? ` ${JSON.stringify(body).slice(0, 60)} with ${status}` : ''
    it(`${operation} answers${what}`, async () => {
      for (const nothing of [undefined, {}]) {
        if (!empty) await expectRefused(operation, nothing, error)
        else expect((await node.chain(operation, nothing)).body).include.keys(...has)
      }
      await expectRefused(operation, '{invalid}')
      if (!body) return
      const answer = await node.chain(operation, body)
      expect(answer.status, answer.text).equal(status)
      const [first] = [answer.body].flat()
      for (const field of has) expect(first).property(field)
    })
  }

  it('a header state is that of the head and of the last irreversible block, by number and id', async () => {
    const { body } = await node.chain('get_info')
    const { last_irreversible_block_num } = body as { last_irreversible_block_num: number }
    for (const num of [node.head_block_num, last_irreversible_block_num]) {
      const by_num = await node.chain('get_block_header_state', { block_num_or_id: num })
      const state = by_num.body as { id: string; block_num: number; header: { producer: string } }
      expect(state).include({ block_num: num })
      expect(state.header.producer).equal('eosio')
      const by_id = await node.chain('get_block_header_state', { block_num_or_id: state.id })
      expect(by_id.body).deep.equal(by_num.body)
    }
  })

  it('a header has its extensions where they are asked for', async () => {
    const asked = { block_num_or_id: 1, include_extensions: false }
    expect((await node.chain('get_block_header', asked)).body).not.property('block_extensions')
  })

  it('activated features are listed in the order of activation, within bounds', async () => {
    const list = async (request: object) => {
      const { body } = await node.chain('get_activated_protocol_features', request)
      const { activated_protocol_features } = body as {
        activated_protocol_features: { activation_ordinal: number }[]
      }
      return activated_protocol_features.map(({ activation_ordinal }) => activation_ordinal)
    }
    const all = await list({})
    expect(all).length(23)
    expect(all).deep.equal(all.map((_, i) => i))
    expect(await list({ lower_bound: 1 })).deep.equal(all.slice(1))
    expect(await list({ upper_bound: 1000 })).deep.equal(all)
    expect(await list({ reverse: 'true' })).deep.equal(all.toReversed())
    expect(await list({ search_by_block_num: 'true' })).deep.equal(all)
  })

  it('the id of a transaction is made of its bytes, whichever field has them', async () => {
    const id = '0be762a6406bab15530e87f21e02d1c58e77944ee55779a76f4112e3b65cac48'
    for (const action of [
      { ...TRANSFER, data: DATA },
      { ...TRANSFER, data: '{"entry":774831,"miner":"eosminer1111"}', hex_data: DATA },
      { ...TRANSFER, data: undefined, hex_data: DATA },
      { ...TRANSFER, data: DATA, hex_data: null },
    ]) {
      const answer = await node.chain('get_transaction_id', { ...TRANSACTION, actions: [action] })
      expect(answer.text).equal(`"${id}"`)
    }
  })

  it('the size of the database needs no body', async () => {
    for (const body of [undefined, {}]) {
      const answer = await node.ask('/v1/db_size/get', { body })
      expect(answer.body).include.keys('free_bytes', 'used_bytes', 'size', 'indices')
    }
    expect((await node.ask('/v1/db_size/get', { body: '{invalid}' })).status).equal(400)
  })

  it('one connection serves request after request until it is asked to close', async () => {
    const { hostname, port } = new URL(node.url)
    const socket = connect(Number(port), hostname)
    let received = ''
    let is_closed = false
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
    socket.on('close', () => (is_closed = true))
    for (const num of [1, 2, 3]) {
      const body = `{ "block_num_or_id": "${num}" }\r\n`
      const connection = num < 3 ? 'keep-alive' : 'close'
      socket.write(
        `POST /v1/chain/get_block HTTP/1.1\r\nHost: ${hostname}:${port}\r\n` +
          `Content-Length: ${body.length}\r\nConnection: ${connection}\r\n\r\n${body}`,
      )
      await until(`block ${num}`, () => received.includes(`"block_num":${num},`))
    }
    await until('it is closed', () => is_closed)
    expect(received.match(/HTTP\/1\.1 200 OK/g)).length(3)
  })
})
