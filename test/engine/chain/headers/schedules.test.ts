import { expect } from 'chai'
import { publicKeyOf } from '../../../../src/engine/crypto/keys.ts'
import { ChainError } from '../../../../src/engine/errors.ts'
import { extractHeaderExtensions } from '../../../../src/engine/protocol/block_extension.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import type { BlockSigningAuthority } from '../../../../src/engine/protocol/schedule.ts'
import { TestChain, secretOf } from '../support/test_chain.ts'

const NAMES = ['alice', 'bob', 'carol']

/** Makes blocks on one chain and pushes them to the other. */
function produceOn(maker: TestChain, taker: TestChain, count = 1, skip = 0): void {
  for (let i = 0; i < count; i++) {
    taker.chain.pushBlock(maker.produce(1, i === 0 ? skip : 0).packed_block)
  }
  expect(taker.head.key).to.equal(maker.head.key)
}

async function twoChains(): Promise<[TestChain, TestChain]> {
  return [await TestChain.open(), await TestChain.open()]
}

describe('producer schedules', () => {
  it('wait until their proposal, then their announcement is irreversible', async () => {
    const test = await TestChain.open()
    for (const name of NAMES) test.createAccount(name)
    const proposal = test.produce(0)
    test.proposeProducers(NAMES)
    expect(test.produce().block.new_producers).to.equal(undefined)
    expect(proposal.block_num).to.be.below(test.head.block_num)
    const announcing = test.produce()
    expect(announcing.block.new_producers!.version).to.equal(1)
    expect(announcing.block.new_producers!.producers.map((p) => p.producer_name)).to.deep.equal(
      NAMES.map(N),
    )
    expect(test.chain.db.global_property.single().proposed_schedule_block_num).to.equal(undefined)
    expect(announcing.active_schedule.version).to.equal(0)
    const promoting = test.produce()
    expect(promoting.active_schedule.version).to.equal(1)
    expect(promoting.producer).to.equal(N('eosio'))
    expect(NAMES.map(N)).to.include(test.produce().producer)
  })

  it('give eosio.prods their producers, with thresholds of two thirds, half and a third', async () => {
    const test = await TestChain.open()
    for (const name of NAMES) test.createAccount(name)
    test.proposeProducers(NAMES)
    test.produce(4)
    const auth = (permission: string) =>
      test.chain.db.permission.get('by_owner', N('eosio.prods'), N(permission)).auth
    expect(auth('active').accounts.map((a) => a.permission.actor)).to.deep.equal(NAMES.map(N))
    expect(auth('active').threshold).to.equal(3)
    expect(auth('prod.major').threshold).to.equal(2)
    expect(auth('prod.minor').threshold).to.equal(2)
  })

  it('make blocks irreversible when more than two thirds confirmed them', async () => {
    const [maker, taker] = await twoChains()
    for (const name of NAMES) maker.createAccount(name)
    maker.proposeProducers(NAMES)
    // The other chain does what a contract would have done there.
    const first = maker.produce()
    taker.start()
    for (const name of NAMES) taker.createAccount(name)
    taker.proposeProducers(NAMES)
    expect(taker.produce().key).to.equal(first.key)
    produceOn(maker, taker, 3)
    const before = maker.chain.last_irreversible.block_num
    // A whole round of each producer, each confirming the blocks since its last one.
    for (let i = 0; i < 8; i++) {
      const last = maker.head
      const skip = 11 - ((last.timestamp + 1) % 12)
      maker.start(skip, { confirmed: i < 3 ? 0 : 2 })
      taker.chain.pushBlock(maker.finish().packed_block)
    }
    expect(maker.chain.last_irreversible.block_num).to.be.above(before)
    expect(taker.chain.last_irreversible.key).to.equal(maker.chain.last_irreversible.key)
    expect(taker.head.key).to.equal(maker.head.key)
  })

  it('may ask for several signatures once that is enabled', async () => {
    const secrets = [secretOf(21), secretOf(22), secretOf(23)]
    const keys = secrets
      .map((secret) => ({ key: publicKeyOf(secret), weight: 1 }))
      .sort((a, b) => Buffer.compare(a.key, b.key))
    const authority: BlockSigningAuthority = [0, { threshold: 2, keys }]
    const chains = await twoChains()
    const [maker, taker] = chains
    // Both do what privileged contracts would do, at the same blocks.
    for (const test of chains) {
      test.start(0, { features: [test.chain.features.byName('PREACTIVATE_FEATURE').digest] })
      test.createAccount('alice')
      test.preactivate('WTMSIG_BLOCK_SIGNATURES')
      test.produce(1)
      test.start()
      test.proposeProducers(['alice'], authority)
      test.produce(3)
    }
    expect(taker.head.key).to.equal(maker.head.key)
    expect(maker.head.active_schedule.producers[0]!.authority).to.deep.equal(authority)
    const announcing = maker.chain.blockByNumber(maker.head.block_num - 1)!
    expect(announcing.new_producers).to.equal(undefined)
    expect(
      extractHeaderExtensions(announcing.header_extensions).producer_schedule_change!.version,
    ).to.equal(1)

    maker.addSecret(secrets[0]!)
    maker.start()
    expect(() => maker.finish())
      .to.throw(ChainError, 'do not satisfy')
      .with.property('errorName', 'wrong_signing_key')
    maker.chain.abortBlock()
    maker.addSecret(secrets[2]!)
    const block = maker.produce()
    expect(block.legacy!.additional_signatures).to.have.length(1)
    expect(block.block.block_extensions).to.have.length(1)
    taker.chain.pushBlock(block.packed_block)
    expect(taker.head.key).to.equal(maker.head.key)
    // All three keys sign: each is relevant, so it is no more than enough.
    maker.addSecret(secrets[1]!)
    produceOn(maker, taker, 2)
  })
})
