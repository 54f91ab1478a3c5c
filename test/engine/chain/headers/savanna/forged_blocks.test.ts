import { expect } from 'chai'
import { diffFinalizerPolicy } from '../../../../../src/engine/chain/headers/savanna/policies.ts'
import { lastProposedFinalizerPolicy } from '../../../../../src/engine/chain/headers/savanna/header_state.ts'
import type { BlockState } from '../../../../../src/engine/chain/headers/block_state.ts'
import { blsSign } from '../../../../../src/engine/crypto/bls.ts'
import { ChainError } from '../../../../../src/engine/errors.ts'
import type { SignedBlock } from '../../../../../src/engine/protocol/block.ts'
import { packSignedBlock, unpackSignedBlock } from '../../../../../src/engine/protocol/block.ts'
import {
  extractBlockExtensions,
  extractHeaderExtensions,
  makeBlockExtensions,
  makeHeaderExtensions,
} from '../../../../../src/engine/protocol/block_extension.ts'
import type {
  BlockExtensions,
  HeaderExtensions,
} from '../../../../../src/engine/protocol/block_extension.ts'
import type {
  FinalizerPolicy,
  QcClaim,
  QuorumCertificate,
} from '../../../../../src/engine/protocol/finality.ts'
import { N } from '../../../../../src/engine/protocol/name.ts'
import { Reader } from '../../../../../src/engine/protocol/reader.ts'
import { packOne } from '../../../../../src/engine/protocol/writer.ts'
import { setFinalizers } from '../../support/privileged_contract.ts'
import { boot, give, makeBlock, openNode } from '../../support/savanna_chain.ts'
import type { SavannaNode } from '../../support/savanna_chain.ts'
import { blsSecret, policyOf, producer, strong, weak } from '../../voting/support.ts'

/** A block that is being forged: its fields, and its extensions apart. */
interface Forgery {
  block: SignedBlock
  header: HeaderExtensions
  extensions: BlockExtensions
}

interface Case {
  what: string
  error: string
  message: string
  forge: (forgery: Forgery, original: BlockState) => void
}

const claimOf = ({ header }: Forgery): QcClaim => header.finality_extension!.qc_claim
const qcOf = ({ extensions }: Forgery): QuorumCertificate => extensions.quorum_certificate!

const CASES: Case[] = [
  {
    what: 'has no finality extension',
    error: 'block_validate_exception',
    message: 'does not have a finality header extension',
    forge: ({ header }) => delete header.finality_extension,
  },
  {
    what: 'claims an earlier block than the one before',
    error: 'invalid_qc_claim',
    message: "less than the previous block's",
    forge: (f) => (claimOf(f).block_num -= 2),
  },
  {
    what: 'claims itself',
    error: 'invalid_qc_claim',
    message: 'that is greater than the previous block number',
    forge: (f) => (claimOf(f).block_num += 1),
  },
  {
    what: 'claims less of the same block',
    error: 'invalid_qc_claim',
    message: "must be stricter than previous block's",
    forge: (f) => (f.header.finality_extension!.qc_claim = weak(claimOf(f).block_num - 1)),
  },
  {
    what: 'carries a certificate for a claim that was made before',
    error: 'invalid_qc_claim',
    message: 'should not provide a QC block extension',
    forge: (f) => (f.header.finality_extension!.qc_claim = strong(claimOf(f).block_num - 1)),
  },
  {
    what: 'claims without a certificate',
    error: 'block_validate_exception',
    message: "doesn't include a qc to justify this claim",
    forge: ({ extensions }) => delete extensions.quorum_certificate,
  },
  {
    what: 'carries a certificate for another block',
    error: 'block_validate_exception',
    message: 'Mismatch between qc.block_num',
    forge: (f) => (qcOf(f).block_num -= 1),
  },
  {
    what: 'claims a strong certificate to be weak',
    error: 'block_validate_exception',
    message: 'does not match is_strong_qc',
    forge: (f) => (claimOf(f).is_strong_qc = false),
  },
  {
    what: 'carries a wrong root of the finality tree',
    error: 'block_validate_exception',
    message: 'does not match supplied finality mroot',
    forge: ({ block }) => (block.action_mroot = new Uint8Array(32).fill(7)),
  },
  {
    what: 'carries a certificate with too few votes',
    error: 'invalid_qc',
    message: 'strong quorum is not met',
    forge: (f) => (qcOf(f).active_policy_sig.strong_votes!.blocks[0] = 0b01),
  },
  {
    what: 'carries votes for a pending policy that does not exist',
    error: 'invalid_qc',
    message: 'nonexistent pending finalizer policy',
    forge: (f) => (qcOf(f).pending_policy_sig = qcOf(f).active_policy_sig),
  },
  {
    what: 'carries a certificate that nobody signed',
    error: 'invalid_qc_signature',
    message: 'qc signature validation failed',
    forge: (f) => (qcOf(f).active_policy_sig.sig = blsSign(blsSecret(9), new Uint8Array(32))),
  },
  {
    what: 'has a wrong transaction root',
    error: 'block_validate_exception',
    message: 'invalid block transaction merkle root',
    forge: ({ block }) => (block.transaction_mroot = new Uint8Array(32).fill(1)),
  },
  {
    what: 'is of another producer',
    error: 'wrong_producer',
    message: 'wrong producer specified',
    forge: ({ block }) => (block.producer = N('alice')),
  },
  {
    what: 'is not later than the one before',
    error: 'block_too_old_exception',
    message: 'must be greater than current timestamp',
    forge: ({ block }) => (block.timestamp -= 1),
  },
  {
    what: 'carries a schedule as before Savanna',
    error: 'producer_schedule_exception',
    message: 'outdated by activation of WTMsig Block Signatures',
    forge: ({ block }) => (block.new_producers = { version: 1, producers: [] }),
  },
  {
    what: 'is a legacy block',
    error: 'unlinkable_block_exception',
    message: 'unlinkable block',
    forge: ({ block }) => (block.schedule_version = 1),
  },
  {
    what: 'confirms blocks',
    error: 'block_validate_exception',
    message: 'Block ID does not match',
    forge: ({ block }) => (block.confirmed = 1),
  },
  {
    what: 'proposes finalizers that no transaction proposed',
    error: 'block_validate_exception',
    message: 'Block ID does not match',
    forge: ({ header }, original) => {
      const prev = lastProposedFinalizerPolicy(original.savanna_state)
      header.finality_extension!.new_finalizer_policy_diff = diffFinalizerPolicy(
        prev,
        policyOf(2, [5]),
      )
    },
  },
  {
    what: 'proposes finalizers of an old generation',
    error: 'invalid_block_header_extension',
    message: 'new finalizer policy generation 1 not greater than previous 1',
    forge: ({ header }, original) => {
      const prev = lastProposedFinalizerPolicy(original.savanna_state)
      header.finality_extension!.new_finalizer_policy_diff = diffFinalizerPolicy(
        prev,
        policyOf(1, [5]),
      )
    },
  },
  {
    what: 'proposes finalizers that cannot be told from the ones before',
    error: 'assert_exception',
    message: 'remove_indexes index 9 - i 0 not in range 2',
    forge: ({ header }) =>
      (header.finality_extension!.new_finalizer_policy_diff = {
        generation: 2,
        threshold: 1n,
        finalizers_diff: { remove_indexes: [9], insert_indexes: [] },
      }),
  },
  {
    what: 'proposes producers that no transaction proposed',
    error: 'block_validate_exception',
    message: 'Block ID does not match',
    forge: ({ header, block }) =>
      (header.finality_extension!.new_proposer_policy_diff = {
        version: 2,
        proposal_time: block.timestamp,
        producer_auth_diff: { remove_indexes: [], insert_indexes: [[0, producer('alice')]] },
      }),
  },
  {
    what: 'activates a feature again',
    error: 'protocol_feature_exception',
    message: 'has already been activated',
    forge: ({ header }, original) =>
      (header.protocol_feature_activation = [original.activated_protocol_features[0]!]),
  },
]

describe('a Savanna block is refused that', function () {
  let maker: SavannaNode
  let taker: SavannaNode
  let block: BlockState

  before(async () => {
    maker = await openNode([0, 1])
    taker = await openNode()
    boot(maker, [0, 1])
    for (let num = 2; num <= 4; num++) {
      taker.test.setTime(maker.test.head.timestamp)
      taker.test.chain.pushBlock(maker.test.chain.packedBlockByNumber(num)!.slice())
    }
    for (let i = 0; i < 4; i++) await give(taker, await makeBlock(maker))
    block = await makeBlock(maker)
  })

  /** The block, changed and signed again. */
  function forged(change: Case['forge']): Uint8Array {
    const copy = unpackSignedBlock(new Reader(block.packed_block.slice()))
    const forgery = {
      block: copy,
      header: extractHeaderExtensions(copy.header_extensions),
      extensions: extractBlockExtensions(copy.block_extensions),
    }
    change(forgery, block)
    copy.header_extensions = makeHeaderExtensions(forgery.header)
    copy.block_extensions = makeBlockExtensions(forgery.extensions)
    return packOne(packSignedBlock, maker.test.resign(block, copy))
  }

  function refusal(bytes: Uint8Array): ChainError {
    const { chain } = taker.test
    const { key } = chain.head
    try {
      chain.pushBlock(bytes)
    } catch (error) {
      expect(error).to.be.instanceOf(ChainError)
      expect(chain.head.key).to.equal(key)
      expect(chain.fork_head.key).to.equal(key)
      expect(chain.pending).to.equal(undefined)
      return error as ChainError
    }
    return expect.fail('it was taken')
  }

  for (const { what, error, message, forge } of CASES) {
    it(what, () => {
      const refused = refusal(forged(forge))
      expect(refused.errorName, refused.message).to.equal(error)
      expect(refused.details.map((d) => d.message).join('\n')).to.include(message)
    })
  }

  it('is signed by another key', () => {
    const copy = unpackSignedBlock(new Reader(block.packed_block.slice()))
    copy.producer_signature[20]! ^= 1
    const { errorName } = refusal(packOne(packSignedBlock, copy))
    expect(['wrong_signing_key', 'exception', 'assert_exception']).to.include(errorName)
  })

  it('is cut short or garbled', () => {
    const { packed_block } = block
    for (let size = 0; size < packed_block.length; size += 5) refusal(packed_block.slice(0, size))
    // Bits of what the signature or the certificate covers.
    for (let at = 0; at < packed_block.length; at += 29) {
      const bytes = packed_block.slice()
      bytes[at]! ^= 0x10
      refusal(bytes)
    }
  })

  it('is right in the end, and taken', () => {
    taker.test.chain.pushBlock(forged(() => undefined))
    expect(taker.test.head.key).to.equal(block.key)
  })
})

describe('set_finalizers', function () {
  it('changes the policy through proposed and pending, on every node alike', async () => {
    // Descriptions need not be UTF-8.
    const description = 'a\xff\xe2\x82'.repeat(64)
    const described = (generation: number): FinalizerPolicy => {
      const policy = policyOf(generation, [0, 1])
      const finalizers = policy.finalizers.map((finalizer) => ({ ...finalizer, description }))
      return { ...policy, finalizers }
    }
    const maker = await openNode([0, 1])
    const taker = await openNode()
    boot(maker, [0])
    for (let num = 2; num <= 4; num++) {
      taker.test.setTime(maker.test.head.timestamp)
      taker.test.chain.pushBlock(maker.test.chain.packedBlockByNumber(num)!.slice())
    }
    for (let i = 0; i < 9; i++) {
      if (i === 2) maker.test.push(setFinalizers(described(0)))
      await give(taker, await makeBlock(maker))
    }
    for (const { test } of [maker, taker]) {
      const { active_finalizer_policy: active } = test.head.savanna_state
      expect(active).to.deep.equal(described(2))
      expect(test.chain.last_irreversible.block_num).to.equal(test.head.block_num - 2)
    }
  })
})
