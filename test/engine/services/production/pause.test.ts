import { expect } from 'chai'
import { slotToUs } from '../../../../src/engine/protocol/time.ts'
import { SECOND_US, TestProducer, nothing } from '../support/test_producer.ts'

describe('pausing production', () => {
  let test: TestProducer
  beforeEach(async () => {
    test = await TestProducer.start()
    await test.produce(3)
  })
  afterEach(() => test.stop())

  const loop = () => test.producer.loop

  it('makes the block in work with all that it has, then none until it is resumed', async () => {
    expect(loop().paused).equal(false)
    const accepted = await test.submit([nothing()])
    expect(loop().mode).equal('producing')
    loop().pause()
    expect(loop().paused).equal(true)
    const late = await test.submit([nothing()])
    const head = test.head + 1
    await test.clock.pass(10 * SECOND_US)
    expect(test.head).equal(head)
    for (const { id } of [accepted, late]) {
      expect(test.chain.isKnownTransaction(id)).equal(true)
    }
    loop().resume()
    expect(loop().paused).equal(false)
    await test.produce()
    expect(test.head).equal(head + 1)
    // The slots of the pause are missed, and the next one is of now.
    expect(slotToUs(test.slot)).greaterThan(test.clock.time_us - SECOND_US)
  })

  it('evaluates transactions while it is paused, and puts them into a block afterwards', async () => {
    await test.pause()
    const submission = await test.submit([nothing()])
    expect(test.chain.isKnownTransaction(submission.id)).equal(false)
    expect(submission.trace?.receipt).not.equal(undefined)
    await test.clock.pass(3 * SECOND_US)
    loop().resume()
    await test.produce(2)
    expect(test.chain.isKnownTransaction(submission.id)).equal(true)
  })

  it('may be asked for and ended twice', async () => {
    loop().pause()
    loop().pause()
    loop().resume()
    expect(loop().paused).equal(false)
    loop().resume()
    await test.produce(2)
  })

  it('begins paused when it is asked to', async () => {
    await test.stop()
    test = await TestProducer.start({ pause_on_startup: true })
    expect(loop().paused).equal(true)
    await test.clock.pass(5 * SECOND_US)
    expect(test.head).equal(1)
    loop().resume()
    await test.produce()
  })

  describe('at a height', () => {
    it('stops there, and evaluates nothing', async () => {
      const height = test.head + 4
      loop().pauseAtBlock(height)
      expect(loop().paused).equal(false)
      await test.clock.pass(10 * SECOND_US)
      expect(test.head).equal(height)
      expect(loop().paused).equal(true)
      expect(test.chain.pending).equal(undefined)
      const { error } = await test.submit([nothing()])
      expect(error?.errorName).equal('producer_exception')
      expect(error?.message).match(/paused at a block height/)
      const dry_run = test.producer.compute(test.sign([nothing()]))
      await dry_run.then(
        () => expect.fail('it was executed'),
        (refused) => expect(refused.errorName).equal('producer_exception'),
      )
    })

    it('continues when it is resumed, and does not stop there again', async () => {
      const height = test.head + 2
      loop().pauseAtBlock(height)
      await test.clock.pass(10 * SECOND_US)
      loop().resume()
      await test.produce(3)
      expect(test.head).greaterThan(height)
      expect((await test.submit([nothing()])).error).equal(undefined)
    })

    it('takes transactions from the moment on in which it is resumed', async () => {
      while (test.slot % 12 !== 10) await test.produce()
      loop().pauseAtBlock(test.head + 1)
      await test.produce()
      expect(loop().paused).equal(true)
      // The next round has not begun: there is no block to try anything in yet.
      loop().resume()
      expect(test.chain.pending).equal(undefined)
      const { id, error } = await test.submit([nothing()])
      expect(error).equal(undefined)
      await test.produce()
      expect(test.chain.isKnownTransaction(id)).equal(true)
    })

    it('is cleared by 0, before and after the height is reached', async () => {
      loop().pauseAtBlock(test.head + 2)
      loop().pauseAtBlock(0)
      await test.produce(5)
      loop().pauseAtBlock(test.head + 1)
      await test.clock.pass(5 * SECOND_US)
      expect(loop().paused).equal(true)
      loop().pauseAtBlock(0)
      expect(loop().paused).equal(false)
      await test.produce(2)
    })

    it('may be moved', async () => {
      loop().pauseAtBlock(test.head + 2)
      loop().pauseAtBlock(test.head + 6)
      const height = test.head + 6
      await test.clock.pass(10 * SECOND_US)
      expect(test.head).equal(height)
    })

    it('must be above the head', () => {
      const { head } = test
      expect(() => loop().pauseAtBlock(head))
        .throw(`Pause at block ${head} <= chain head ${head}`)
        .with.property('errorName', 'invalid_pause_at_block_request')
      expect(loop().paused).equal(false)
    })

    it('answers transactions that wait for space in a block', async () => {
      test.clock.look_us = 3000
      const submissions = []
      const height = test.head + 1
      loop().pauseAtBlock(height)
      await test.clock.pass(1)
      for (let i = 0; i < 100; i++) submissions.push(await test.submit([nothing()]))
      await test.clock.pass(3 * SECOND_US)
      expect(test.head).equal(height)
      expect(submissions.every(({ done }) => done)).equal(true)
      expect(submissions.some(({ error }) => error?.errorName === 'producer_exception')).equal(true)
      expect(test.producer.processor.queue.incoming_size).equal(0)
    })
  })
})
