import { expect } from 'chai'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import type { BlockState } from '../../../../src/engine/chain/headers/block_state.ts'
import type { TransactionMetadata } from '../../../../src/engine/chain/base/transaction_metadata.ts'
import { TestChain } from '../../chain/support/test_chain.ts'
import { TestProducer, createAccount, nothing } from '../support/test_producer.ts'

const PRODUCERS = ['alice', 'bob', 'carol', 'dave']
const LIMITS = {
  block_deadline_us: Infinity,
  max_transaction_time_us: Infinity,
  billed_cpu_time_us: 200,
  explicit_billed_cpu_time: true,
}

/** A chain of producers whose blocks are not final at once. */
class Branch {
  readonly test: TestChain
  readonly blocks: BlockState[] = []
  /** The block of the proposal, which is done to the state. */
  proposed_in = 0

  private constructor(test: TestChain) {
    this.test = test
  }

  static async open(): Promise<Branch> {
    const branch = new Branch(await TestChain.open())
    const { test } = branch
    for (const name of PRODUCERS) test.createAccount(name)
    branch.produce()
    test.start()
    test.proposeProducers(PRODUCERS)
    branch.proposed_in = test.chain.pending!.block_num
    for (let i = 0; i < 4; i++) branch.produce()
    return branch
  }

  produce(...metas: TransactionMetadata[]): BlockState {
    const { test } = this
    if (!test.chain.pending) test.start()
    for (const meta of metas)
      expect(test.chain.pushTransaction(meta, LIMITS).except).equal(undefined)
    this.blocks.push(test.finish())
    return test.head
  }
}

describe('forks and waiting requests', () => {
  let test: TestProducer
  let a: Branch
  let b: Branch
  beforeEach(async () => {
    test = await TestProducer.start({ producers: [] })
    a = await Branch.open()
    b = await Branch.open()
    for (const block of a.blocks) await take(block)
    test.clock.time_us = a.test.chain.pending ? 0 : blockTime(a.test.head)
  })
  afterEach(() => test.stop())

  async function take(block: BlockState): Promise<void> {
    if (block.block_num === a.proposed_in) propose()
    test.clock.time_us = blockTime(block)
    await test.producer.pushBlock(block.block)
  }

  /** What the branches did to their state. */
  function propose(): void {
    test.producer.loop.abort()
    const { db } = a.test.chain
    const { db: own } = test.chain
    own.global_property.modify(own.global_property.single(), (row) => {
      row.proposed_schedule_block_num = a.proposed_in
      row.proposed_schedule = { version: 1, producers: a.test.head.active_schedule.producers }
    })
    expect(db.global_property.single().proposed_schedule_block_num).equal(undefined)
  }

  const blockTime = (block: BlockState) => (946684800 + block.timestamp / 2) * 1_000_000

  it('follow their transaction out of its block and into another', async () => {
    const meta = a.test.sign([createAccount('forked')])
    const early = await test.submit(meta.packed, { retry: { num_blocks: 0 } })
    const late = await test.submit(meta.packed, { retry: { num_blocks: 2 } })
    expect(test.state(late)).equal('LOCALLY_APPLIED')

    const first = a.produce(meta)
    await take(first)
    await test.clock.pass(0)
    expect(test.state(late)).equal('IN_BLOCK')
    expect(toHex(early.trace!.producer_block_id!)).equal(first.key)
    expect(late.done).equal(false)

    await take(b.produce())
    expect(test.state(late)).equal('IN_BLOCK')
    await take(b.produce())
    expect(test.chain.head.key).equal(b.test.head.key)
    expect(test.state(late)).equal('FORKED_OUT')
    expect(test.producer.processor.queue.find(toHex(meta.id))?.kind).equal('forked')

    const second = b.produce(meta)
    await take(second)
    expect(test.state(late)).equal('IN_BLOCK')
    expect(test.producer.processor.queue.size).equal(0)
    await take(b.produce())
    expect(late.done).equal(false)
    await take(b.produce())
    await test.clock.pass(0)
    expect(toHex(late.trace!.producer_block_id!)).equal(second.key)
    expect(late.trace!.block_num).equal(second.block_num)
  })

  it('a waiting transaction is answered when a received block contains it', async () => {
    const meta = a.test.sign([nothing('eosio')])
    // The pending block has no time left.
    test.producer.processor.executor.window.deadline_us = 0
    test.producer.processor.onExhausted = () => {}
    const plain = await test.submit(meta.packed)
    const waiting = await test.submit(meta.packed, { retry: { num_blocks: 1 } })
    expect([plain.done, waiting.done]).deep.equal([false, false])
    const block = a.produce(meta)
    await take(block)
    await test.clock.pass(0)
    expect(plain.error?.errorName).equal('tx_duplicate')
    expect(waiting.done).equal(false)
    await take(a.produce())
    await test.clock.pass(0)
    expect(toHex(waiting.trace!.producer_block_id!)).equal(block.key)
  })

  it('received blocks are counted', async () => {
    const { blocks: metrics } = test.producer
    const before = metrics.incoming_blocks
    await take(a.produce(a.test.sign([nothing()])))
    expect(metrics.incoming_blocks).equal(before + 1)
    expect(metrics.incoming_execution.transactions).gte(1)
  })
})
