import { expect } from 'chai'
import { turnClock } from '../support/turn_clock.ts'
import { TestNode } from '../support/test_node.ts'

const KEY = 'EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV'

/** A transaction whose data lists so many keys. */
const listing = (keys: number) => ({
  transaction: {
    expiration: '2030-01-01T00:00:00',
    ref_block_num: 0,
    ref_block_prefix: 0,
    actions: [
      {
        account: 'eosio',
        name: 'updateauth',
        authorization: [],
        data: {
          account: 'alice',
          permission: 'active',
          parent: 'owner',
          auth: {
            threshold: 1,
            keys: Array.from({ length: keys }, () => ({ key: KEY, weight: 1 })),
            accounts: [],
            waits: [],
          },
        },
      },
    ],
  },
  available_keys: [],
})

/** A node where each look at the clock lets a minute pass. */
function startNode(...argv: string[]): Promise<TestNode> {
  return TestNode.start({ argv: ['--pause-on-startup', ...argv], clock: turnClock(60e6) })
}

describe('abi-serializer-max-time-ms', () => {
  it('bounds what a request converts, however long that takes', async () => {
    const node = await startNode('--abi-serializer-max-time-ms=1')
    try {
      const few = await node.chain('get_required_keys', listing(600))
      expect(few.status).equal(200)
      const many = await node.chain('get_required_keys', listing(700))
      expect(many.status).equal(500)
      expect(many.body).nested.property('error.name', 'abi_serialization_deadline_exception')
      expect(many.body).nested.property(
        'error.details[0].message',
        'serialization time limit 1000us exceeded',
      )
    } finally {
      await node.stop()
    }
  })

  it('accepts moderate traffic with the default limits', async () => {
    const node = await startNode()
    try {
      const answer = await node.chain('get_required_keys', listing(9000))
      expect(answer.status).equal(200)
    } finally {
      await node.stop()
    }
  })

  it('bounds what the transactions of one request convert together', async () => {
    const node = await startNode('--abi-serializer-max-time-ms=1')
    try {
      const transaction = { ...listing(250).transaction, expiration: '2020-01-01T00:00:00' }
      const answer = await node.chain('push_transactions', [transaction, transaction, transaction])
      expect(answer.status).equal(202)
      const [first, second, third] = (answer.body as { processed: { error: string } }[]).map(
        ({ processed }) => processed.error,
      )
      expect(first).not.include('abi_serialization_deadline_exception')
      expect(second).not.include('abi_serialization_deadline_exception')
      expect(third).include('abi_serialization_deadline_exception')
    } finally {
      await node.stop()
    }
  })
})

describe('push_transactions', () => {
  it('lets others have their turn between two transactions', async () => {
    const node = await startNode()
    try {
      let turns = 0
      let ended = false
      const turn = (): void => {
        turns += 1
        if (!ended) setImmediate(turn)
      }
      setImmediate(turn)
      const transaction = { ...listing(1).transaction, expiration: '2020-01-01T00:00:00' }
      await node.engine.api.chain.pushTransactions(Array.from({ length: 100 }, () => transaction))
      ended = true
      expect(turns).least(100)
    } finally {
      await node.stop()
    }
  })
})
