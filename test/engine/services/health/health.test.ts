import { expect } from 'chai'
import { BusyError } from '../../../../src/engine/errors.ts'
import { health } from '../../../../src/engine/services/health/health.ts'
import { SECOND_US, TestProducer, nothing } from '../support/test_producer.ts'

describe('health', () => {
  let test: TestProducer
  afterEach(() => test.stop())

  const check = () => health(test.producer, test.chain, test.clock)

  it('reports the head, its age, and the number of waiting transactions', async () => {
    test = await TestProducer.start()
    await test.produce(3)
    await test.pause()
    await test.submit([nothing()])
    test.producer.loop.abort()
    const told = check()
    expect(told).include({
      status: 'ok',
      head_block_num: test.head,
      production: 'paused',
      unapplied_transactions: 1,
    })
    await test.clock.pass(2 * SECOND_US)
    expect(check().head_block_age_ms - told.head_block_age_ms).within(1000, 2000)
  })

  it('fails when blocks are missing that this node should make', async () => {
    test = await TestProducer.start()
    await test.produce(3)
    test.clock.time_us += 4 * SECOND_US
    expect(check().production).equal('running')
    test.clock.time_us += 3 * SECOND_US
    expect(check).throw(BusyError, 'seconds, although this node produces for eosio')
    await test.pause()
    expect(check().production).equal('paused')
  })

  it('a node without producers is healthy without producing', async () => {
    test = await TestProducer.start({ producers: [] })
    test.clock.time_us += 1000 * SECOND_US
    expect(check().production).equal('none')
  })
})
