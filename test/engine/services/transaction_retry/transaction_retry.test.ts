import { expect } from 'chai'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import {
  SECOND_US,
  TestProducer,
  createAccount,
  nothing,
  type Submission,
} from '../support/test_producer.ts'

describe('submissions that wait for their block', () => {
  let test: TestProducer
  afterEach(() => test.stop())

  const until = (num_blocks?: number) => ({ retry: { num_blocks } })
  const block = (submission: Submission) => submission.trace!.block_num

  it('are answered with the trace of their block when it has so many blocks on top', async () => {
    test = await TestProducer.start()
    await test.produce(3)
    const at_once = await test.submit([nothing()], until(0))
    await test.produce()
    expect(at_once.done).equal(true)
    expect(block(at_once)).equal(test.head)
    expect(toHex(at_once.trace!.producer_block_id!)).equal(test.chain.head.key)
    expect(at_once.trace!.block_time).equal(test.chain.head.timestamp)
    expect(at_once.trace!.receipt!.status).equal(0)
  })

  it('wait for blocks on top while their own is not irreversible', async () => {
    test = await TestProducer.start()
    await test.produce()
    // As if other producers had to confirm it.
    const { events } = test.chain
    const emit = events.emit.bind(events)
    events.emit = (name, event) => {
      if (name !== 'blockIrreversible') emit(name, event)
    }
    const submission = await test.submit([nothing()], until(3))
    await test.produce(3)
    expect(submission.done).equal(false)
    await test.produce()
    expect(submission.done).equal(true)
    expect(block(submission)).equal(test.head - 3)
  })

  it('are answered at the latest when their block is irreversible', async () => {
    test = await TestProducer.start()
    await test.produce()
    const submission = await test.submit([nothing()], until())
    const many = await test.submit([nothing()], until(1000))
    expect(submission.done).equal(false)
    await test.produce(3)
    for (const { done, trace } of [submission, many]) {
      expect(done).equal(true)
      expect(trace!.block_num).lte(test.chain.last_irreversible.block_num)
    }
  })

  it('fail at once when the transaction fails', async () => {
    test = await TestProducer.start()
    await test.produce()
    const failing = await test.submit([createAccount('eosio')], until(1))
    expect(failing.error?.errorName).equal('account_name_exists_exception')
    const traced = await test.submit([createAccount('eosio')], {
      ...until(1),
      return_failure_trace: true,
    })
    expect(traced.trace?.except?.errorName).equal('account_name_exists_exception')
    const unsigned = await test.submit(test.sign([nothing()], { secrets: [] }), until(1))
    expect(unsigned.error?.errorName).equal('unsatisfied_authorization')
  })

  it('are refused when the transaction expires too late', async () => {
    test = await TestProducer.start()
    await test.produce()
    const late = await test.submit(
      test.sign([nothing()], { expires_us: 122 * SECOND_US }),
      until(1),
    )
    expect(late.error?.errorName).equal('tx_exp_too_far_exception')
    expect(late.error?.message).match(
      /^retry transaction expiration 2018-06-01T13:02:\S+ larger than allowed 2018-06-01T13:02:\S+$/,
    )
    const just = await test.submit(
      test.sign([nothing()], { expires_us: 120 * SECOND_US }),
      until(0),
    )
    await test.produce()
    expect(just.trace).not.equal(undefined)
  })

  it('get a duplicate error when the transaction is in the chain', async () => {
    test = await TestProducer.start()
    await test.produce()
    const packed = test.sign([nothing()])
    await test.submit(packed)
    await test.produce(3)
    const again = await test.submit(packed, until(1))
    expect(again.error?.errorName).equal('tx_duplicate')
    expect(again.error?.message).equal(`duplicate transaction ${toHex(again.id)}`)
  })

  it('join requests that wait for the same transaction', async () => {
    test = await TestProducer.start()
    await test.produce()
    const packed = test.sign([nothing()])
    const first = await test.submit(packed, until(0))
    const second = await test.submit(packed, until())
    await test.produce()
    expect(first.done).equal(true)
    await test.produce(3)
    expect(second.trace?.block_num).equal(first.trace!.block_num)
  })

  it('wait while production is paused, and enter a block when it resumes', async () => {
    test = await TestProducer.start()
    await test.produce()
    await test.pause()
    const submission = await test.submit([nothing()], until(0))
    await test.clock.pass(5 * SECOND_US)
    expect(submission.done).equal(false)
    const before = test.head
    test.producer.loop.resume()
    // The first block may be cut before it begins: it is late in its round.
    await test.produce(2)
    expect(submission.trace?.block_num).within(before + 1, test.head)
  })

  it('fail when a final block is later than the expiration', async () => {
    test = await TestProducer.start()
    await test.produce()
    await test.pause()
    const packed = test.sign([nothing()], { expires_us: 5 * SECOND_US })
    const submission = await test.submit(packed, until(1))
    await test.clock.pass(10 * SECOND_US)
    expect(submission.done).equal(false)
    test.producer.loop.resume()
    await test.produce(3)
    expect(submission.error?.errorName).equal('expired_tx_exception')
    expect(submission.error?.message).match(
      new RegExp(
        `^expired retry transaction ${toHex(submission.id)}, expiration \\S+, block time \\S+\\.\\d{3}$`,
      ),
    )
  })

  it('are submitted again after the interval when the transaction is nowhere any more', async () => {
    test = await TestProducer.start()
    await test.produce()
    await test.pause()
    const submission = await test.submit([nothing()], until(0))
    test.producer.loop.abort()
    const { queue } = test.producer.processor
    queue.remove(queue.find(toHex(submission.id))!)
    test.producer.loop.resume()
    await test.produce(2)
    expect(submission.done).equal(false)
    await test.clock.pass(21 * SECOND_US)
    expect(submission.trace?.producer_block_id).not.equal(undefined)
  })

  it('report why submitting again failed when they expire', async () => {
    test = await TestProducer.start()
    await test.produce()
    await test.pause()
    const submission = await test.submit([nothing()], until(0))
    test.producer.loop.abort()
    const { queue } = test.producer.processor
    queue.remove(queue.find(toHex(submission.id))!)
    test.rules.actor_blacklist.add(N('eosio'))
    test.producer.loop.resume()
    await test.clock.pass(70 * SECOND_US)
    expect(submission.error?.errorName).equal('expired_tx_exception')
    expect(submission.error?.details[1]?.message).match(/^submitted again it failed: .*blacklist/)
  })

  it('end when the node stops', async () => {
    test = await TestProducer.start()
    await test.produce()
    const submission = await test.submit([nothing()], until())
    test.retry!.endWaits()
    await test.clock.pass(0)
    expect(submission.error?.message).match(/^the node stops while transaction/)
  })

  it('are refused beyond their memory, and when the operator turned them off', async () => {
    const retry = { max_bytes: 100, interval_us: SECOND_US, max_expiration_us: 100 * SECOND_US }
    test = await TestProducer.start({ retry })
    await test.produce()
    const first = await test.submit([nothing()], until())
    const second = await test.submit([nothing()], until())
    expect(first.done).equal(false)
    expect(second.error?.errorName).equal('tx_resource_exhaustion')
    await test.produce(3)
    const third = await test.submit([nothing()], until(0))
    await test.produce(1)
    expect(third.trace).not.equal(undefined)
    await test.stop()
    test = await TestProducer.start({ retry: undefined })
    await test.produce()
    const off = await test.submit([nothing()], until())
    expect(off.error?.errorName).equal('unsupported_feature')
    expect(off.error?.message).equal(
      'Transaction retry not enabled on node. transaction-retry-max-storage-size-gb is 0',
    )
  })
})
