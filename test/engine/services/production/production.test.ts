import { expect } from 'chai'
import {
  createMetadata,
  recoverMetadataKeys,
} from '../../../../src/engine/chain/base/transaction_metadata.ts'
import { publicKeyOf, type PrivateKey } from '../../../../src/engine/crypto/keys.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { N, nameToString } from '../../../../src/engine/protocol/name.ts'
import { slotToUs } from '../../../../src/engine/protocol/time.ts'
import { DEVELOPMENT_SECRET, secretOf } from '../../chain/support/test_chain.ts'
import type { Clock } from '../../../../src/engine/clock.ts'
import type { FakeClock } from '../support/fake_clock.ts'
import { ENDLESS } from '../support/programs.ts'
import {
  BLOCK_US,
  SECOND_US,
  TestProducer,
  call,
  createAccount,
  nothing,
  setCode,
  type Submission,
} from '../support/test_producer.ts'

/** A block, and when it was there. */
interface Made {
  block_num: number
  slot: number
  time_us: number
  producer: string
  transactions: number
}

describe('production', () => {
  let test: TestProducer
  let made: Made[]
  afterEach(() => test.stop())

  async function start(...options: Parameters<typeof TestProducer.start>): Promise<void> {
    test = await TestProducer.start(...options)
    made = []
    test.chain.events.on('blockAccepted', (block) =>
      made.push({
        block_num: block.block_num,
        slot: block.timestamp,
        time_us: test.clock.time_us,
        producer: nameToString(block.producer),
        transactions: block.block.transactions.length,
      }),
    )
  }

  /** Begins at the start of a round. */
  async function nextRound(): Promise<void> {
    await test.produce()
    while (test.slot % 12 !== 11) await test.produce()
    made.length = 0
  }

  function expectEverySlot(): void {
    made.forEach(({ slot, time_us }, i) => {
      if (i > 0) expect(slot).equal(made[i - 1]!.slot + 1)
      expect(time_us).lte(slotToUs(slot))
    })
  }

  it('makes a block for every slot, and keeps the offset free at the end of a round', async () => {
    await start()
    await nextRound()
    await test.clock.pass(12 * SECOND_US)
    expect(made.length).within(23, 25)
    expectEverySlot()
    for (const { slot, time_us } of made) {
      if (slot % 12 === 11) expect(slotToUs(slot) - time_us).within(449_000, 460_000)
    }
  })

  it('misses no slot under load: transactions that do not fit wait, and all get into a block', async () => {
    await start()
    await nextRound()
    test.clock.look_us = 400
    const submissions: Submission[] = []
    for (let i = 0; i < 400; i++) submissions.push(await test.submit([nothing()]))
    await test.clock.pass(6 * SECOND_US)
    for (let i = 0; i < 400; i++) submissions.push(await test.submit([nothing()]))
    await test.clock.pass(20 * SECOND_US)
    expectEverySlot()
    expect(made.filter((block) => block.transactions > 0).length).greaterThan(5)
    expect(submissions.every(({ trace }) => trace?.receipt)).equal(true)
    expect(test.producer.processor.queue.size).equal(0)
    expect(made.reduce((sum, block) => sum + block.transactions, 0)).equal(800)
  })

  it('ends a block that is full or whose time is over, however many transactions come meanwhile', async () => {
    let alarms = 0
    await start({}, (moved) => ({
      now: () => moved.now(),
      wakeAt: (time_us, callback) => (alarms++, moved.wakeAt(time_us, callback)),
    }))
    await nextRound()
    await test.produce(2)
    const { loop } = test.producer
    const full = (): number => {
      const before = alarms
      for (let i = 0; i < 10; i++) loop.blockExhausted()
      return alarms - before
    }
    const blocks = made.length
    expect([loop.mode, full()]).deep.equal(['producing', 1])
    await test.clock.pass(0)
    expect(made).have.length(blocks + 1)
    // Its alarm is due, and has not gone off.
    test.clock.time_us += 2 * BLOCK_US
    expect([loop.mode, full()]).deep.equal(['producing', 0])
    await test.clock.pass(0)
    expect(made.length).greaterThan(blocks + 1)
  })

  it('continues while contracts run that never end', async () => {
    await start({ runtime: { ...RUNTIME, max_transaction_time: -1 } })
    await nextRound()
    await test.submit([createAccount('endless')])
    await test.submit([setCode('endless', ENDLESS)])
    test.clock.look_us = 50
    const submissions: Submission[] = []
    for (let i = 0; i < 20; i++) submissions.push(await test.submit([call('endless')]))
    const good = await test.submit([nothing()])
    await test.clock.pass(20 * SECOND_US)
    expectEverySlot()
    expect(good.trace?.receipt).not.equal(undefined)
    for (const { error } of submissions) {
      expect(error?.errorName).oneOf(['tx_cpu_usage_exceeded', 'deadline_exception'])
    }
  })

  it('fails a transaction that had a whole block and was stopped by its end', async () => {
    const genesis_limit_us = 600_000
    await start({ runtime: { ...RUNTIME, max_transaction_time: -1 } })
    const { db } = test.chain
    await nextRound()
    await test.submit([createAccount('endless')])
    await test.submit([setCode('endless', ENDLESS)])
    await test.produce()
    db.global_property.modify(db.global_property.single(), (row) => {
      row.configuration.max_transaction_cpu_usage = genesis_limit_us
      row.configuration.max_block_cpu_usage = genesis_limit_us + 1
    })
    test.clock.look_us = 50
    const submission = await test.submit([call('endless')])
    await test.clock.pass(3 * SECOND_US)
    expect(submission.error?.errorName).equal('deadline_exception')
    expectEverySlot()
  })

  it('names a transaction of a discarded block that cannot be executed again', async () => {
    await start()
    await nextRound()
    await test.submit([createAccount('alice')])
    await test.produce(2)
    const packed = test.sign([createAccount('alice'), nothing()])
    const meta = recoverMetadataKeys(createMetadata(packed, 'input'), test.chain.chain_id)
    test.producer.processor.queue.addBack('forked', [meta])
    await test.produce(2)
    expect(test.producer.processor.queue.size).equal(0)
    const [line] = test.log.filter((text) => text.includes(toHex(meta.id)))
    expect(line).match(/^info transaction \w{64} of a discarded block is not executed again: /)
    expect(line).match(/Cannot create account named alice, as that name is already taken$/)
  })

  it('names a transaction of a discarded block that expires before it is executed again', async () => {
    await start()
    await nextRound()
    const packed = test.sign([nothing()], { expires_us: 2 * SECOND_US })
    const meta = recoverMetadataKeys(createMetadata(packed, 'input'), test.chain.chain_id)
    await test.clock.pass(3 * SECOND_US)
    test.producer.processor.queue.addBack('forked', [meta])
    await test.produce()
    expect(test.producer.processor.queue.size).equal(0)
    const lines = test.log.filter((text) => text.includes(toHex(meta.id)))
    expect(lines).deep.equal([
      `info transaction ${toHex(meta.id)} of a discarded block expired before it was executed again`,
    ])
  })

  describe('on a busy machine', () => {
    let waited_us = 0
    /** Other programs have the processor at this reading of the clock, for so long. */
    let readings = Infinity
    let wait_us = 0

    async function startBusy(max_transaction_time: number): Promise<void> {
      waited_us = 0
      readings = Infinity
      const makeClock = (moved: FakeClock): Clock => ({
        now: () => {
          readings -= 1
          if (readings === 0) {
            moved.time_us += wait_us
            waited_us += wait_us
          }
          return moved.now()
        },
        wakeAt: (time_us, callback) => moved.wakeAt(time_us, callback),
      })
      const runtime = { ...RUNTIME, max_transaction_time }
      await start({ runtime }, makeClock, undefined, () => waited_us)
      const { db } = test.chain
      db.global_property.modify(db.global_property.single(), (row) => {
        row.configuration.max_transaction_cpu_usage = 2 * BLOCK_US
        row.configuration.max_block_cpu_usage = 2 * BLOCK_US + 1
      })
      await nextRound()
      while (test.producer.loop.mode !== 'producing') await test.clock.pass(1000)
    }

    /** Submits a transaction whose actions each look at the clock; one of the first waits. */
    async function submitOneThatWaits(length_us: number): Promise<Submission> {
      const packed = test.sign(Array.from({ length: 40 }, () => nothing()))
      wait_us = length_us
      readings = 25
      const submission = await test.submit(packed)
      expect(waited_us).equal(length_us)
      return submission
    }

    it('executes a transaction again whose block ended while other programs had the processor', async () => {
      await startBusy(-1)
      const submission = await submitOneThatWaits(BLOCK_US)
      expect(submission.done).equal(false)
      await test.clock.pass(2 * SECOND_US)
      expect(submission.error).equal(undefined)
      expect(submission.trace?.receipt).not.equal(undefined)
    })

    it('executes a transaction again at once that hardly began before other programs had the processor', async () => {
      await startBusy(30)
      const submission = await submitOneThatWaits(BLOCK_US / 2)
      expect(submission.error).equal(undefined)
      expect(submission.trace?.receipt).not.equal(undefined)
    })

    it('fails a transaction that had a good part of its time before other programs had the processor', async () => {
      await startBusy(30)
      test.clock.look_us = 1000
      const submission = await submitOneThatWaits(BLOCK_US / 2)
      expect(submission.error?.message).match(
        /reached node configured max-transaction-time 30000us while the machine was busy/,
      )
    })
  })

  describe('of several producers', () => {
    const NAMES = ['eosio', 'alice', 'bob']
    const secrets: PrivateKey[] = [DEVELOPMENT_SECRET, secretOf(1), secretOf(2)]
    const keys = new Map(secrets.map((secret) => [toHex(publicKeyOf(secret)), secret]))

    /** Gives the chain producers, and waits until they are the active ones. */
    async function schedule(names: readonly string[]): Promise<void> {
      const producers = names.map((name) => ({
        producer_name: N(name),
        authority: [
          0,
          { threshold: 1, keys: [{ key: publicKeyOf(secrets[NAMES.indexOf(name)]!), weight: 1 }] },
        ] as [0, { threshold: number; keys: { key: Uint8Array; weight: number }[] }],
      }))
      while (!test.chain.pending) await test.clock.pass(BLOCK_US / 2)
      const { db, pending } = test.chain
      db.global_property.modify(db.global_property.single(), (row) => {
        row.proposed_schedule_block_num = pending!.block_num
        row.proposed_schedule = { version: 1, producers }
      })
    }

    async function startFor(producers: readonly string[], max_reversible_blocks: number) {
      await start({ producers: producers.map(N), signing_keys: keys, max_reversible_blocks })
      await nextRound()
      await test.submit([createAccount('alice'), createAccount('bob')])
    }

    it('makes their blocks in turn, twelve each, without missing one', async () => {
      await startFor(NAMES, 3600)
      await schedule(NAMES)
      await test.clock.pass(60 * SECOND_US)
      expectEverySlot()
      const last = made.slice(-72)
      expect(new Set(last.map(({ producer }) => producer))).deep.equal(new Set(NAMES))
      for (const { slot, producer } of last) {
        expect(producer).equal(NAMES[Math.floor(slot / 12) % 3])
      }
    })

    it('makes the blocks of its own alone, and stops when too many are reversible', async () => {
      await startFor(['eosio'], 20)
      await schedule(NAMES)
      await test.clock.pass(60 * SECOND_US)
      expect(made.every(({ producer }) => producer === 'eosio')).equal(true)
      const { head } = test.chain
      expect(head.block_num - head.irreversible_block_num).equal(21)
      expect(test.log).include('warn not producing for eosio: more than 20 blocks are reversible')
    })
  })

  it('does not begin on a stale chain unless it may', async () => {
    await start({ enable_stale_production: false })
    await test.clock.pass(5 * SECOND_US)
    expect(made).deep.equal([])
    expect(test.log.filter((line) => line.startsWith('warn'))).deep.equal([
      'warn not producing for eosio: the chain is stale, and stale production is not enabled',
    ])
  })

  it('does not begin without the key of its authority', async () => {
    await start({ signing_keys: new Map() })
    await test.clock.pass(5 * SECOND_US)
    expect(made).deep.equal([])
    expect(test.log).include(
      'warn not producing for eosio: this node has no private key of its authority',
    )
  })

  it('sums up what it made once in a minute', async () => {
    await start()
    await test.clock.pass(70 * SECOND_US)
    const sums = test.log.filter((line) => line.startsWith('info produced'))
    expect(sums.length).equal(1)
    expect(sums[0]).match(/^info produced 120 blocks with 0 transactions up to block 121, /)
  })

  it('counts its blocks and what their time went to', async () => {
    await start()
    await nextRound()
    const { blocks: metrics } = test.producer
    const before = { ...metrics.produced }
    const execution = { ...metrics.produced_execution }
    test.clock.look_us = 10
    await test.submit([nothing()])
    await test.submit([createAccount('eosio')])
    await test.produce(2)
    expect(metrics.produced.blocks - before.blocks).equal(2)
    expect(metrics.produced.block_num).equal(test.head)
    expect(metrics.produced.success_count - before.success_count).equal(1)
    expect(metrics.produced.failure_count - before.failure_count).equal(1)
    expect(metrics.produced_execution.transactions - execution.transactions).equal(1)
    expect(metrics.produced_execution.net_usage).greaterThan(execution.net_usage)
    const { total_us, idle_us, other_us, success_us, failure_us, transient_us } = metrics.produced
    expect(idle_us + other_us + success_us + failure_us + transient_us).equal(total_us)
    expect(idle_us).greaterThan(total_us / 2)
  })
})

const RUNTIME = {
  max_transaction_time: 499,
  max_irreversible_block_age: -1,
  produce_block_offset_ms: 450,
  produce_time_offset_us: 0,
  last_block_time_offset_us: 0,
  max_scheduled_transaction_time_per_block_ms: 100,
  incoming_defer_ratio: 1,
}
