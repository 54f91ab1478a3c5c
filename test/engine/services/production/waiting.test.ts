import { expect } from 'chai'
import { BusyError } from '../../../../src/engine/errors.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import type { TransactionTrace } from '../../../../src/engine/chain/base/trace.ts'
import { getUnappliedTransactions } from '../../../../src/engine/services/production/operations.ts'
import { ENDLESS, IDLE } from '../support/programs.ts'
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

describe('transactions that wait', () => {
  let test: TestProducer
  afterEach(() => test.stop())

  const unapplied = (query = {}) => getUnappliedTransactions(test.producer, test.clock, query)

  /** Submissions while nobody produces, all of them back in the queue. */
  async function waiting(count: number): Promise<Submission[]> {
    test = await TestProducer.start({ pause_on_startup: true })
    const submissions: Submission[] = []
    for (let i = 0; i < count; i++) submissions.push(await test.submit([nothing()]))
    test.producer.loop.abort()
    return submissions
  }

  it('are listed in the order of their execution, page by page', async () => {
    const ids = (await waiting(7)).map(({ id }) => toHex(id))
    const all = unapplied()
    expect(all).include({ size: 7, incoming_size: 0, more: '' })
    expect(all.trxs.map((trx) => trx.trx_id)).deep.equal(ids)
    expect(all.trxs[0]).include({
      trx_type: 'aborted',
      first_auth: 'eosio',
      first_receiver: 'eosio.null',
      first_action: 'nothing',
      total_actions: 2,
    })
    const seen: string[] = []
    let more = ''
    do {
      const page = unapplied({ limit: 3, lower_bound: more })
      expect(page.trxs.length).lte(3)
      seen.push(...page.trxs.map((trx) => trx.trx_id))
      more = page.more
    } while (more)
    expect(seen).deep.equal(ids)
    expect(unapplied({ lower_bound: 'ab'.repeat(32) }).trxs).deep.equal([])
    expect(unapplied({ limit: 0 })).deep.include({ trxs: [], more: ids[0] })
  })

  it("are listed within the client's time limit, at least one", async () => {
    const ids = (await waiting(7)).map(({ id }) => toHex(id))
    test.clock.look_us = 1000
    const page = unapplied({ time_limit_ms: 3 })
    expect(page.trxs.length).within(2, 4)
    expect(page.more).equal(ids[page.trxs.length])
    expect(unapplied({ time_limit_ms: 0 }).trxs.length).equal(1)
  })

  it('are refused beyond the size of the queue', async () => {
    test = await TestProducer.start({ max_queue_bytes: 2000 })
    await test.produce()
    // In the gap after a round there is no block, so everything waits.
    while (test.chain.pending) await test.clock.pass(10_000)
    const submissions: Submission[] = []
    for (let i = 0; i < 5; i++) submissions.push(await test.submit([nothing()]))
    expect(submissions.at(-1)!.error?.errorName).equal('tx_resource_exhaustion')
    expect(submissions.at(-1)!.error?.message).match(/incoming-transaction-queue-size-mb 0, /)
    await test.produce(2)
    expect(submissions[0]!.trace?.receipt).not.equal(undefined)
  })

  it('get an error when they expire', async () => {
    test = await TestProducer.start()
    await test.produce()
    while (test.slot % 12 !== 11 || test.chain.pending) await test.clock.pass(10_000)
    const submission = await test.submit(test.sign([nothing()], { expires_us: SECOND_US }))
    expect(submission.done).equal(false)
    test.producer.loop.abort()
    test.clock.time_us += 2 * SECOND_US
    await test.clock.pass(SECOND_US)
    expect(submission.error?.errorName).equal('expired_tx_exception')
  })
})

describe('dry runs and read-only transactions', () => {
  let test: TestProducer
  afterEach(() => test.stop())

  async function start(options: Parameters<typeof TestProducer.start>[0] = {}): Promise<void> {
    test = await TestProducer.start(options)
    await test.produce()
    await test.submit([createAccount('idle'), createAccount('endless')])
    await test.submit([setCode('idle', IDLE), setCode('endless', ENDLESS)])
    await test.produce(2)
  }

  /** Until the blocks of a round are made and those of the next are not begun. */
  async function gap(): Promise<void> {
    while (test.slot % 12 !== 11 || test.chain.pending) await test.clock.pass(10_000)
  }

  const readOnly = () => {
    const action = { ...call('idle'), authorization: [] }
    return test.producer.readOnly(test.sign([action], { secrets: [] }))
  }

  it('leave nothing behind', async () => {
    await start()
    const packed = test.sign([createAccount('alice')])
    const trace = await test.producer.compute(packed)
    expect(trace.receipt?.status).equal(0)
    expect((await test.submit(packed)).error).equal(undefined)
    expect((await readOnly()).receipt?.status).equal(0)
  })

  it('dry runs show every failure in their trace, and need no signature', async () => {
    await start()
    const trace = await test.producer.compute(test.sign([createAccount('eosio')], { secrets: [] }))
    expect(trace.except?.errorName).equal('account_name_exists_exception')
  })

  it('are answered between two rounds, when there is no block', async () => {
    await start()
    await gap()
    const trace = await test.producer.compute(test.sign([nothing()]))
    expect(trace.receipt?.status).equal(0)
    expect((await readOnly()).receipt?.status).equal(0)
    expect(test.chain.pending).equal(undefined)
    const slot = test.slot
    await test.produce()
    expect(test.slot).equal(slot + 1)
  })

  it('that the end of a block stops are tried again in the next', async () => {
    await start({ runtime: { ...RUNTIME, max_transaction_time: -1 } })
    while (test.slot % 12 !== 3) await test.produce()
    await test.clock.pass(400_000)
    test.clock.look_us = 50
    const before = test.head
    const submission: { trace?: TransactionTrace } = {}
    const done = test.producer
      .compute(test.sign([call('endless')]))
      .then((trace) => (submission.trace = trace))
    await test.clock.pass(BLOCK_US * 3)
    await done
    // The chain's limit ends it there.
    expect(submission.trace?.except?.errorName).equal('tx_cpu_usage_exceeded')
    expect(test.head).greaterThan(before + 1)
  })

  it('read-only transactions have the time of their window', async () => {
    await start({ read_only_window_us: 60_000 })
    while (!test.chain.pending) await test.clock.pass(10_000)
    const action = { ...call('endless'), authorization: [] }
    test.clock.look_us = 10
    const before = test.clock.time_us
    const { except } = await test.producer.readOnly(test.sign([action], { secrets: [] }))
    expect(except?.errorName).equal('tx_cpu_usage_exceeded')
    expect(test.clock.time_us - before).within(50_000, 51_000)
  })

  it('dry runs are served so often in a second', async () => {
    await start({ max_dry_runs_per_second: 2 })
    const run = () => test.producer.compute(test.sign([nothing()]))
    await run()
    await run()
    expect(run).throw(BusyError, 'compute_transaction is served 2 times in a second at most')
    await test.clock.pass(SECOND_US / 2)
    await run()
    expect(run).throw(BusyError)
    await test.clock.pass(10 * SECOND_US)
    await run()
    await run()
    expect(run).throw(BusyError)
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
