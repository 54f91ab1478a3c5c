import { expect } from 'chai'
import { setProposedProducers } from '../../../../src/engine/chain/headers/propose_producers.ts'
import type { ScheduleContext } from '../../../../src/engine/chain/headers/propose_producers.ts'
import type { LegacySchedules } from '../../../../src/engine/chain/headers/proposals.ts'
import { ChainError } from '../../../../src/engine/errors.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import { packProducerAuthority, packProducerKey } from '../../../../src/engine/protocol/schedule.ts'
import type { ProducerAuthority } from '../../../../src/engine/protocol/schedule.ts'
import { Writer } from '../../../../src/engine/protocol/writer.ts'
import { RuleChain, testKey } from '../support/rule_chain.ts'

function producer(name: string, key = testKey(1), weight = 1, threshold = 1): ProducerAuthority {
  return {
    producer_name: N(name),
    authority: [0, { threshold, keys: [{ key, weight }] }],
  }
}

function packKeys(...producers: [string, Uint8Array][]): Uint8Array {
  const writer = new Writer()
  writer.array(producers, (w, [name, block_signing_key]) =>
    packProducerKey(w, { producer_name: N(name), block_signing_key }),
  )
  return writer.bytes()
}

function packAuthorities(...producers: ProducerAuthority[]): Uint8Array {
  const writer = new Writer()
  writer.array(producers, packProducerAuthority)
  return writer.bytes()
}

describe('proposed producers', () => {
  let chain: RuleChain
  let legacy: LegacySchedules | undefined
  let context: ScheduleContext

  beforeEach(() => {
    chain = new RuleChain()
    chain.newAccount('alice')
    chain.newAccount('bob')
    legacy = {
      active: { version: 3, producers: [producer('eosio')] },
      pending: { version: 0, producers: [] },
      savanna_transition: false,
    }
    context = {
      db: chain.db,
      get block_num() {
        return chain.block_num
      },
      isFeatureActivated: (feature) => chain.features.has(feature),
      legacySchedules: () => legacy,
      proposals: { proposed_schedule: undefined, proposed_finalizer_policy: undefined },
      checktime: () => {},
    }
  })

  const gpo = () => chain.db.global_property.single()
  const propose = (...producers: ProducerAuthority[]) =>
    setProposedProducers(context, packAuthorities(...producers), 1n)
  const refusal = (...producers: ProducerAuthority[]) => {
    try {
      propose(...producers)
    } catch (error) {
      if (error instanceof ChainError) return [error.errorName, error.message]
      throw error
    }
    return undefined
  }

  it('get the next version after the active schedule, or after the pending one', () => {
    expect(setProposedProducers(context, packKeys(['alice', testKey(1)]), 0n)).to.equal(4n)
    expect(gpo().proposed_schedule).to.deep.equal({ version: 4, producers: [producer('alice')] })
    expect(gpo().proposed_schedule_block_num).to.equal(2)
    legacy = { ...legacy!, pending: { version: 4, producers: [producer('bob')] } }
    expect(propose(producer('bob'))).to.equal(-1n)
    expect(propose(producer('eosio'))).to.equal(5n)
  })

  it('do not change what would be the same, and wait for an earlier proposal', () => {
    expect(propose(producer('eosio'))).to.equal(-1n)
    expect(propose(producer('alice'), producer('bob'))).to.equal(4n)
    expect(propose(producer('alice'), producer('bob'))).to.equal(-1n)
    // Another order or key is another schedule; within the block it replaces the first.
    expect(propose(producer('bob'), producer('alice'))).to.equal(4n)
    expect(propose(producer('bob'), producer('alice', testKey(2)))).to.equal(4n)
    chain.block_num++
    expect(propose(producer('alice'))).to.equal(-1n)
    expect(gpo().proposed_schedule_block_num).to.equal(2)
  })

  it('may be none until a feature forbids it', () => {
    expect(propose()).to.equal(4n)
    chain.features.add('DISALLOW_EMPTY_PRODUCER_SCHEDULE')
    expect(refusal()).to.deep.equal(['wasm_execution_error', 'Producer schedule cannot be empty'])
  })

  it('are ignored on the way to Savanna', () => {
    legacy = { ...legacy!, savanna_transition: true }
    expect(propose(producer('alice'))).to.equal(-1n)
    expect(gpo().proposed_schedule_block_num).to.equal(undefined)
  })

  it('become a proposal of the transaction in Savanna blocks', () => {
    legacy = undefined
    expect(propose(producer('alice'))).to.equal(4_294_967_295n)
    expect(context.proposals.proposed_schedule).to.deep.equal({
      block_num: 2,
      producers: [producer('alice')],
    })
    expect(propose()).to.equal(-1n)
    expect(gpo().proposed_schedule_block_num).to.equal(undefined)
  })

  it('are refused with the reasons of the reference', () => {
    const wasm = 'wasm_execution_error'
    expect(refusal(producer('nobody'))).to.deep.equal([
      wasm,
      'producer schedule includes a nonexisting account',
    ])
    expect(refusal(producer('alice'), producer('alice'))).to.deep.equal([
      wasm,
      'duplicate producer name in producer schedule',
    ])
    expect(refusal(producer('alice', testKey(1), 1, 2))).to.deep.equal([
      wasm,
      'producer schedule includes an unsatisfiable authority for alice',
    ])
    expect(refusal(producer('alice', testKey(1), 1, 0))).to.deep.equal([
      wasm,
      'producer schedule includes an authority with a threshold of 0 for alice',
    ])
    const twice = producer('alice')
    twice.authority[1].keys.push({ key: testKey(1), weight: 1 })
    expect(refusal(twice)).to.deep.equal([
      wasm,
      'producer schedule includes a duplicated key for alice',
    ])
    const webauthn = Uint8Array.from([2, ...testKey(1).subarray(1), 1, 1, 97])
    expect(refusal(producer('alice', webauthn))?.[0]).to.equal('unactivated_key_type')
    expect(() => setProposedProducers(context, packAuthorities(), 2n)).to.throw('unknown format')
    expect(() => setProposedProducers(context, Uint8Array.of(1, 2), 1n)).to.throw()
  })

  it('need valid keys in the old format alone', () => {
    const empty = new Uint8Array(34)
    expect(() => setProposedProducers(context, packKeys(['alice', empty]), 0n)).to.throw(
      'producer schedule includes an invalid key',
    )
    expect(propose(producer('alice', empty))).to.equal(4n)
    const off_curve = Uint8Array.from([1, 2, ...new Array<number>(31).fill(0), 7])
    expect(() => setProposedProducers(context, packKeys(['alice', off_curve]), 0n)).to.throw(
      'error decoding public key',
    )
  })

  it('are limited in number, more so before Savanna', () => {
    const many = [...'abcdefghijklmnopqrstuvwxyz'].flatMap((a) =>
      [...'abcde'].map((b) => `prod${a}${b}`),
    )
    for (const name of many) chain.newAccount(name)
    const producers = many.map((name) => producer(name))
    expect(propose(...producers.slice(0, 125))).to.equal(4n)
    expect(refusal(...producers.slice(0, 126))).to.deep.equal([
      'wasm_execution_error',
      'Producer schedule exceeds the maximum producer count for this chain',
    ])
    legacy = undefined
    expect(propose(...producers)).to.equal(4_294_967_295n)
  })
})
