import { expect } from 'chai'
import {
  NO_FINALIZERS,
  diffFinalizerPolicy,
} from '../../../../../src/engine/chain/headers/savanna/policies.ts'
import type { BlockState } from '../../../../../src/engine/chain/headers/block_state.ts'
import { ChainError } from '../../../../../src/engine/errors.ts'
import type { SignedBlock } from '../../../../../src/engine/protocol/block.ts'
import { packSignedBlock, unpackSignedBlock } from '../../../../../src/engine/protocol/block.ts'
import {
  extractHeaderExtensions,
  makeBlockExtensions,
  makeHeaderExtensions,
} from '../../../../../src/engine/protocol/block_extension.ts'
import type { FinalityExtension } from '../../../../../src/engine/protocol/block_extension.ts'
import { Reader } from '../../../../../src/engine/protocol/reader.ts'
import { packOne } from '../../../../../src/engine/protocol/writer.ts'
import { setFinalizers, setFinalizersRaw, setProducers } from '../../support/privileged_contract.ts'
import { boot, give, makeBlock, openNode } from '../../support/savanna_chain.ts'
import type { SavannaNode } from '../../support/savanna_chain.ts'
import { packFinalizers } from '../../../../../src/engine/services/production/development/boot.ts'
import { publicKeyOf } from '../../../../../src/engine/crypto/keys.ts'
import { N } from '../../../../../src/engine/protocol/name.ts'
import type { ProducerAuthority } from '../../../../../src/engine/protocol/schedule.ts'
import { secretOf } from '../../support/test_chain.ts'
import { blsKey, policyOf, strong, weak } from '../../voting/support.ts'

/** Block 3 is the one at which Savanna begins, block 4 the last of the transition. */
const GENESIS = 3
const LAST = 4

interface Case {
  what: string
  num: number
  error: string
  message: string
  forge: (extension: FinalityExtension, block: SignedBlock) => unknown
}

const CASES: Case[] = [
  {
    what: 'the first claims another block',
    num: GENESIS,
    error: 'invalid_qc_claim',
    message: 'Savanna Genesis block #3 has invalid QC claim',
    forge: (extension) => (extension.qc_claim = weak(2)),
  },
  {
    what: 'the first claims a strong certificate',
    num: GENESIS,
    error: 'invalid_qc_claim',
    message: 'Savanna Genesis block #3 has invalid QC claim',
    forge: (extension) => (extension.qc_claim = strong(3)),
  },
  {
    what: 'the first proposes no finalizers',
    num: GENESIS,
    error: 'block_validate_exception',
    message: 'misses new_finalizer_policy_diff',
    forge: (extension) => delete extension.new_finalizer_policy_diff,
  },
  {
    what: 'the first proposes finalizers of another generation',
    num: GENESIS,
    error: 'block_validate_exception',
    message: 'finalizer policy generation (2) not 1',
    forge: (extension) => (extension.new_finalizer_policy_diff!.generation = 2),
  },
  {
    what: 'the first proposes finalizers that cannot be',
    num: GENESIS,
    error: 'block_validate_exception',
    message: 'applying diff of Savanna Genesis Block',
    forge: (extension) =>
      (extension.new_finalizer_policy_diff!.finalizers_diff.remove_indexes = [1]),
  },
  {
    what: 'the first proposes other finalizers than its transactions',
    num: GENESIS,
    error: 'block_validate_exception',
    message: 'Block ID does not match',
    forge: (extension) =>
      (extension.new_finalizer_policy_diff = diffFinalizerPolicy(NO_FINALIZERS, policyOf(1, [5]))),
  },
  {
    what: 'the first proposes producers',
    num: GENESIS,
    error: 'block_validate_exception',
    message: 'has new_proposer_policy_diff',
    forge: (extension) =>
      (extension.new_proposer_policy_diff = {
        version: 1,
        proposal_time: 0,
        producer_auth_diff: { remove_indexes: [], insert_indexes: [] },
      }),
  },
  {
    what: 'one carries a certificate',
    num: LAST,
    error: 'block_validate_exception',
    message: 'Transition block #4 includes a QC block extension',
    forge: (_extension, block) =>
      (block.block_extensions = makeBlockExtensions({
        quorum_certificate: {
          block_num: 3,
          active_policy_sig: {
            strong_votes: { size: 1, blocks: Uint8Array.of(1) },
            sig: new Uint8Array(192),
          },
        },
      })),
  },
  {
    what: 'a later one claims something else',
    num: LAST,
    error: 'invalid_qc_claim',
    message: 'not equal to previous QC claim {"block_num":3,"is_strong_qc":false}',
    forge: (extension) => (extension.qc_claim = weak(4)),
  },
  {
    what: 'a later one proposes finalizers again',
    num: LAST,
    error: 'block_validate_exception',
    message: 'Non Genesis Transition block #4 finality block header extension may not have',
    forge: (extension) =>
      (extension.new_finalizer_policy_diff = diffFinalizerPolicy(NO_FINALIZERS, policyOf(1, [5]))),
  },
  {
    what: 'one goes back to legacy blocks',
    num: LAST,
    error: 'block_validate_exception',
    message: 'Legacy block #4 must have previous block that is also a Legacy block',
    forge: (_extension, block) => (block.header_extensions = []),
  },
  {
    what: 'one is a Savanna block too early',
    num: LAST,
    error: 'unlinkable_block_exception',
    message: 'unlinkable block',
    forge: (_extension, block) => (block.schedule_version = 2 ** 31),
  },
]

describe('blocks of the transition to Savanna are refused when', function () {
  let maker: SavannaNode
  /** The blocks with their states, by number. */
  const originals: BlockState[] = []

  before(async () => {
    maker = await openNode()
    boot(maker, [0])
    const { test } = await openNode()
    test.setTime(maker.test.head.timestamp)
    for (let num = 2; num <= LAST; num++) {
      test.chain.pushBlock(packed(num))
      originals[num] = test.head
    }
  })

  const packed = (num: number): Uint8Array => maker.test.chain.packedBlockByNumber(num)!.slice()

  for (const { what, num, error, message, forge } of CASES) {
    it(what, async () => {
      const taker = await openNode()
      taker.test.setTime(maker.test.head.timestamp)
      for (let i = 2; i < num; i++) taker.test.chain.pushBlock(packed(i))
      const { key } = taker.test.head
      const copy = unpackSignedBlock(new Reader(packed(num)))
      const header = extractHeaderExtensions(copy.header_extensions)
      const { header_extensions } = copy
      forge(header.finality_extension!, copy)
      if (copy.header_extensions === header_extensions) {
        copy.header_extensions = makeHeaderExtensions(header)
      }
      const bad = taker.test.resign(originals[num]!, copy)
      try {
        taker.test.chain.pushBlock(packOne(packSignedBlock, bad))
      } catch (refused) {
        expect(refused).to.be.instanceOf(ChainError)
        const { errorName, details } = refused as ChainError
        expect(errorName, details[0]!.message).to.equal(error)
        expect(details.map((d) => d.message).join('\n')).to.include(message)
        expect(taker.test.head.key).to.equal(key)
        return
      }
      expect.fail('it was taken')
    })
  }
})

describe('finalizers are refused that', function () {
  let node: SavannaNode

  before(async () => {
    node = await openNode([0])
    boot(node, [0])
    node.test.start()
  })

  const two = policyOf(0, [0, 1]).finalizers
  const packedWith = (change: (bytes: Uint8Array) => void): Uint8Array => {
    const bytes = packFinalizers(2n, two)
    change(bytes)
    return bytes
  }

  for (const [what, data, error, message, format] of [
    [
      'are in another format',
      packFinalizers(2n, two),
      'wasm_execution_error',
      'in an unknown format',
      1n,
    ],
    ['are none', packFinalizers(1n, []), 'wasm_execution_error', 'Finalizers cannot be empty'],
    [
      'have too low a threshold',
      packFinalizers(1n, two),
      'wasm_execution_error',
      'Finalizer policy threshold (1) must be greater than half of the sum of the weights (2)',
    ],
    [
      'have too high a threshold',
      packFinalizers(3n, two),
      'wasm_execution_error',
      'Finalizer policy threshold (3) must be greater',
    ],
    [
      'weigh too much',
      packFinalizers(
        2n,
        two.map((f) => ({ ...f, weight: 2n ** 63n })),
      ),
      'wasm_execution_error',
      'sum of weights causes uint64_t overflow',
    ],
    [
      'have the same key twice',
      packFinalizers(2n, [two[0]!, two[0]!]),
      'wasm_execution_error',
      'Duplicate public key: PUB_BLS_',
    ],
    [
      'have long descriptions',
      packFinalizers(2n, [{ ...two[0]!, description: 'x'.repeat(257) }, two[1]!]),
      'wasm_execution_error',
      'Finalizer description greater than 256',
    ],
    [
      'have a short key',
      packFinalizers(1n, [{ ...two[0]!, public_key: blsKey(0).subarray(1) }]),
      'wasm_execution_error',
      'Invalid bls public key length',
    ],
    [
      'have a key that is not a point',
      packedWith((bytes) => (bytes[bytes.length - 1] = 0xff)),
      'assert_exception',
      '',
    ],
    ['are cut short', packFinalizers(2n, two).subarray(0, 60), 'out_of_range_exception', ''],
  ] as [string, Uint8Array, string, string, bigint?][]) {
    it(what, () => {
      try {
        node.test.push(setFinalizersRaw(data, format))
      } catch (refused) {
        expect(refused).to.be.instanceOf(ChainError)
        const { errorName, message: text } = refused as ChainError
        expect(errorName, text).to.equal(error)
        expect(text).to.include(message)
        return
      }
      expect.fail('they were taken')
    })
  }

  it('come first in a block that proposes twice: the last proposal counts', async () => {
    node.test.push(setFinalizers(policyOf(0, [0, 1, 2])))
    node.test.push(setFinalizers(policyOf(0, [0, 1])))
    const block = await makeBlock(node)
    expect(block.savanna_state.proposed_finalizer_policies.map(([, p]) => p)).to.deep.equal([
      policyOf(2, [0, 1]),
    ])
  })
})

describe('schedules under Savanna', function () {
  const authority = (name: string, seed: number): ProducerAuthority => {
    const keys = [{ key: publicKeyOf(secretOf(seed)), weight: 1 }]
    return { producer_name: N(name), authority: [0, { threshold: 1, keys }] }
  }

  it('change with a round, two rounds after the proposal, on every node alike', async () => {
    const maker = await openNode([0])
    const taker = await openNode()
    boot(maker, [0])
    taker.test.setTime(maker.test.head.timestamp)
    for (let num = 2; num <= 4; num++) {
      taker.test.chain.pushBlock(maker.test.chain.packedBlockByNumber(num)!.slice())
    }
    maker.test.createAccount('alice')
    maker.test.createAccount('bob')
    await give(taker, await makeBlock(maker))
    for (const seed of [1, 2]) maker.test.addSecret(secretOf(seed))
    const producers = [authority('alice', 1), authority('bob', 2)]
    maker.test.push(setProducers(producers))
    const proposal = await makeBlock(maker)
    await give(taker, proposal)
    expect(proposal.savanna_state.latest_proposed_proposer_policy!.proposer_schedule).to.deep.equal(
      {
        version: 1,
        producers,
      },
    )
    // The same proposal again is none.
    maker.test.push(setProducers(producers))
    const again = await makeBlock(maker)
    await give(taker, again)
    const proposed = again.savanna_state.latest_proposed_proposer_policy!
    expect(proposed.proposal_time).to.equal(proposal.timestamp)
    const round = proposal.timestamp - (proposal.timestamp % 12)
    while (maker.test.head.timestamp < round + 48) await give(taker, await makeBlock(maker))
    const makers = new Map<number, bigint>()
    for (let num = proposal.block_num; num <= maker.test.head.block_num; num++) {
      const { timestamp, producer } = maker.test.chain.blockByNumber(num)!
      makers.set(timestamp - round, producer)
    }
    expect(makers.get(23)).to.equal(N('eosio'))
    expect([N('alice'), N('bob')]).to.include(makers.get(24))
    expect(makers.get(24)).to.not.equal(makers.get(36))
    expect(taker.test.head.key).to.equal(maker.test.head.key)
    const { chain } = taker.test
    const { auth } = chain.db.permission.get('by_owner', N('eosio.prods'), N('active'))
    expect(auth.accounts.map((a) => a.permission.actor)).to.deep.equal([N('alice'), N('bob')])
  })
})
