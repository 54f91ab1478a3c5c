/** With `validate-responses` no answer that breaks the contract is served, and it is not kept quiet. */
import { expect } from 'chai'
import { fail } from '../../src/engine/errors.ts'
import { TestNode } from '../support/test_node.ts'

const METRIC = 'pronghorn_contract_violations_total{handler="/v1/chain/get_info"}'

/** A node whose get_info answers something made of what it should. */
async function nodeWith(answer: (info: object) => unknown): Promise<TestNode> {
  const node = await TestNode.start()
  const { chain } = node.engine.api
  const { getInfo } = chain
  Object.assign(chain, { getInfo: () => answer(getInfo()) })
  return node
}

async function expectViolation(node: TestNode, reason: string): Promise<void> {
  try {
    for (const count of [1, 2]) {
      const { status, text } = await node.chain('get_info')
      expect(status).equal(500)
      expect(text).include('an internal error happened').and.not.include(reason)
      expect(node.faults.filter((fault) => fault.includes(reason))).lengthOf(count)
      const metrics = await node.ask('/v1/prometheus/metrics')
      expect(metrics.text).include(`${METRIC} ${count}\n`)
    }
    expect((await node.chain('get_account', { account_name: 'eosio' })).status).equal(200)
  } finally {
    await node.stop()
  }
}

describe('server: answers that break the contract', () => {
  it('a success without a required field', async () => {
    const node = await nodeWith(() => ({ head_block_num: 1 }))
    await expectViolation(node, 'the answer of get_info breaks the contract')
  })

  it('a success with a field of another type', async () => {
    const node = await nodeWith((info) => ({ ...info, head_block_num: 'many' }))
    await expectViolation(node, '/head_block_num')
  })

  it('a failure with a status that the operation does not answer', async () => {
    const node = await nodeWith(() => fail('tx_duplicate', 'never'))
    await expectViolation(node, 'get_info does not answer 409')
  })

  it('answers and failures that follow the contract are not counted', async () => {
    const node = await TestNode.start()
    try {
      expect((await node.chain('get_info')).status).equal(200)
      expect((await node.chain('get_account', { account_name: 'nobody' })).status).equal(400)
      expect((await node.chain('no_such_operation')).status).equal(404)
      const metrics = await node.ask('/v1/prometheus/metrics')
      expect(metrics.text).match(/^# TYPE pronghorn_contract_violations_total counter$/m)
      expect(metrics.text).not.include('pronghorn_contract_violations_total{')
      expect(node.faults).deep.equal([])
    } finally {
      await node.stop()
    }
  })
})
