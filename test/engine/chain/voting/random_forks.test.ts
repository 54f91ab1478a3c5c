import { expect } from 'chai'
import fc from 'fast-check'
import type { BlockState } from '../../../../src/engine/chain/headers/block_state.ts'
import type { Vote } from '../../../../src/engine/protocol/vote.ts'
import { ChainError } from '../../../../src/engine/errors.ts'
import { boot, openNode } from '../support/savanna_chain.ts'
import type { SavannaNode } from '../support/savanna_chain.ts'
import { stateDigest } from '../support/state_digest.ts'

const COUNT = 3

/** A node makes a block, or one gets the blocks or votes that exist, but for some, or all get all. */
const step = fc.record({
  node: fc.nat(COUNT - 1),
  action: fc.constantFrom('produce', 'produce', 'blocks', 'votes', 'all'),
  skip: fc.nat(2),
  lost: fc.nat(2),
  account: fc.boolean(),
})

class Network {
  readonly nodes: SavannaNode[]
  private readonly made: BlockState[] = []
  private readonly votes: Vote[] = []
  private accounts = 0
  /** What was final anywhere, by number. */
  private readonly final = new Map<number, string>()
  /** Blocks that were final where another one had been. */
  readonly conflicts: string[] = []

  constructor(nodes: SavannaNode[]) {
    this.nodes = nodes
    for (const { test } of nodes) {
      test.chain.events.on('voteCast', (vote) => this.votes.push(vote))
      test.chain.events.on('blockIrreversible', ({ block_num, key }) => {
        if ((this.final.get(block_num) ?? key) !== key) this.conflicts.push(key)
        this.final.set(block_num, key)
      })
    }
  }

  async produce({ test }: SavannaNode, skip: number, account: boolean): Promise<void> {
    test.start(skip)
    if (account) test.createAccount(`s${(++this.accounts).toString(5).replaceAll('0', '5')}`)
    this.made.push(test.finish())
    await test.chain.voted()
  }

  /** Gives a node the blocks that exist, parents first, but not the last `lost`. */
  async giveBlocks({ test }: SavannaNode, lost: number): Promise<void> {
    const count = this.made.length - lost
    for (const block of this.made.slice(0, Math.max(0, count))) {
      if (block.block_num <= test.chain.last_irreversible.block_num) continue
      test.setTime(block.timestamp)
      try {
        test.chain.pushBlock(block.packed_block.slice())
      } catch (error) {
        // Branches that lost are forgotten.
        expect((error as ChainError).errorName).to.equal('unlinkable_block_exception')
      }
      await test.chain.voted()
    }
  }

  async giveVotes({ test }: SavannaNode, lost: number): Promise<void> {
    const count = this.votes.length - lost
    for (const vote of this.votes.slice(0, Math.max(0, count))) await test.chain.receiveVote(vote)
  }

  async giveAll(): Promise<void> {
    for (const node of this.nodes) await this.giveBlocks(node, 0)
    for (const node of this.nodes) await this.giveVotes(node, 0)
  }

  get highest_final(): number {
    return Math.max(0, ...this.final.keys())
  }
}

async function network(): Promise<Network> {
  const seeds = Array.from({ length: COUNT }, (_, i) => i)
  const nodes = await Promise.all(seeds.map((seed) => openNode([seed])))
  for (const node of nodes) boot(node, seeds)
  const keys = new Set(nodes.map(({ test }) => test.head.key))
  expect(keys.size).to.equal(1)
  return new Network(nodes)
}

describe('random forks under Savanna', function () {
  it('never make conflicting blocks final, and end with the same head and state', async () => {
    let final = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const net = await network()
        for (const { node, action, skip, lost, account } of steps) {
          const at = net.nodes[node]!
          if (action === 'produce') await net.produce(at, skip, account)
          else if (action === 'blocks') await net.giveBlocks(at, lost)
          else if (action === 'votes') await net.giveVotes(at, lost)
          else await net.giveAll()
        }
        for (const node of net.nodes) await net.giveBlocks(node, 0)
        expect(net.conflicts).to.deep.equal([])
        const [first] = net.nodes
        for (const { test } of net.nodes) {
          expect(test.head.key).to.equal(first!.test.head.key)
          expect(stateDigest(test.chain.db)).to.equal(stateDigest(first!.test.chain.db))
          expect(test.chain.last_irreversible.key).to.equal(first!.test.chain.last_irreversible.key)
        }
        // From here on everybody hears everything: finality follows.
        const before = net.highest_final
        for (let i = 0; i < 6; i++) {
          await net.produce(first!, 0, false)
          await net.giveAll()
        }
        expect(net.conflicts).to.deep.equal([])
        expect(net.highest_final).to.be.above(before)
        expect(first!.test.head.block_num - net.highest_final).to.be.below(4)
        final = Math.max(final, before)
      }),
      { numRuns: 3, seed: 11, endOnFailure: true },
    )
    // Some of the runs made blocks final on the way.
    expect(final).to.be.above(4)
  })
})
