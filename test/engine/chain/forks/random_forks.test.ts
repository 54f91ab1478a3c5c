import { expect } from 'chai'
import fc from 'fast-check'
import type { BlockState } from '../../../../src/engine/chain/headers/block_state.ts'
import { stateDigest } from '../support/state_digest.ts'
import { TestChain } from '../support/test_chain.ts'

const PRODUCERS = ['alice', 'bob', 'carol', 'dave']

async function fourProducers(): Promise<TestChain> {
  const test = await TestChain.open()
  for (const name of PRODUCERS) test.createAccount(name)
  test.produce()
  test.start()
  test.proposeProducers(PRODUCERS)
  test.produce(4)
  return test
}

/** What one of two nodes does: make a block after skipping slots, or send its blocks to the other. */
const step = fc.record({
  node: fc.nat(1),
  action: fc.constantFrom('produce', 'produce', 'produce', 'send'),
  skip: fc.nat(2),
  confirmed: fc.nat(3),
  account: fc.boolean(),
})

/** Two nodes with everything that either of them made. */
class Pair {
  readonly nodes: [TestChain, TestChain]
  private readonly made: BlockState[] = []
  private readonly sent = [0, 0]
  private accounts = 0

  constructor(nodes: [TestChain, TestChain]) {
    this.nodes = nodes
  }

  produce(node: TestChain, skip: number, confirmed: number, account: boolean): void {
    const head = node.head
    // Confirming less than the rule allows is always right.
    const since = head.legacy!.producer_to_last_produced.get(
      node.chain.scheduledProducer(head.timestamp + 1 + skip).producer_name,
    )
    const most = since === undefined ? 0 : Math.max(0, head.block_num - since - 1)
    node.start(skip, { confirmed: Math.min(confirmed, most) })
    if (account) node.createAccount(`f${(++this.accounts).toString(5).replaceAll('0', '5')}`)
    this.made.push(node.finish())
  }

  /** Gives a node every block that exists; parents come first. */
  sendTo(index: 0 | 1): void {
    const node = this.nodes[index]
    for (; this.sent[index]! < this.made.length; this.sent[index]!++) {
      const block = this.made[this.sent[index]!]!
      if (block.block_num <= node.chain.last_irreversible.block_num) continue
      node.chain.pushBlock(block.packed_block)
    }
  }
}

describe('random forks', function () {
  it('end with the same head and the same state everywhere', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const pair = new Pair([await fourProducers(), await fourProducers()])
        for (const { node, action, skip, confirmed, account } of steps) {
          if (action === 'send') pair.sendTo(node as 0 | 1)
          else pair.produce(pair.nodes[node]!, skip, confirmed, account)
        }
        pair.sendTo(0)
        pair.sendTo(1)
        const [a, b] = pair.nodes
        expect(a.head.key).to.equal(b.head.key)
        // A node that never saw the other branches comes to the same state.
        const fresh = await fourProducers()
        for (let num = fresh.head.block_num + 1; num <= a.head.block_num; num++) {
          fresh.chain.pushBlock(a.chain.packedBlockByNumber(num)!)
        }
        expect(fresh.head.key).to.equal(a.head.key)
        const state = stateDigest(fresh.chain.db)
        expect(stateDigest(a.chain.db)).to.equal(state)
        expect(stateDigest(b.chain.db)).to.equal(state)
        expect(a.chain.last_irreversible.key).to.equal(fresh.chain.last_irreversible.key)
      }),
      { numRuns: 5, seed: 7, endOnFailure: true },
    )
  })
})
