/** Requests in the form that real clients send them are valid by the contract, and are understood. */
import { expect } from 'chai'
import type { TestNode } from '../support/test_node.ts'
import { REQUESTS, SPECIFIED, packed, transaction } from './client_requests.ts'
import { startReplayedNode } from './recordings/replayed_node.ts'
import { firstError, operations, validatorFactory } from './support.ts'

/** What the specification refuses. */
const REFUSED: { [operation: string]: unknown[] } = {
  get_info: [{ field: 1 }, [], null],
  get_block: [{}, { block_num_or_id: null }],
  get_block_info: [{}, { block_num: 'abc' }],
  get_required_keys: [{ transaction }, { available_keys: [] }],
  get_producers: [
    { limit: 1, lower_bound: '' },
    { json: true, limit: 1 },
  ],
  get_raw_code_and_abi: [{}],
  get_table_by_scope: [{}, { code: 'UPPER' }],
  get_table_rows: [
    { code: 'a', table: 'b' },
    { code: 'a', scope: 'b' },
  ],
  get_transaction_status: [{}, { id: 'zz' }],
  push_transaction: [{}, packed('bogus'), { ...packed(0), signatures: ['SIG_K1_0'] }],
  unschedule_snapshot: [{}],
  pause_at_block: [{}],
  add_greylist_accounts: [{}, { accounts: [] }],
  remove_greylist_accounts: [{}, { accounts: [] }],
  set_whitelist_blacklist: [{}, { field: [] }, { actor_blacklist: 'alice' }],
  update_runtime_options: [{}, { options: { max_transaction_time: 'x' } }],
  schedule_protocol_feature_activations: [{}, { schedule: {} }],
  get_activated_protocol_features: [{ params: { limit: 'many' } }, { params: null }],
  get_supported_protocol_features: [{ params: { exclude_disabled: 'maybe' } }],
}

const validator = validatorFactory()

function operationOf(name: string): (typeof operations)[number] {
  const found = operations.find((operation) => operation.name === name)
  expect(found, name).not.to.equal(undefined)
  return found!
}

function validate(operation: string, body: unknown): string {
  const check = validator(operationOf(operation).bodySchema)
  return check(body) ? '' : firstError(check.errors)
}

describe('requests', () => {
  let node: TestNode
  before(async () => {
    node = await startReplayedNode()
  })
  after(async () => {
    await node.stop()
    expect(node.faults).deep.equal([])
  })

  /** Asks as browsers do, that set no type. */
  async function understood(operation: string, body: unknown): Promise<void> {
    const { path, body: needed } = operationOf(operation)
    const empty = Object.keys(body as object).length === 0 && needed !== 'required'
    const headers = { 'content-type': 'text/plain;charset=UTF-8' }
    const answer = await node.ask(path, empty ? { method: 'GET' } : { body, headers })
    expect(answer.text, JSON.stringify(body)).not.match(/"invalid_http_request"/)
  }

  for (const [client, requests] of Object.entries({ ...REQUESTS, 'the specification': SPECIFIED }))
    for (const [operation, bodies] of Object.entries(requests))
      it(`${operation} as ${client} asks`, async () => {
        for (const body of bodies) {
          expect(validate(operation, body), JSON.stringify(body)).to.equal('')
          await understood(operation, body)
        }
      })
  for (const [operation, bodies] of Object.entries(REFUSED))
    it(`${operation} refuses what it must`, () => {
      for (const body of bodies)
        expect(validate(operation, body), JSON.stringify(body)).not.to.equal('')
    })
})
