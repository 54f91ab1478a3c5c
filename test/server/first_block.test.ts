/** A node that produces has a head of today from its start. */
import { expect } from 'chai'
import { ManualClock } from '../support/manual_clock.ts'
import { TestNode } from '../support/test_node.ts'

const SLOT_US = 500_000
/** A chain of somebody's own genesis, which nobody brings to Savanna. */
const OWN_GENESIS = [
  ...['--genesis-timestamp', '2018-06-01T12:00:00.000'],
  ...['--producer-name', 'eosio', '--enable-stale-production'],
]

describe('server: the first block', () => {
  let node: TestNode
  let clock: ManualClock
  beforeEach(() => {
    clock = new ManualClock()
  })
  afterEach(() => node.stop())

  /** The time of the head; microseconds. */
  function headTime(): number {
    return Date.parse(`${node.engine.api.chain.getInfo().head_block_time as string}Z`) * 1000
  }

  it('is made at once, of the slot that runs, and has its onblock action', async () => {
    const start = clock.now()
    node = await TestNode.start({ clock, argv: OWN_GENESIS })
    expect(headTime()).lessThan(start - SLOT_US)
    clock.fire()
    expect(node.head_block_num).equal(2)
    expect(clock.now() - start).lessThan(SLOT_US)
    expect(headTime()).within(start - SLOT_US, start)
    const { body } = await node.chain('get_block', { block_num_or_id: 2 })
    expect(body).property('action_mroot').not.equal('0'.repeat(64))
  })

  it('is followed by one in each slot', async () => {
    node = await TestNode.start({ clock, argv: OWN_GENESIS })
    clock.fire()
    const first = headTime()
    for (let i = 1; i <= 3; i++) {
      while (node.head_block_num < 2 + i) {
        clock.fire()
        await new Promise((resolve) => setImmediate(resolve))
      }
      expect(headTime()).equal(first + i * SLOT_US)
    }
  })

  it('is the fifth of a development chain, which begins on Savanna', async () => {
    node = await TestNode.start({ clock })
    expect(node.head_block_num).equal(4)
    const start = headTime()
    clock.fire()
    while (node.head_block_num < 6) {
      clock.fire()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(headTime()).equal(start + 2 * SLOT_US)
    const { body } = await node.chain('get_finalizer_info')
    expect(body).nested.property('active_finalizer_policy.generation', 1)
  })

  it('is not made by a paused node', async () => {
    node = await TestNode.start({ clock, argv: [...OWN_GENESIS, '--pause-on-startup'] })
    for (let i = 0; i < 3; i++) clock.fire()
    expect(node.head_block_num).equal(1)
    expect((await node.producer('paused')).body).equal(true)
  })
})
