/** An operator lets the head stay at a block, whatever blocks are known. */
import { expect } from 'chai'
import type { BlockState } from '../../../../src/engine/chain/headers/block_state.ts'
import type { ChainOptions } from '../../../../src/engine/chain/chain_options.ts'
import { stateDigest } from '../support/state_digest.ts'
import { TestChain } from '../support/test_chain.ts'

const PRODUCERS = ['alice', 'bob', 'carol', 'dave']

async function fourProducers(options: ChainOptions = {}): Promise<TestChain> {
  const test = await TestChain.open(options)
  for (const name of PRODUCERS) test.createAccount(name)
  test.produce()
  test.start()
  test.proposeProducers(PRODUCERS)
  test.produce(4)
  return test
}

/** A branch of four blocks, which is longer than that of two that the other chain makes. */
async function twoBranches(other: TestChain): Promise<{ theirs: BlockState[]; maker: TestChain }> {
  const maker = await fourProducers()
  expect(other.head.key).equal(maker.head.key)
  maker.start(1)
  maker.createAccount('ann')
  const theirs = [maker.produce(), maker.produce(), maker.produce(), maker.produce()]
  other.start()
  other.createAccount('ben')
  other.produce(2)
  return { theirs, maker }
}

describe('a head that stays', () => {
  it('where the chain pauses: a switch of branches ends there, and continues afterwards', async () => {
    const test = await fourProducers()
    const { theirs, maker } = await twoBranches(test)
    const undone: bigint[] = []
    test.chain.events.on('transactionUndone', ({ trx }) => undone.push(trx.actions[0]!.name))
    for (const { block, packed_block } of theirs) test.chain.acceptBlock(block, packed_block)
    test.chain.pause_at_block_num = theirs[1]!.block_num
    test.chain.applyBest()
    expect(test.head.key).equal(theirs[1]!.key)
    expect(undone).have.length(1)
    test.chain.applyBest()
    expect(test.head.key).equal(theirs[1]!.key)
    test.chain.pause_at_block_num = 0
    test.chain.applyBest()
    expect(test.head.key).equal(maker.head.key)
    expect(stateDigest(test.chain.db)).equal(stateDigest(maker.chain.db))
  })

  it('where it pauses: blocks that are pushed are kept, and executed afterwards', async () => {
    const maker = await TestChain.open()
    const test = await TestChain.open()
    test.chain.pause_at_block_num = 3
    for (let i = 0; i < 4; i++) test.chain.pushBlock(maker.produce().packed_block)
    expect(test.head.block_num).equal(3)
    test.chain.pause_at_block_num = 0
    test.chain.pushBlock(maker.produce().packed_block)
    expect(test.head.key).equal(maker.head.key)
  })

  it('where the node ends: no later block is executed, also in a switch of branches', async () => {
    const { head } = await fourProducers()
    const terminate_at_block = head.block_num + 2
    const test = await fourProducers({ terminate_at_block })
    const { theirs } = await twoBranches(test)
    for (const { packed_block } of theirs) test.chain.pushBlock(packed_block)
    // Its own branch reaches the height first: the node ends there.
    expect(test.head.block_num).equal(terminate_at_block)
    const second = await fourProducers({ terminate_at_block: head.block_num + 3 })
    const branches = await twoBranches(second)
    for (const { packed_block } of branches.theirs) second.chain.pushBlock(packed_block)
    expect(second.head.key).equal(branches.theirs[2]!.key)
  })

  it('where the node ends that executes irreversible blocks alone', async () => {
    const maker = await TestChain.open()
    const test = await TestChain.open({ read_mode: 'irreversible', terminate_at_block: 4 })
    for (let i = 0; i < 8; i++) test.chain.pushBlock(maker.produce().packed_block)
    expect(test.head.block_num).equal(4)
    expect(test.chain.fork_head.key).equal(maker.head.key)
  })
})
