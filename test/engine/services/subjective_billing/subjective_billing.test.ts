import { expect } from 'chai'
import fc from 'fast-check'
import type { BlockState } from '../../../../src/engine/chain/headers/block_state.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import {
  SubjectiveBilling,
  type SubjectiveBillingOptions,
} from '../../../../src/engine/services/subjective_billing/subjective_billing.ts'
import {
  BLOCK_US,
  SECOND_US,
  TestProducer,
  createAccount,
  nothing,
} from '../support/test_producer.ts'

const ALICE = N('alice')
const BOB = N('bob')
const ON: SubjectiveBillingOptions = {
  bill_api: true,
  bill_p2p: true,
  disabled_accounts: new Set(),
  decay_time_minutes: 1,
}
const NOW_US = 1_700_000_000 * SECOND_US
const MINUTE_US = 60 * SECOND_US
const id = (n: number) => new Uint8Array(32).fill(n)

describe('subjective billing', () => {
  it('charges for failures, and forgives them little by little', () => {
    const billing = new SubjectiveBilling(ON)
    billing.billFailure(ALICE, 1200, NOW_US)
    expect(billing.billOf(ALICE, NOW_US)).equal(1200)
    expect(billing.billOf(BOB, NOW_US)).equal(0)
    expect(billing.billOf(ALICE, NOW_US + MINUTE_US / 2)).equal(600)
    expect(billing.billOf(ALICE, NOW_US + MINUTE_US - 5 * SECOND_US)).equal(100)
    expect(billing.billOf(ALICE, NOW_US + MINUTE_US)).equal(0)
    billing.billFailure(ALICE, 100, NOW_US + MINUTE_US / 2)
    expect(billing.billOf(ALICE, NOW_US + MINUTE_US / 2)).equal(700)
  })

  it('charges for what may still enter a block, until it does', () => {
    const billing = new SubjectiveBilling(ON)
    const expiration = NOW_US / SECOND_US + 30
    billing.bill(id(1), expiration, ALICE, 500)
    billing.bill(id(1), expiration, ALICE, 500)
    billing.bill(id(2), expiration, ALICE, 300)
    expect(billing.billOf(ALICE, NOW_US + 10 * MINUTE_US)).equal(800)
    const block = { trx_metas: [{ id: id(1) }, { id: id(9) }] } as unknown as BlockState
    billing.blockAccepted(block, NOW_US)
    expect(billing.billOf(ALICE, NOW_US)).equal(300)
  })

  it('takes what expired for a failure', () => {
    const billing = new SubjectiveBilling(ON)
    const expiration = NOW_US / SECOND_US + 30
    billing.bill(id(1), expiration, ALICE, 500)
    const expired_us = NOW_US + 30 * SECOND_US
    billing.removeExpired(expired_us - 1, expired_us)
    expect(billing.billOf(ALICE, expired_us + MINUTE_US)).equal(500)
    billing.removeExpired(expired_us, expired_us)
    expect(billing.billOf(ALICE, expired_us)).equal(500)
    expect(billing.billOf(ALICE, expired_us + MINUTE_US)).equal(0)
    billing.removeExpired(expired_us, expired_us + MINUTE_US)
    expect(billing.size).equal(0)
  })

  it('never charges an account below zero, and forgives everything in the end', () => {
    const event = fc.record({
      account: fc.bigInt({ min: 1n, max: 3n }),
      us: fc.integer({ min: -5, max: 1_000_000 }),
      passed_us: fc.integer({ min: 0, max: MINUTE_US }),
    })
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const billing = new SubjectiveBilling(ON)
        let now_us = NOW_US
        for (const { account, us, passed_us } of events) {
          const before = billing.billOf(account, now_us)
          billing.billFailure(account, us, now_us)
          expect(billing.billOf(account, now_us)).within(before, before + Math.max(0, us) + 1)
          now_us += passed_us
        }
        billing.removeExpired(now_us, now_us + MINUTE_US)
        expect(billing.size).equal(0)
      }),
    )
  })

  it('is off for accounts and for ways that the operator named', () => {
    const billing = new SubjectiveBilling({
      ...ON,
      bill_p2p: false,
      disabled_accounts: new Set([BOB]),
    })
    expect(billing.isBilled(ALICE, true)).equal(true)
    expect(billing.isBilled(ALICE, false)).equal(false)
    expect(billing.isBilled(BOB, true)).equal(false)
  })

  describe('of a node', () => {
    let test: TestProducer
    afterEach(() => test.stop())

    const billOf = (account: string) =>
      test.producer.processor.executor.limits.billing.billOf(N(account), test.clock.time_us)
    const fail = (actor: string) =>
      test.submit([
        {
          ...createAccount('eosio'),
          authorization: [{ actor: N(actor), permission: N('active') }],
        },
      ])

    async function start(options: Partial<SubjectiveBillingOptions> = {}): Promise<void> {
      test = await TestProducer.start({ subjective_billing: { ...ON, ...options } })
      await test.produce()
      await test.submit([createAccount('alice'), createAccount('bob')])
      await test.produce()
      test.clock.look_us = 100
    }

    it('charges a failing account and no other', async () => {
      await start()
      await fail('alice')
      expect(billOf('alice')).greaterThan(0)
      expect(billOf('bob')).equal(0)
      expect(billOf('eosio')).equal(0)
      await test.clock.pass(MINUTE_US)
      expect(billOf('alice')).equal(0)
    })

    it('charges and refuses no account by default', async () => {
      await start({ bill_api: false, bill_p2p: false })
      for (let i = 0; i < 10; i++) {
        const { error } = await fail('alice')
        expect(error?.errorName).equal('missing_auth_exception')
      }
      expect(billOf('alice')).equal(0)
    })

    it('charges no account that is excepted', async () => {
      await start({ disabled_accounts: new Set([ALICE]) })
      for (let i = 0; i < 5; i++) await fail('alice')
      await fail('bob')
      expect(billOf('alice')).equal(0)
      expect(billOf('bob')).greaterThan(0)
    })

    it('refuses an account that fails too often, until the window of blocks is over', async () => {
      await start()
      for (let i = 0; i < 3; i++) {
        expect((await fail('alice')).error?.errorName).not.equal('tx_cpu_usage_exceeded')
      }
      const refused = await test.submit([nothing('alice')])
      expect(refused.error?.errorName).equal('tx_cpu_usage_exceeded')
      expect(refused.error?.message).match(
        /^transaction [0-9a-f]{64} exceeded failure limit for account alice until 2018-\S+$/,
      )
      expect((await test.submit([nothing('bob')])).trace).not.equal(undefined)
      await test.clock.pass(BLOCK_US)
      expect((await test.submit([nothing('alice')])).trace).not.equal(undefined)
    })

    it('does not charge for dry runs', async () => {
      await start()
      const packed = test.sign([
        { ...createAccount('eosio'), authorization: [{ actor: ALICE, permission: N('active') }] },
      ])
      const trace = await test.producer.compute(packed)
      expect(trace.except).not.equal(undefined)
      expect(billOf('alice')).equal(0)
    })

    it('charges for transactions that were executed while production is paused, until they are in a block', async () => {
      await start()
      await test.pause()
      await test.submit([nothing('alice')])
      expect(billOf('alice')).greaterThan(0)
      test.producer.loop.resume()
      await test.produce(2)
      expect(billOf('alice')).equal(0)
    })
  })
})
