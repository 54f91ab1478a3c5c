/** Requests that mean the same are answered the same, however a client writes them. */
import { expect } from 'chai'
import type { TestNode } from '../support/test_node.ts'
import { startReplayedNode } from './recordings/replayed_node.ts'
import { operations } from './support.ts'

type Body = { [field: string]: unknown }

/** A request, and other ways to write it: fields that replace its own; undefined leaves one out. */
const SAME: { operation: string; body: Body; as: Body[] }[] = [
  {
    operation: 'get_block',
    body: { block_num_or_id: '140' },
    as: [
      { block_num_or_id: 140 },
      { block_num_or_id: '0000008caa8b83fd341ae4ee477e8b262112dbc6d317c2d67a45ffad5faeb50b' },
      { block_num_or_id: '0000008CAA8B83FD341AE4EE477E8B262112DBC6D317C2D67A45FFAD5FAEB50B' },
    ],
  },
  { operation: 'get_block_info', body: { block_num: 100 }, as: [{ block_num: '100' }] },
  {
    operation: 'get_block_header',
    body: { block_num_or_id: '100', include_extensions: true },
    as: [{ include_extensions: 1 }, { include_extensions: 'true' }, { block_num_or_id: 100 }],
  },
  {
    operation: 'get_account',
    body: { account_name: 'alice' },
    as: [{ expected_core_symbol: null }, { unknown: { field: [1] } }],
  },
  {
    operation: 'get_code',
    body: { account_name: 'eosio.token', code_as_wasm: 1 },
    as: [{ code_as_wasm: true }, { code_as_wasm: 'true' }, { code_as_wasm: undefined }],
  },
  {
    operation: 'get_raw_abi',
    body: { account_name: 'eosio.token' },
    as: [{ abi_hash: null }],
  },
  {
    operation: 'get_currency_balance',
    body: { code: 'eosio.token', account: 'alice', symbol: 'SYS' },
    as: [{ symbol: null }, { symbol: undefined }, { symbol: '4,SYS' }, { symbol: '1.0000 SYS' }],
  },
  {
    operation: 'get_table_rows',
    body: { code: 'probe', scope: 'probe', table: 'rows', json: true, limit: 2 },
    as: [
      { limit: '2' },
      { json: 1 },
      { json: 'true' },
      { index_position: 1 },
      { index_position: '1' },
      { index_position: 'primary' },
      { index_position: '' },
      { key_type: '' },
      { key_type: 'i64' },
      { lower_bound: '', upper_bound: '' },
      { lower_bound: 0, upper_bound: 18446744073709551615n },
      { reverse: null, show_payer: null },
      { reverse: 0, show_payer: 'false' },
      { table_key: '', time_limit_ms: null },
      { encode_type: 'dec', time_limit_ms: '10' },
      { scope: 12531394606018854912n },
    ],
  },
  {
    operation: 'get_table_by_scope',
    body: { code: 'probe', lower_bound: 'r1', upper_bound: 'r2' },
    as: [{ table: '' }, { limit: '10' }, { reverse: null }, { reverse: 'false' }],
  },
  {
    operation: 'get_producers',
    body: { json: true, lower_bound: '', limit: 50 },
    as: [{ json: 1 }, { limit: '50' }, { limit: -1 }, { limit: '-1' }],
  },
  {
    operation: 'get_scheduled_transactions',
    body: { json: true },
    as: [{ lower_bound: '' }, { lower_bound: null }, { limit: null }, { limit: '50' }],
  },
  {
    operation: 'get_activated_protocol_features',
    body: { limit: 10 },
    as: [
      { limit: undefined, params: { limit: 10 } },
      { lower_bound: null, upper_bound: null, reverse: false, search_by_block_num: false },
      { limit: '10', lower_bound: '0' },
    ],
  },
  {
    operation: 'get_supported_protocol_features',
    body: { exclude_disabled: true },
    as: [
      { exclude_disabled: 1 },
      { exclude_disabled: 'true', exclude_unactivatable: null },
      { exclude_disabled: undefined, params: { exclude_disabled: true } },
    ],
  },
  {
    operation: 'get_accounts_by_authorizers',
    body: { accounts: ['alice'], keys: [] },
    as: [{ keys: null }, { keys: undefined }, { limit: '1000' }, { lower_bound: '' }],
  },
  {
    operation: 'get_unapplied_transactions',
    body: { limit: 10 },
    as: [{ limit: '10' }, { lower_bound: null }, { time_limit_ms: '10' }],
  },
  {
    operation: 'get_account_ram_corrections',
    body: {},
    as: [
      { limit: '10' },
      { reverse: null },
      { lower_bound: 0 },
      { lower_bound: '0', upper_bound: '' },
    ],
  },
]

/** JSON with the integers that a double does not hold. */
function jsonOf(body: Body): string {
  const marked = JSON.stringify(body, (_key, value: unknown) =>
    typeof value === 'bigint' ? `\u0000${value}\u0000` : value,
  )
  return marked.replace(/"\\u0000([0-9]+)\\u0000"/g, '$1')
}

describe('the parser', () => {
  let node: TestNode
  before(async () => {
    node = await startReplayedNode()
  })
  after(() => node.stop())

  const pathOf = (name: string) => operations.find((operation) => operation.name === name)!.path

  for (const { operation, body, as } of SAME)
    it(`${operation}: one request in ${as.length + 1} forms`, async () => {
      const path = pathOf(operation)
      const expected = await node.ask(path, { body: jsonOf(body) })
      expect(expected.status, expected.text).within(200, 201)
      for (const fields of as) {
        const text = jsonOf({ ...body, ...fields })
        const answer = await node.ask(path, { body: text })
        expect(answer.text, text).equal(expected.text)
      }
    })

  it('an absent, an empty and a blank body are one', async () => {
    const free = operations.filter(({ name, body }) => body !== 'required' && FREE.includes(name))
    expect(free.map(({ name }) => name).sort()).deep.equal([...FREE].sort())
    for (const { path } of free) {
      const expected = await node.ask(path)
      expect(expected.status, path).within(200, 201)
      for (const body of ['', '{}', '  ', '{ }', ' { \t } \r\n'])
        for (const method of ['POST', 'GET', 'PUT']) {
          const answer = await node.ask(path, { method, body })
          expect([answer.status, answer.text], `${method} ${body}`).deep.equal([
            expected.status,
            expected.text,
          ])
        }
    }
  })

  it('white space that is not JSON white space is not an empty body', async () => {
    for (const body of ['\v', '\f', '\u00a0', ' \ufeff ', '\u2028']) {
      const answer = await node.ask(pathOf('get_info'), { body })
      expect(answer.status, JSON.stringify(body)).equal(400)
    }
  })

  it('unknown fields are ignored, whatever their names', async () => {
    const path = pathOf('get_account')
    const expected = await node.ask(path, { body: '{"account_name":"alice"}' })
    expect(expected.status).equal(200)
    for (const name of ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', ''])
      for (const value of ['null', '1', '{"account_name":"bob","constructor":{"prototype":1}}']) {
        const field = `${JSON.stringify(name)}:${value}`
        for (const body of [
          `{${field},"account_name":"alice"}`,
          `{"account_name":"alice",${field}}`,
        ])
          expect((await node.ask(path, { body })).text, body).equal(expected.text)
      }
  })

  it('integers beyond 64 bits are refused', async () => {
    const body = '{"code":"probe","scope":18446744073709551616,"table":"rows"}'
    const answer = await node.ask(pathOf('get_table_rows'), { body })
    expect(answer.status).equal(400)
    expect(answer.body).nested.include({ 'error.name': 'invalid_http_request' })
  })
})

/** Operations whose answer stays the same while the node stands. */
const FREE = [
  'get_info',
  'get_producer_schedule',
  'get_consensus_parameters',
  'get_finalizer_info',
  'get_activated_protocol_features',
  'paused',
  'get_runtime_options',
  'get_greylist',
  'get_whitelist_blacklist',
  'get_snapshot_requests',
  'get_integrity_hash',
  'get_scheduled_protocol_feature_activations',
  'get_supported_protocol_features',
  'get_account_ram_corrections',
  'get_unapplied_transactions',
  'connections',
  'get_supported_apis',
]
