import { expect } from 'chai'
import { ChainError } from '../../../../src/engine/errors.ts'
import { DevelopmentClock } from '../../../../src/engine/services/production/development_clock.ts'
import { slotToUs, usToSlot } from '../../../../src/engine/protocol/time.ts'
import { TestChain } from '../../chain/support/test_chain.ts'
import { stateDigest } from '../../chain/support/state_digest.ts'
import { createAccount, nothing, SECOND_US, TestProducer } from '../support/test_producer.ts'

/** A development chain in memory on a clock that may be moved. */
async function start(): Promise<{ test: TestProducer; clock: DevelopmentClock }> {
  let clock: DevelopmentClock
  const test = await TestProducer.start({}, (moved) => (clock = new DevelopmentClock(moved)))
  return { test, clock: clock! }
}

/** A plain node takes every block of a chain, and has the same state then. */
async function replays({ chain }: TestProducer): Promise<void> {
  const plain = await TestChain.open()
  for (let num = 2; num <= chain.head.block_num; num++) {
    const packed = chain.packedBlockByNumber(num)!
    plain.setTime(chain.head.timestamp)
    plain.chain.pushBlock(packed)
  }
  expect(plain.head.key).equal(chain.head.key)
  chain.abortBlock()
  expect(stateDigest(plain.chain.db)).equal(stateDigest(chain.db))
  await plain.chain.close()
}

describe('instant blocks', () => {
  it('answer each submission from a block of its own, at once', async () => {
    const { test } = await start()
    test.producer.loop.block_production = 'instant'
    const { head } = test
    for (let i = 1; i <= 3; i++) {
      const { trace } = await test.submit([createAccount(`acc${'abc'[i - 1]}`)])
      expect(trace!.block_num).equal(head + i)
      expect(test.head).equal(head + i)
      expect(test.chain.head.block.transactions).length(1)
    }
    await test.clock.pass(10 * SECOND_US)
    expect(test.head).equal(head + 3)
    await replays(test)
    await test.stop()
  })

  it('make one block for each of many submissions at the same time', async () => {
    const { test } = await start()
    test.producer.loop.block_production = 'instant'
    const { head } = test
    const all = await Promise.all([0, 1, 2, 3].map(() => test.submit([nothing()])))
    await test.clock.pass(0)
    const nums = all.map(({ trace }) => trace!.block_num)
    expect(nums).deep.equal([1, 2, 3, 4].map((n) => head + n))
    await test.stop()
  })

  it('make no block for a failure', async () => {
    const { test } = await start()
    test.producer.loop.block_production = 'instant'
    const { head } = test
    const { error } = await test.submit([createAccount('eosio')])
    expect(error!.errorName).equal('account_name_exists_exception')
    expect(test.head).equal(head)
    await test.stop()
  })

  it('have the time that it is, or the last at which the transaction has not expired', async () => {
    const { test, clock } = await start()
    test.producer.loop.block_production = 'instant'
    await test.clock.pass(100 * SECOND_US)
    const first = test.sign([nothing()])
    const { trace } = await test.submit(first)
    expect(trace!.block_time).equal(usToSlot(clock.now()))
    const late = test.sign([nothing()], { expires_us: 30 * SECOND_US })
    const expires_us = test.clock.time_us + 30 * SECOND_US
    await test.clock.pass(3600 * SECOND_US)
    const answer = await test.submit(late)
    expect(answer.trace!.block_time).within(usToSlot(expires_us) - 2, usToSlot(expires_us))
    await test.stop()
  })
})

describe('manual blocks', () => {
  it('take submissions, and end when they are asked for', async () => {
    const { test } = await start()
    const { loop } = test.producer
    loop.block_production = 'manual'
    const { head } = test
    for (const name of ['alice', 'bob']) {
      const { trace } = await test.submit([createAccount(name)])
      expect(trace!.block_num).equal(head + 1)
    }
    await test.clock.pass(60 * SECOND_US)
    expect(test.head).equal(head)
    await loop.mine(() => head + 1 - test.head)
    expect(test.head).equal(head + 1)
    expect(test.chain.head.block.transactions).length(2)
    await replays(test)
    await test.stop()
  })

  it('become intervals again', async () => {
    const { test } = await start()
    test.producer.loop.block_production = 'manual'
    test.producer.loop.block_production = 'interval'
    await test.produce(3)
    await test.stop()
  })
})

describe('mining', () => {
  for (const production of ['interval', 'instant', 'manual'] as const) {
    it(`makes blocks whose time the clock follows, with ${production} blocks`, async () => {
      const { test, clock } = await start()
      const { loop } = test.producer
      loop.block_production = production
      await test.submit([createAccount('alice')])
      const { head, slot } = test
      await loop.mine(() => head + 100 - test.head)
      expect(test.head).equal(head + 100)
      expect(test.slot).least(slot + 100)
      expect(clock.now()).least(slotToUs(test.slot))
      await replays(test)
      await test.stop()
    })
  }

  it('takes what is submitted meanwhile', async () => {
    const { test } = await start()
    const { head } = test
    const mined = test.producer.loop.mine(() => head + 30 - test.head)
    const { trace } = await test.submit([createAccount('alice')])
    await mined
    expect(trace!.block_num).within(head + 1, head + 30)
    expect(test.head).equal(head + 30)
    await test.produce(2)
    await test.stop()
  })

  it('ends with the reason where no block can be made, and production continues as before', async () => {
    const { test } = await start()
    await test.pause()
    const { head } = test
    const { loop } = test.producer
    const refused = await loop.mine(() => head + 1 - test.head).catch((error: Error) => error)
    expect((refused as Error).message).equal('production is paused: resume it first')
    expect(test.head).equal(head)
    loop.resume()
    await test.produce(2)
    const running = loop.mine(() => head + 50 - test.head)
    const second = await loop.mine(() => 1).catch((error: Error) => error)
    expect((second as Error).message).equal('blocks are being mined already')
    await running
    await test.stop()
  })

  it('ends if it is not possible from the start, and production continues as before', async () => {
    const { test } = await start()
    const { loop } = test.producer
    const { head } = test
    const refused = await loop
      .mine(() => {
        throw new ChainError('unsupported_feature', 'a peer connected')
      })
      .catch((error: Error) => error)
    expect((refused as Error).message).equal('a peer connected')
    await loop.mine(() => head + 2 - test.head)
    expect(test.head).equal(head + 2)
    await test.produce(2)
    await test.stop()
  })

  it('continues from a checkpoint: a producer signs the same slots again', async () => {
    const { test } = await start()
    const { loop } = test.producer
    loop.block_production = 'manual'
    await loop.mine(() => 10 - test.head)
    const checkpoint = test.chain.takeCheckpoint()
    await loop.mine(() => 20 - test.head)
    loop.abort()
    test.chain.goBackTo(checkpoint)
    loop.restart()
    expect(test.head).equal(10)
    await loop.mine(() => 20 - test.head)
    expect(test.head).equal(20)
    await replays(test)
    await test.stop()
  })
})
