import { expect } from 'chai'
import { N } from '../../../../src/engine/protocol/name.ts'
import { slotToUs } from '../../../../src/engine/protocol/time.ts'
import {
  addPendingRamUsage,
  setAccountLimits,
} from '../../../../src/engine/chain/rules/resource_limits.ts'
import { packTransaction, plainTransaction } from '../../../../src/engine/protocol/transaction.ts'
import { packOne } from '../../../../src/engine/protocol/writer.ts'
import type { RuntimeOptionsUpdate } from '../../../../src/engine/services/production/runtime_options.ts'
import { ENDLESS } from '../support/programs.ts'
import {
  SECOND_US,
  TestProducer,
  call,
  createAccount,
  nothing,
  setCode,
} from '../support/test_producer.ts'

describe('effects of run-time options', () => {
  let test: TestProducer
  beforeEach(async () => {
    test = await TestProducer.start()
    await test.produce()
  })
  afterEach(() => test.stop())

  const update = (options: RuntimeOptionsUpdate) => test.producer.update(options)

  /** How long before the end of their slots the blocks of two rounds were made, by place. */
  async function earliness(): Promise<number[]> {
    while (test.slot % 12 !== 11) await test.produce()
    const early: number[] = []
    test.chain.events.on('blockAccepted', ({ timestamp }) => {
      early[timestamp % 12] = Math.round((slotToUs(timestamp) - test.clock.time_us) / 1000)
    })
    await test.clock.pass(12 * SECOND_US)
    return early
  }

  it('produce_block_offset_ms makes each block of a round end earlier', async () => {
    update({ produce_block_offset_ms: 0 })
    expect(await earliness()).deep.equal(Array(12).fill(0))
    update({ produce_block_offset_ms: 1200 })
    expect(await earliness()).deep.equal([...Array(12).keys()].map((i) => (i + 1) * 100))
  })

  it('produce_time_offset_us and last_block_time_offset_us cut blocks earlier', async () => {
    update({ produce_block_offset_ms: 0, produce_time_offset_us: -50_000 })
    update({ last_block_time_offset_us: -100_000 })
    expect(await earliness()).deep.equal([...Array(11).fill(50), 150])
  })

  /** Runs a contract that never ends; answers how long it ran, in microseconds. */
  async function endless(actor = 'endless'): Promise<number> {
    while (!test.chain.pending) await test.clock.pass(100_000)
    test.clock.look_us = 10
    const packed = test.sign([call('endless', actor)])
    const before = test.clock.time_us
    const { error } = await test.submit(packed)
    const ran = test.clock.time_us - before
    test.clock.look_us = 0
    expect(error?.code).within(3080000, 3089999)
    return ran
  }

  async function deployEndless(): Promise<void> {
    await test.submit([createAccount('endless'), createAccount('poor'), createAccount('rich')])
    await test.submit([setCode('endless', ENDLESS)])
    await test.produce(2)
  }

  it('max_transaction_time ends transactions', async () => {
    await deployEndless()
    update({ max_transaction_time: 20 })
    expect(await endless()).within(20_000, 21_000)
    update({ max_transaction_time: 40 })
    expect(await endless()).within(40_000, 41_000)
    // The chain's own limit is left.
    update({ max_transaction_time: -1 })
    expect(await endless()).within(150_000, 152_000)
  })

  it('max_transaction_time ends the recovery of keys, too', async () => {
    update({ max_transaction_time: 0 })
    const { error } = await test.submit([createAccount('late')])
    expect(error).include({ errorName: 'tx_cpu_usage_exceeded' })
    expect(error!.message).match(/^transaction signature verification executed for too long \d+us$/)
  })

  /** Gives two accounts shares of the CPU time. */
  async function share(): Promise<void> {
    const { db } = test.chain
    for (const [account, cpu_weight] of [
      ['poor', 1n],
      ['rich', 1_000_000n],
    ] as const) {
      setAccountLimits(db, N(account), { ram_bytes: -1n, net_weight: -1n, cpu_weight })
    }
    await test.produce()
  }

  it('subjective_cpu_leeway_us is granted beyond what an account has', async () => {
    await deployEndless()
    while (!test.chain.pending) await test.clock.pass(100_000)
    await share()
    update({ subjective_cpu_leeway_us: 30_000 })
    const generous = await endless('poor')
    update({ subjective_cpu_leeway_us: 10_000 })
    expect(generous - (await endless('poor'))).within(19_000, 21_000)
  })

  it('greylist_limit and the greylist take away what an idle chain lends', async () => {
    await deployEndless()
    while (!test.chain.pending) await test.clock.pass(100_000)
    await share()
    const { db } = test.chain
    // As after a long time without load.
    db.resource_limits_state.modify(db.resource_limits_state.single(), (row) => {
      row.virtual_cpu_limit *= 1000n
    })
    update({ subjective_cpu_leeway_us: 0 })
    const lent = await endless('poor')
    update({ greylist_limit: 10 })
    const limited = await endless('poor')
    update({ greylist_limit: 1000 })
    test.rules.resource_greylist.add(N('poor'))
    const greylisted = await endless('poor')
    expect(limited).lessThan(lent)
    expect(greylisted).lessThan(limited)
  })

  it('max_irreversible_block_age stops production on an old chain', async () => {
    update({ max_irreversible_block_age: 10 })
    await test.pause()
    await test.clock.pass(20 * SECOND_US)
    const head = test.head
    test.producer.loop.resume()
    await test.clock.pass(5 * SECOND_US)
    expect(test.head).equal(head)
    update({ max_irreversible_block_age: -1 })
    await test.produce()
    update({ max_irreversible_block_age: 10 })
    await test.produce(30)
    expect((await test.submit([nothing()])).error).equal(undefined)
  })

  /** Deferred transactions that expired, as a contract left them. */
  function defer(count: number): void {
    const { db } = test.chain
    const payer = N('eosio')
    for (let n = 1; n <= count; n++) {
      const packed_trx = packOne(packTransaction, {
        expiration: n,
        ref_block_num: 0,
        ref_block_prefix: 0,
        ...plainTransaction([]),
      })
      const trx_id = new Uint8Array(32).fill(n)
      const times = { delay_until: 0, expiration: n, published: 0 }
      const row = { trx_id, sender: payer, sender_id: BigInt(n), payer, packed_trx, ...times }
      db.generated_transaction.create(row)
      addPendingRamUsage(db, payer, 10_000)
    }
  }

  /** What the next block does with four deferred and ten waiting transactions: `d` and `i`. */
  async function order(): Promise<string> {
    while (test.slot % 12 !== 11 || test.chain.pending) await test.clock.pass(10_000)
    defer(4)
    for (let i = 0; i < 10; i++) await test.submit([nothing()])
    let done = ''
    test.chain.events.on('transactionApplied', ({ trace: { scheduled }, meta: { kind } }) => {
      if (scheduled || kind === 'input') done += scheduled ? 'd' : 'i'
    })
    const block_num = test.head + 1
    await test.produce()
    expect(test.head).equal(block_num)
    return done
  }

  it('incoming_defer_ratio says how many waiting transactions go before a deferred one', async () => {
    expect(await order()).equal('ididididiiiiii')
    update({ incoming_defer_ratio: 3 })
    expect(await order()).equal('iiidiiidiiidid')
    update({ incoming_defer_ratio: 0 })
    expect(await order()).equal('ddddiiiiiiiiii')
  })

  it('max_scheduled_transaction_time_per_block_ms bounds the time for deferred ones', async () => {
    update({ max_scheduled_transaction_time_per_block_ms: 0, incoming_defer_ratio: 0 })
    expect(await order()).equal('iiiiiiiiii')
    expect(test.chain.db.generated_transaction.size).equal(4)
  })
})
