/** Blocks through HTTP, in the form in which they are answered there: a chain copied block by block. */
import { join } from 'node:path'
import { expect } from 'chai'
import { blockFromJson } from '../../src/engine/queries/block_input.ts'
import { packSignedBlock } from '../../src/engine/protocol/block.ts'
import { packOne } from '../../src/engine/protocol/writer.ts'
import { recordedBlocks } from '../engine/protocol/recorded_blocks.ts'
import { stillClock } from '../support/still_clock.ts'
import { TestNode } from '../support/test_node.ts'
import type { Answer } from '../support/http.ts'
import { HEAD_TIME, startReplayedNode } from './recordings/replayed_node.ts'
import { root } from './support.ts'

type RawBlock = { [field: string]: unknown }

const GENESIS = join(root, 'test/fixtures/recordings/one/genesis.json')

describe('push_block', () => {
  let source: TestNode
  let copy: TestNode
  before(async () => {
    source = await startReplayedNode()
    copy = await TestNode.start({
      argv: [`--genesis-json=${GENESIS}`, '--producer-name=nobody'],
      clock: stillClock(HEAD_TIME),
    })
  })
  after(async () => {
    await source.stop()
    await copy.stop()
    expect(copy.faults).deep.equal([])
  })

  async function rawBlock(block_num_or_id: number): Promise<RawBlock> {
    const { status, body } = await source.chain('get_raw_block', { block_num_or_id })
    expect(status).equal(200)
    return body as RawBlock
  }

  const push = (block: RawBlock): Promise<Answer> => copy.chain('push_block', block)
  const errorOf = ({ body }: Answer) => (body as { error: { name: string } }).error.name

  it('the JSON of every recorded block gives its bytes again', async () => {
    const { blocks } = recordedBlocks()
    for (const [index, packed] of blocks.entries()) {
      const block = blockFromJson(await rawBlock(index + 1))
      expect(Buffer.compare(packOne(packSignedBlock, block), packed), `${index + 1}`).equal(0)
    }
  })

  it('a block that does not follow, or is not what its producer signed, changes nothing', async () => {
    const second = await rawBlock(2)
    expect(errorOf(await push(await rawBlock(3)))).equal('unlinkable_block_exception')
    const later = { ...second, timestamp: '2026-11-28T00:00:40.000' }
    expect(errorOf(await push(later))).equal('wrong_signing_key')
    const other = await push({ ...second, action_mroot: 'f'.repeat(64) })
    expect(errorOf(other)).equal('wrong_signing_key')
    const [status, name] = [
      (await push({ unknown_field: 1 })).status,
      errorOf(await push({ unknown_field: 1 })),
    ]
    expect([status, name]).deep.equal([400, 'invalid_http_request'])
    for (const field of ['producer_signature', 'previous', 'transactions', 'header_extensions']) {
      const answer = await push({ ...second, [field]: 'zz' })
      expect(answer.status, field).equal(400)
    }
    expect(copy.head_block_num).equal(1)
  })

  it('block by block the chain is the same, with its state', async () => {
    const last = source.head_block_num
    for (let number = 2; number <= last; number++) {
      const answer = await push(await rawBlock(number))
      expect([answer.status, answer.text], `${number}`).deep.equal([202, '{}'])
      expect(copy.head_block_num).equal(number)
    }
    const hash = async (node: TestNode) => (await node.producer('get_integrity_hash')).body
    expect(await hash(copy)).deep.equal(await hash(source))
  })

  it('a block that is known is taken and changes nothing', async () => {
    const head = copy.engine.api.chain.getInfo()
    for (const number of [copy.head_block_num, copy.head_block_num - 1]) {
      expect((await push(await rawBlock(number))).status).equal(202)
    }
    expect(copy.engine.api.chain.getInfo()).deep.equal(head)
  })
})
