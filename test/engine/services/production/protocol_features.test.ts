import { expect } from 'chai'
import { ChainError } from '../../../../src/engine/errors.ts'
import {
  getAccountRamCorrections,
  getSupportedProtocolFeatures,
} from '../../../../src/engine/services/production/operations.ts'
import { N, nameToString } from '../../../../src/engine/protocol/name.ts'
import type { Action } from '../../../../src/engine/protocol/transaction.ts'
import {
  ACTIVATE,
  featureContract,
} from '../../../../src/engine/services/production/development/boot_contract.ts'
import { TestProducer, nothing, setCode } from '../support/test_producer.ts'

describe('activation of protocol features by a producer', () => {
  let test: TestProducer
  beforeEach(async () => {
    test = await TestProducer.start()
    await test.produce()
  })
  afterEach(() => test.stop())

  const digest = (name: Parameters<typeof test.chain.features.byName>[0]) =>
    test.chain.features.byName(name).digest
  const preactivation = (name: Parameters<typeof digest>[0]): Action => ({
    account: N('eosio'),
    name: ACTIVATE,
    authorization: [{ actor: N('eosio'), permission: N('active') }],
    data: digest(name),
  })
  const schedule = (...digests: Uint8Array[]) => test.producer.loop.features.schedule(digests)
  const scheduled = () => test.producer.loop.features.scheduled
  const refusal = (act: () => void): string => {
    try {
      act()
    } catch (error) {
      expect(error).instanceOf(ChainError)
      const { errorName, message } = error as ChainError
      return `${errorName}: ${message}`
    }
    return 'taken'
  }

  it('is in the header of the next block, and no more in the schedule after it', async () => {
    const preactivate = digest('PREACTIVATE_FEATURE')
    schedule(preactivate)
    expect(scheduled()).deep.equal([preactivate])
    expect(test.chain.isFeatureActivated(preactivate)).equal(false)
    await test.produce(2)
    expect(test.chain.isFeatureActivated(preactivate)).equal(true)
    expect(scheduled()).deep.equal([])
    expect(refusal(() => schedule(preactivate))).match(
      /^protocol_feature_exception: .* has already been activated$/,
    )
  })

  it('is refused for unknown or repeated features, and for those that need preactivation', () => {
    const preactivate = digest('PREACTIVATE_FEATURE')
    expect(refusal(() => schedule(preactivate, preactivate))).equal(
      'invalid_protocol_features_to_activate: duplicate digests',
    )
    expect(refusal(() => schedule(new Uint8Array(32)))).match(
      /^protocol_feature_exception: protocol feature with digest '0{64}' is unrecognized$/,
    )
    expect(refusal(() => schedule(digest('GET_SENDER')))).match(
      /^protocol_feature_exception: protocol feature requires preactivation: [0-9a-f]{64}$/,
    )
    expect(refusal(() => schedule(digest('NO_DUPLICATE_DEFERRED_ID')))).match(
      /^protocol_feature_exception: not all dependencies of protocol feature .* activated$/,
    )
    expect(scheduled()).deep.equal([])
  })

  it('may be taken back before the block', async () => {
    await test.pause()
    schedule(digest('PREACTIVATE_FEATURE'))
    schedule()
    test.producer.loop.resume()
    await test.produce(2)
    expect(test.chain.isFeatureActivated(digest('PREACTIVATE_FEATURE'))).equal(false)
  })

  it('waits while nothing is produced', async () => {
    await test.pause()
    schedule(digest('PREACTIVATE_FEATURE'))
    await test.clock.pass(3_000_000)
    expect(scheduled()).length(1)
    test.producer.loop.resume()
    await test.produce(2)
    expect(test.chain.isFeatureActivated(digest('PREACTIVATE_FEATURE'))).equal(true)
  })

  it('follows preactivation by a contract, in the next block', async () => {
    schedule(digest('PREACTIVATE_FEATURE'))
    await test.produce(2)
    expect((await test.submit([setCode('eosio', featureContract())])).error).equal(undefined)
    const { error, id } = await test.submit([preactivation('GET_SENDER')])
    expect(error).equal(undefined)
    await test.produce(2)
    expect(test.chain.isKnownTransaction(id)).equal(true)
    expect(test.chain.isFeatureActivated(digest('GET_SENDER'))).equal(true)
    expect(test.chain.preactivatedFeatures()).deep.equal([])
  })

  it('does not hinder dry runs between two rounds', async () => {
    schedule(digest('PREACTIVATE_FEATURE'))
    await test.produce(2)
    await test.submit([setCode('eosio', featureContract())])
    while (test.slot % 12 !== 10) await test.produce()
    await test.submit([preactivation('GET_SENDER')])
    while (test.slot % 12 !== 11 || test.chain.pending) await test.clock.pass(10_000)
    expect(test.chain.preactivatedFeatures()).deep.equal([digest('GET_SENDER')])
    const trace = await test.producer.compute(test.sign([nothing()]))
    expect(trace.receipt?.status).equal(0)
    await test.produce(2)
    expect(test.chain.isFeatureActivated(digest('GET_SENDER'))).equal(true)
  })

  it('what is supported is listed with its restrictions, each after what it depends on', () => {
    const list = getSupportedProtocolFeatures(test.chain, {
      exclude_disabled: true,
      exclude_unactivatable: true,
    })
    const names = list.map(({ specification }) => specification[0]!.value)
    expect(names).length(test.chain.features.features.length)
    expect(names.at(-1)).equal('SAVANNA')
    for (const { specification, subjective_restrictions } of list) {
      expect(subjective_restrictions).deep.equal({
        enabled: true,
        preactivation_required: specification[0]!.value !== 'PREACTIVATE_FEATURE',
        earliest_allowed_activation_time: '1970-01-01T00:00:00.000',
      })
    }
  })
})

describe('corrections of RAM', () => {
  let test: TestProducer
  before(async () => {
    test = await TestProducer.start({ producers: [] })
    for (const name of ['dave', 'alice', 'carol', 'bob']) {
      const ram_correction = name === 'bob' ? 2n ** 40n : 7n
      test.chain.db.account_ram_correction.create({ name: N(name), ram_correction })
    }
  })
  after(() => test.stop())

  const list = (query: Parameters<typeof getAccountRamCorrections>[1]) => {
    const { rows, more } = getAccountRamCorrections(test.chain, query)
    return [rows.map(({ name }) => name).join(' '), more]
  }

  it('are listed by name, within bounds, in either direction, page by page', () => {
    expect(getAccountRamCorrections(test.chain, {})).deep.equal({
      rows: [
        { name: 'alice', ram_correction: 7 },
        { name: 'bob', ram_correction: '1099511627776' },
        { name: 'carol', ram_correction: 7 },
        { name: 'dave', ram_correction: 7 },
      ],
    })
    expect(list({ limit: 2 })).deep.equal(['alice bob', 'carol'])
    expect(list({ lower_bound: N('carol') })).deep.equal(['carol dave', undefined])
    expect(list({ upper_bound: N('bob') })).deep.equal(['alice bob', undefined])
    expect(list({ reverse: true, limit: 3 })).deep.equal(['dave carol bob', 'alice'])
    expect(list({ reverse: true, upper_bound: N('carol'), lower_bound: N('bob') })).deep.equal([
      'carol bob',
      undefined,
    ])
    expect(list({ limit: 0 })).deep.equal(['', 'alice'])
    expect(list({ lower_bound: N('c'), upper_bound: N('b') })).deep.equal(['', undefined])
  })

  it('never fill an answer beyond its bound', () => {
    const { db } = test.chain
    for (let i = 0; i < 1100; i++) {
      const name = N('e') + (BigInt(i) << 20n)
      if (nameToString(name) === 'e') continue
      db.account_ram_correction.create({ name, ram_correction: 1n })
    }
    const { rows, more } = getAccountRamCorrections(test.chain, { limit: 0xffffffff })
    expect(rows).length(1000)
    expect(more).match(/^e/)
  })
})
