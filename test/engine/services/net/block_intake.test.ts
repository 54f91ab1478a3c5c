import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import type { BlockState } from '../../../../src/engine/chain/headers/block_state.ts'
import { BlockIntake } from '../../../../src/engine/services/net/block_intake.ts'
import { ChainError } from '../../../../src/engine/errors.ts'
import { packSignedBlock } from '../../../../src/engine/protocol/block.ts'
import { slotToUs } from '../../../../src/engine/protocol/time.ts'
import { packOne } from '../../../../src/engine/protocol/writer.ts'
import type { BlockOutcome } from '../../../../src/net/peer_chain.ts'
import { TestChain } from '../../chain/support/test_chain.ts'
import { receivedBlock } from '../support/received_block.ts'
import { TestProducer } from '../support/test_producer.ts'

/** More blocks than wait for their execution at once. */
const COUNT = 100
const MAX_UNAPPLIED = 64

describe('BlockIntake', () => {
  let test: TestProducer
  let intake: BlockIntake
  let outcomes: BlockOutcome[]

  beforeEach(async () => {
    test = await TestProducer.start({ producers: [], enable_stale_production: false })
    const { chain, producer, clock } = test
    intake = new BlockIntake({ chain, producer, clock, log: () => {} })
    intake.follow()
    outcomes = []
    // A slice ends after some blocks.
    clock.look_us = 500
  })

  afterEach(async () => {
    await intake.stop()
    await test.stop()
  })

  function take(state: BlockState): void {
    intake.take(receivedBlock(state.block, state.packed_block), (outcome) => outcomes.push(outcome))
  }

  async function untilHead(block_num: number): Promise<void> {
    for (let turns = 0; test.head < block_num; turns++) {
      if (turns === 10_000) throw new Error(`the head stays at block ${test.head}`)
      await turn()
    }
  }

  it('executes all blocks of a peer, of which some are checked before those before them are executed', async () => {
    const maker = await TestChain.open()
    const blocks: BlockState[] = []
    for (let i = 0; i < COUNT; i++) {
      const name = [i / 25, i % 25].map((part) => String.fromCharCode(97 + part)).join('')
      maker.createAccount(`acc${name}`)
      blocks.push(maker.produce())
    }
    let most = 0
    test.chain.events.on('blockAccepted', () => {
      most = Math.max(most, test.chain.unappliedBlocks().length)
    })
    for (const block of blocks) take(block)
    await untilHead(blocks.at(-1)!.block_num)
    expect(test.chain.head.key).equal(maker.head.key)
    expect(outcomes).deep.equal(Array(COUNT).fill('appended'))
    expect(most).within(2, MAX_UNAPPLIED)
  })

  it('reads no more blocks than are checked: those that wait are their bytes alone', async () => {
    const maker = await TestChain.open()
    let read = 0
    let most = 0
    test.chain.events.on('blockAccepted', ({ block_num }) => {
      most = Math.max(most, read - block_num)
    })
    for (let i = 0; i < 2 * COUNT; i++) {
      const { block, packed_block } = maker.produce()
      const received = receivedBlock(block, packed_block)
      const open = () => {
        read += 1
        return received.open()
      }
      intake.take({ ...received, open }, (outcome) => outcomes.push(outcome))
    }
    await untilHead(maker.head.block_num)
    expect(read).equal(2 * COUNT)
    expect(most).within(1, MAX_UNAPPLIED + 1)
  })

  it('takes what peers give in further turns before it executes the next slice', async () => {
    const maker = await TestChain.open()
    const blocks = Array.from({ length: 10 }, () => maker.produce())
    const heads = new Set<number>()
    const give = (): void => {
      const next = blocks.shift()
      if (next === undefined) return
      heads.add(test.head)
      take(next)
      setImmediate(give)
    }
    const [first] = blocks.splice(0, 1)
    test.chain.events.on('blockAccepted', ({ block_num }) => {
      if (block_num === first!.block_num) setImmediate(give)
    })
    take(first!)
    await untilHead(maker.head.block_num)
    expect([...heads]).deep.equal([first!.block_num])
  })

  describe('a block of transactions that this node has executed', () => {
    let maker: TestChain
    let asked: number

    beforeEach(async () => {
      maker = await TestChain.open()
      asked = 0
      const { producer } = test
      const { recoverKeys } = producer
      producer.recoverKeys = (...args) => (asked++, recoverKeys.apply(producer, args))
    })

    /** The maker makes a block of two accounts, whose transactions this node executes in this order. */
    async function blockOfTwo(order: readonly number[]): Promise<BlockState> {
      maker.start()
      maker.createAccount('alice')
      maker.createAccount('bob')
      const made = maker.produce()
      for (const index of order) {
        const { packed } = made.trx_metas![index]!
        await test.producer.submit(packed, { return_failure_trace: false })
      }
      return made
    }

    it('has them in the same order: none is hashed or recovered again', async () => {
      const made = await blockOfTwo([0, 1])
      const executed = [...test.chain.pending!.trx_metas]
      expect(executed.map((meta) => meta.packed_digest?.length)).deep.equal([32, 32])
      take(made)
      await untilHead(made.block_num)
      expect(test.chain.head.trx_metas).deep.equal(executed)
      expect(test.chain.head.trx_metas![0]).equal(executed[0])
      expect([asked, outcomes]).deep.equal([0, ['appended']])
    })

    it('has them in another order: their ids are looked up', async () => {
      const made = await blockOfTwo([1, 0])
      take(made)
      await untilHead(made.block_num)
      expect([asked, outcomes]).deep.equal([1, ['appended']])
    })

    it('is refused if its root is not theirs, or one has another signature', async () => {
      const made = await blockOfTwo([0, 1])
      const other = maker.resign(made, { ...made.block, transaction_mroot: made.id })
      const changed = structuredClone(made.block)
      const { trx } = changed.transactions[1]!
      if ('packed' in trx) trx.packed.signatures[0]![10]! ^= 1
      for (const block of [other, changed]) {
        const packed = packOne(packSignedBlock, block)
        intake.take(receivedBlock(block, packed), (outcome) => outcomes.push(outcome))
      }
      await intake.idle()
      const texts = outcomes.map((outcome) => outcome instanceof ChainError && outcome.message)
      for (const text of texts) expect(text).match(/invalid block transaction merkle root/)
      expect(texts).have.length(2)
    })
  })

  it('executes no block after one at which the chain pauses, and those that came when it is resumed', async () => {
    const maker = await TestChain.open()
    for (const block of Array.from({ length: 20 }, () => maker.produce())) take(block)
    test.producer.loop.pauseAtBlock(6)
    await untilHead(6)
    for (let turns = 0; turns < 100; turns++) await turn()
    expect(test.head).equal(6)
    expect(outcomes).deep.equal(Array(20).fill('appended'))
    test.producer.loop.resume()
    await untilHead(maker.head.block_num)
    expect(test.chain.head.key).equal(maker.head.key)
  })

  it('refuses bytes that are not a block when their turn comes', async () => {
    const maker = await TestChain.open()
    const made = maker.produce()
    const broken = new ChainError('plugin_exception', '1 bytes after a message')
    const received = receivedBlock(made.block, made.packed_block)
    const open = () => {
      throw broken
    }
    intake.take({ ...received, open }, (outcome) => outcomes.push(outcome))
    take(made)
    await untilHead(made.block_num)
    expect(outcomes).deep.equal([broken, 'appended'])
  })

  it('executes more blocks at once while it catches up on a slow disk', async () => {
    const maker = await TestChain.open()
    const { chain, clock } = test
    // A day after the blocks.
    clock.time_us += 86_400_000_000
    let disk_us = 0
    const { inOneSync } = chain
    const slices: number[] = []
    chain.inOneSync = (work) => {
      const before = test.head
      const result = inOneSync.call(chain, work) as ReturnType<typeof work>
      clock.time_us += disk_us
      slices.push(test.head - before)
      return result
    }
    const longest = async (): Promise<number> => {
      slices.length = 0
      const blocks = Array.from({ length: 3 * MAX_UNAPPLIED }, () => maker.produce())
      for (const block of blocks) take(block)
      await untilHead(maker.head.block_num)
      return Math.max(...slices)
    }
    const fast = await longest()
    disk_us = 15_000
    const slow = await longest()
    // 300 ms instead of 100 ms.
    expect(slow / fast).within(2, 4)
  })

  for (const [what, age_us, expected] of [
    ['recovers keys while it waits for the disk, if it catches up', 86_400_000_000, true],
    ['recovers no keys while it waits for the disk, if it does not', 0, false],
  ] as const) {
    it(what, async () => {
      const maker = await TestChain.open()
      const { chain, clock } = test
      const blocks = Array.from({ length: COUNT }, (_, i) => {
        maker.createAccount(`acc${String.fromCharCode(97 + i / 25, 97 + (i % 25))}`)
        return maker.produce()
      })
      clock.time_us = slotToUs(chain.head.timestamp) + age_us
      // A slice ends before all blocks that wait are executed.
      clock.look_us = 10_000
      let helped = 0
      const { inOneSync } = chain
      chain.inOneSync = (work, meanwhile) => {
        const result = inOneSync.call(chain, work) as ReturnType<typeof work>
        while (meanwhile?.() === true) helped += 1
        return result
      }
      for (const block of blocks) take(block)
      await untilHead(maker.head.block_num)
      expect(helped > 0).equal(expected)
      expect(chain.head.key).equal(maker.head.key)
    })
  }

  it('does what waits for the disk after all blocks of a slice', async () => {
    const maker = await TestChain.open()
    const heads: number[][] = []
    test.chain.events.on('blockAccepted', ({ block_num }) => {
      intake.whenStored(() => heads.push([block_num, test.head]))
    })
    const blocks = Array.from({ length: COUNT }, () => maker.produce())
    for (const block of blocks) take(block)
    await untilHead(maker.head.block_num)
    await turn()
    expect(heads.map(([block_num]) => block_num)).deep.equal(blocks.map((b) => b.block_num))
    expect(heads.some(([block_num, head]) => head! > block_num!)).equal(true)
    let done = false
    intake.whenStored(() => (done = true))
    expect(done).equal(true)
  })

  it('does it also for the blocks before an invalid one', async () => {
    const maker = await TestChain.open()
    const heads: number[] = []
    test.chain.events.on('blockAccepted', ({ block_num }) => {
      intake.whenStored(() => heads.push(block_num))
    })
    const [first, second] = [maker.produce(), maker.produce()]
    const { block } = second
    const other = maker.resign(second, { ...block, action_mroot: new Uint8Array(32).fill(1) })
    take(first)
    const packed = packOne(packSignedBlock, other)
    intake.take(receivedBlock(other, packed), () => {})
    await untilHead(first.block_num)
    await intake.stop()
    expect(heads).deep.equal([first.block_num])
    expect(test.head).equal(first.block_num)
  })

  it('does it not where the blocks cannot be written', async () => {
    const maker = await TestChain.open()
    const told: number[] = []
    const { chain } = test
    chain.events.on('blockAccepted', ({ block_num }) => {
      intake.whenStored(() => told.push(block_num))
    })
    chain.inOneSync = (work) => {
      work()
      throw new ChainError('reversible_blocks_exception', 'the disk is full')
    }
    take(maker.produce())
    await untilHead(maker.head.block_num)
    await intake.stop()
    expect(told).deep.equal([])
  })
})
