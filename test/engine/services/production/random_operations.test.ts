/**
 * What an operator may do to production, in any order and at any moment: whatever a client was told
 * to be accepted enters a block, once; and while nobody paused it, no slot is missed.
 */
import { expect } from 'chai'
import { ChainError } from '../../../../src/engine/errors.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import type { TransactionTrace } from '../../../../src/engine/chain/base/trace.ts'
import { Random } from '../../../fuzz/random.ts'
import { SECOND_US, TestProducer, nothing, type Submission } from '../support/test_producer.ts'

const RUNS = 12
const STEPS = 80
const LONG_US = 3000 * SECOND_US

class Run {
  readonly random: Random
  readonly test: TestProducer
  readonly submissions: Submission[] = []
  readonly dry_runs: Promise<void>[] = []
  /** How often a transaction is in the chain, by id in hex. */
  readonly included = new Map<string, number>()
  readonly slots: number[] = []
  /** Nothing was paused since the slot before. */
  private undisturbed = true

  constructor(random: Random, test: TestProducer) {
    this.random = random
    this.test = test
    test.chain.events.on('blockAccepted', ({ trx_metas = [], timestamp }) => {
      for (const { id } of trx_metas) {
        this.included.set(toHex(id), (this.included.get(toHex(id)) ?? 0) + 1)
      }
      if (this.undisturbed && this.slots.length > 0) {
        expect(timestamp).equal(this.slots.at(-1)! + 1)
      }
      this.slots.push(timestamp)
      this.undisturbed = !test.producer.loop.paused
    })
  }

  async step(): Promise<void> {
    const { test, random } = this
    const { loop } = test.producer
    switch (random.below(12)) {
      case 0:
        this.undisturbed = false
        return loop.pause()
      case 1:
        return loop.resume()
      case 2:
        this.undisturbed = false
        return loop.pauseAtBlock(test.head + 1 + random.below(4))
      case 3:
        return loop.pauseAtBlock(0)
      case 4:
        // As for a snapshot.
        this.undisturbed = false
        loop.abort()
        return loop.restart()
      case 5:
        return test.producer.update({ produce_block_offset_ms: random.below(5000) })
      case 6:
        this.undisturbed = false
        test.producer.update({ max_irreversible_block_age: random.below(2) ? -1 : 1000 })
        return
      case 7:
        this.dry_runs.push(test.producer.compute(test.sign([nothing()])).then(noFailure, atHeight))
        return test.clock.pass(0)
      case 8:
      case 9: {
        const packed = test.sign([nothing()], { expires_us: LONG_US })
        this.submissions.push(await test.submit(packed))
        return
      }
      default:
        return test.clock.pass(random.below(700_000))
    }
  }

  async end(): Promise<void> {
    const { test } = this
    this.undisturbed = false
    test.producer.loop.pauseAtBlock(0)
    test.producer.loop.resume()
    await test.clock.pass(10 * SECOND_US)
    await Promise.all(this.dry_runs)
    const { queue } = test.producer.processor
    expect(queue.size).equal(0)
    for (const { id, trace, error, done } of this.submissions) {
      expect(done).equal(true)
      if (error) atHeight(error)
      else expect(trace?.receipt?.status).equal(0)
      expect(this.included.get(toHex(id)) ?? 0).equal(error ? 0 : 1)
    }
    expect(test.log.filter((line) => line.startsWith('error'))).deep.equal([])
  }
}

function noFailure({ receipt }: TransactionTrace): void {
  expect(receipt?.status).equal(0)
}

function atHeight(error: unknown): void {
  expect(error).instanceOf(ChainError).property('errorName', 'producer_exception')
}

describe('production with random operator requests', () => {
  for (let seed = 1; seed <= RUNS; seed++) {
    it(`loses nothing and misses no slot, seed ${seed}`, async () => {
      const test = await TestProducer.start()
      await test.produce(2)
      const run = new Run(new Random(seed), test)
      try {
        for (let i = 0; i < STEPS; i++) await run.step()
        await run.end()
        expect(run.slots.length).greaterThan(10)
      } finally {
        await test.stop()
      }
    })
  }
})
