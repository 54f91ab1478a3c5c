import { expect } from 'chai'
import type { BlockState } from '../../../../src/engine/chain/headers/block_state.ts'
import type { TransactionTrace } from '../../../../src/engine/chain/base/trace.ts'
import type { TransactionMetadata } from '../../../../src/engine/chain/base/transaction_metadata.ts'
import {
  STATUS_ENTRY_BYTES,
  TransactionStatusTracker,
} from '../../../../src/engine/services/transaction_status/tracker.ts'
import { slotToUs } from '../../../../src/engine/protocol/time.ts'
import { FakeClock } from '../support/fake_clock.ts'
import { SECOND_US, TestProducer, createAccount, nothing } from '../support/test_producer.ts'
import { loudEvents } from '../../chain/support/loud_events.ts'

const START_US = 1_000_000 * SECOND_US

/** A tracker that hears of invented blocks. */
class Heard {
  readonly clock = new FakeClock(START_US)
  readonly tracker: TransactionStatusTracker
  private readonly events = loudEvents()
  private readonly accepted: number[] = []

  constructor(max_entries = 100) {
    this.tracker = new TransactionStatusTracker(
      {
        max_bytes: max_entries * STATUS_ENTRY_BYTES,
        success_duration_us: 60 * SECOND_US,
        failure_duration_us: 40 * SECOND_US,
      },
      this.clock,
    )
    this.tracker.follow(this.events)
  }

  apply(n: number, { status = 0, kind = 'input', expires_us = 30 * SECOND_US } = {}): void {
    const trace = { id: id(n), receipt: { status }, producer_block_id: undefined }
    this.events.emit('transactionApplied', {
      trace: trace as unknown as TransactionTrace,
      meta: this.meta(n, kind, expires_us),
    })
  }

  /** Blocks with this number and later ones that were accepted before are undone first. */
  accept(block_num: number, ...transactions: number[]): void {
    while (this.accepted.length > 0 && this.accepted.at(-1)! >= block_num) {
      this.events.emit('blockUndone', this.block(this.accepted.pop()!, []))
    }
    this.accepted.push(block_num)
    this.events.emit('blockAccepted', this.block(block_num, transactions))
  }

  finalize(block_num: number): void {
    this.events.emit('blockIrreversible', this.block(block_num, []))
  }

  state(n: number): string {
    return this.tracker.get(id(n)).state
  }

  private block(block_num: number, transactions: number[]): BlockState {
    const trx_metas = transactions.map((n) => this.meta(n, 'input', 30 * SECOND_US))
    return {
      block_num,
      id: id(block_num),
      timestamp: block_num,
      trx_metas,
    } as unknown as BlockState
  }

  private meta(n: number, kind: string, expires_us: number): TransactionMetadata {
    const expiration = (this.clock.time_us + expires_us) / SECOND_US
    return { id: id(n), kind, trx: { expiration } } as unknown as TransactionMetadata
  }
}

const id = (n: number) => new Uint8Array(32).fill(n)

describe('transaction status', () => {
  it('goes from locally applied to a block and to irreversible, and is removed', () => {
    const heard = new Heard()
    expect(heard.tracker.get(id(1))).deep.equal({
      state: 'UNKNOWN',
      block: undefined,
      expiration: undefined,
    })
    heard.apply(1)
    const applied = heard.tracker.get(id(1))
    expect(applied.state).equal('LOCALLY_APPLIED')
    expect(applied.block).equal(undefined)
    expect(applied.expiration).equal(1_000_030)
    heard.accept(10, 1)
    expect(heard.state(1)).equal('IN_BLOCK')
    expect(heard.tracker.get(id(1)).block).deep.equal({ block_num: 10, id: id(10), timestamp: 10 })
    heard.finalize(9)
    expect(heard.state(1)).equal('IN_BLOCK')
    heard.finalize(10)
    expect(heard.state(1)).equal('IRREVERSIBLE')
    heard.clock.time_us = START_US + 60 * SECOND_US - 1
    expect(heard.state(1)).equal('IRREVERSIBLE')
    heard.clock.time_us += 1
    expect(heard.state(1)).equal('UNKNOWN')
    expect(heard.tracker.size).equal(1)
    heard.accept(11)
    expect(heard.tracker.size).equal(0)
  })

  it('is known of transactions that were first seen in a block', () => {
    const heard = new Heard()
    heard.accept(10, 1)
    expect(heard.state(1)).equal('IN_BLOCK')
  })

  it('is not added for a block that is as old as an entry gets, and changes if it is known', () => {
    const heard = new Heard()
    heard.clock.time_us = slotToUs(10) + 60 * SECOND_US - 1
    heard.accept(10, 1)
    expect(heard.tracker.size).equal(1)
    heard.clock.time_us += SECOND_US
    heard.accept(11, 2)
    expect(heard.state(2)).equal('UNKNOWN')
    heard.apply(3)
    heard.clock.time_us += SECOND_US
    heard.accept(12, 3, 4)
    expect([1, 3, 4].map((n) => heard.state(n))).deep.equal(['IN_BLOCK', 'IN_BLOCK', 'UNKNOWN'])
    heard.finalize(12)
    expect(heard.state(3)).equal('IRREVERSIBLE')
  })

  it('fails when it expires without a block, and is removed later', () => {
    const heard = new Heard()
    heard.apply(1)
    heard.clock.time_us += 30 * SECOND_US - 1
    expect(heard.state(1)).equal('LOCALLY_APPLIED')
    heard.clock.time_us += 1
    expect(heard.state(1)).equal('FAILED')
    heard.clock.time_us += 10 * SECOND_US
    expect(heard.state(1)).equal('UNKNOWN')
  })

  it('is forked out with its block and those above it, and may enter another', () => {
    const heard = new Heard()
    heard.accept(10, 1)
    heard.accept(11, 2)
    heard.accept(12, 3)
    heard.accept(11, 4)
    expect([1, 2, 3, 4].map((n) => heard.state(n))).deep.equal([
      'IN_BLOCK',
      'FORKED_OUT',
      'FORKED_OUT',
      'IN_BLOCK',
    ])
    // The answer still names the block that it was in.
    expect(heard.tracker.get(id(3)).block?.block_num).equal(12)
    heard.apply(2)
    expect(heard.tracker.get(id(2))).include({ state: 'LOCALLY_APPLIED', block: undefined })
    heard.accept(12, 2)
    expect(heard.state(2)).equal('IN_BLOCK')
    heard.clock.time_us += 30 * SECOND_US
    expect(heard.state(3)).equal('FAILED')
    expect(heard.state(2)).equal('IN_BLOCK')
  })

  it('is not tracked for failures, dry runs and implicit transactions', () => {
    const heard = new Heard()
    heard.apply(1, { status: 2 })
    heard.apply(2, { kind: 'implicit' })
    heard.apply(3, { kind: 'scheduled' })
    expect(heard.tracker.size).equal(0)
  })

  it('is tracked again when a removed transaction is submitted again', () => {
    const heard = new Heard()
    heard.apply(1)
    heard.clock.time_us += 40 * SECOND_US
    expect(heard.state(1)).equal('UNKNOWN')
    heard.apply(1)
    expect(heard.state(1)).equal('LOCALLY_APPLIED')
  })

  it('is removed for the oldest transactions when the memory is full', () => {
    const heard = new Heard(20)
    for (let n = 1; n <= 21; n++) heard.apply(n)
    expect(heard.tracker.size).equal(19)
    expect([heard.state(1), heard.state(2), heard.state(3)]).deep.equal([
      'UNKNOWN',
      'UNKNOWN',
      'LOCALLY_APPLIED',
    ])
    expect(heard.state(21)).equal('LOCALLY_APPLIED')
  })

  it('reports the earliest block whose transactions are tracked', () => {
    const heard = new Heard()
    expect(heard.tracker.earliest_block).equal(undefined)
    heard.accept(5)
    expect(heard.tracker.earliest_block).equal(undefined)
    heard.accept(6, 1)
    heard.clock.time_us += 10 * SECOND_US
    heard.accept(7, 2)
    expect(heard.tracker.earliest_block?.block_num).equal(6)
    heard.clock.time_us += 50 * SECOND_US
    heard.accept(8)
    expect(heard.tracker.earliest_block?.block_num).equal(7)
    heard.accept(7, 3)
    expect(heard.tracker.earliest_block?.block_num).equal(7)
    expect(heard.tracker.earliest_block?.id).deep.equal(id(7))
    heard.clock.time_us += 100 * SECOND_US
    heard.accept(9)
    expect(heard.tracker.earliest_block?.block_num).equal(7)
  })

  describe('on a node', () => {
    let test: TestProducer
    afterEach(() => test.stop())

    it('is right as soon as the submission is answered', async () => {
      test = await TestProducer.start()
      await test.produce()
      const submission = await test.submit([nothing()])
      expect(submission.trace).not.equal(undefined)
      expect(test.state(submission)).equal('LOCALLY_APPLIED')
      await test.produce()
      expect(test.status.get(submission.id).block!.block_num).equal(test.head)
      await test.produce(3)
      expect(test.state(submission)).equal('IRREVERSIBLE')
      await test.clock.pass(180 * SECOND_US)
      expect(test.state(submission)).equal('UNKNOWN')
    })

    it('is unknown of a transaction that failed', async () => {
      test = await TestProducer.start()
      await test.produce()
      const submission = await test.submit([createAccount('eosio')])
      expect(submission.error).not.equal(undefined)
      expect(test.state(submission)).equal('UNKNOWN')
    })

    it('stays locally applied while production is paused', async () => {
      test = await TestProducer.start({ pause_on_startup: true })
      const submission = await test.submit([nothing()])
      await test.clock.pass(20 * SECOND_US)
      expect(test.state(submission)).equal('LOCALLY_APPLIED')
      test.producer.loop.resume()
      await test.produce(4)
      expect(test.state(submission)).equal('IRREVERSIBLE')
    })
  })
})
