/**
 * The producer group as operators call it: without a body, with an empty one, with something that is
 * no JSON, and as it is meant. Where all fields are optional an empty body is right.
 * spring: tests/plugin_http_api_test.py (test_ProducerApi)
 */
import { expect } from 'chai'
import { TestNode } from '../support/test_node.ts'

const BAD_REQUEST = 3200006

interface Case {
  operation: string
  /** Whether an empty body is right. */
  empty: boolean
  /** A right body, if there is more than an empty one. */
  body?: object
  /** What the answer has. */
  has: string[]
  status?: number
}

const LISTS = [
  'actor_whitelist',
  'actor_blacklist',
  'contract_whitelist',
  'contract_blacklist',
  'action_blacklist',
  'key_blacklist',
]
const RUNTIME = {
  max_transaction_time: 30,
  max_irreversible_block_age: 1000,
  cpu_effort_us: 400000,
  subjective_cpu_leeway_us: 0,
  greylist_limit: 100,
}
const ACCOUNTS = { accounts: ['test1', 'test2'] }
const FEATURE = ['feature_digest', 'subjective_restrictions']

const CASES: Case[] = [
  { operation: 'get_runtime_options', empty: true, has: ['max_transaction_time'] },
  { operation: 'update_runtime_options', empty: false, body: RUNTIME, has: ['result'] },
  { operation: 'add_greylist_accounts', empty: false, body: ACCOUNTS, has: ['result'] },
  { operation: 'remove_greylist_accounts', empty: false, body: ACCOUNTS, has: ['result'] },
  { operation: 'get_greylist', empty: true, has: ['accounts'] },
  { operation: 'get_whitelist_blacklist', empty: true, has: LISTS },
  {
    operation: 'set_whitelist_blacklist',
    empty: false,
    body: {
      actor_whitelist: ['test2'],
      actor_blacklist: ['test3'],
      contract_whitelist: ['test4'],
      contract_blacklist: ['test5'],
      action_blacklist: [],
      key_blacklist: [],
    },
    has: ['result'],
  },
  { operation: 'get_integrity_hash', empty: true, has: ['head_block_id', 'integrity_hash'] },
  {
    operation: 'get_scheduled_protocol_feature_activations',
    empty: true,
    has: ['protocol_features_to_activate'],
  },
  {
    operation: 'schedule_protocol_feature_activations',
    empty: false,
    body: { protocol_features_to_activate: [] },
    has: ['result'],
  },
  {
    operation: 'get_supported_protocol_features',
    empty: true,
    body: { exclude_disabled: 'true', exclude_unactivatable: 'true' },
    has: FEATURE,
  },
  {
    operation: 'get_account_ram_corrections',
    empty: true,
    body: { lower_bound: '', upper_bound: '', limit: 1, reverse: 'false' },
    has: ['rows'],
  },
  {
    operation: 'get_unapplied_transactions',
    empty: true,
    body: { lower_bound: '', limit: 1, time_limit_ms: 500 },
    has: ['size', 'incoming_size', 'trxs', 'more'],
    status: 200,
  },
  { operation: 'get_snapshot_requests', empty: true, has: ['snapshot_requests'] },
  { operation: 'pause', empty: true, has: ['result'] },
  { operation: 'resume', empty: true, has: ['result'] },
  { operation: 'pause_at_block', empty: false, body: { block_num: 1_000_000 }, has: ['result'] },
]

describe('server: the producer group', () => {
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

  async function expectRefused(operation: string, body?: unknown): Promise<void> {
    const answer = await node.producer(operation, body)
    expect(answer.status, operation).equal(400)
    const { code, error } = answer.body as { code: number; error: { code: number } }
    expect(code).equal(400)
    expect(error.code).equal(BAD_REQUEST)
  }

  async function expectTaken({ operation, has, status = 201 }: Case, body?: object): Promise<void> {
    const answer = await node.producer(operation, body)
    expect(answer.status, operation).equal(status)
    const [first] = [answer.body].flat()
    for (const field of has) expect(first).property(field)
  }

  for (const test of CASES) {
    it(`${test.operation} takes what is right`, async () => {
      const { operation, empty, body } = test
      for (const nothing of [undefined, {}]) {
        if (empty) await expectTaken(test, nothing)
        else await expectRefused(operation, nothing)
      }
      await expectRefused(operation, '{invalid}')
      if (body) await expectTaken(test, body)
    })
  }

  it('paused is a boolean, with and without a body', async () => {
    for (const body of [undefined, {}]) {
      const answer = await node.producer('paused', body)
      expect(answer.status).equal(201)
      expect(answer.body).equal(false)
    }
    await expectRefused('paused', '{invalid}')
    expect((await node.ask('/v1/producer/paused', { method: 'GET' })).text).equal('false')
  })

  it('what is set can be read', async () => {
    await node.producer('update_runtime_options', { options: RUNTIME })
    const { cpu_effort_us, ...known } = RUNTIME
    expect(cpu_effort_us).equal(400000)
    expect((await node.producer('get_runtime_options')).body).include(known)
    await node.producer('add_greylist_accounts', { accounts: ['carol', 'alice'] })
    expect((await node.producer('get_greylist')).body).deep.equal({ accounts: ['alice', 'carol'] })
    await node.producer('set_whitelist_blacklist', {
      actor_whitelist: ['test2'],
      action_blacklist: [['eosio', 'setcode']],
    })
    expect((await node.producer('get_whitelist_blacklist')).body).deep.include({
      actor_whitelist: ['test2'],
      action_blacklist: [['eosio', 'setcode']],
    })
    // An action of every contract.
    await node.producer('set_whitelist_blacklist', { action_blacklist: ['setcode'] })
    expect((await node.producer('get_whitelist_blacklist')).body).deep.include({
      action_blacklist: [['', 'setcode']],
    })
  })
})
