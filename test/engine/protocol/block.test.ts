import { expect } from 'chai'
import fc from 'fast-check'
import {
  blockNumFromId,
  blockNumOf,
  packSignedBlock,
  unpackSignedBlock,
} from '../../../src/engine/protocol/block.ts'
import type {
  BlockExtensions,
  HeaderExtensions,
} from '../../../src/engine/protocol/block_extension.ts'
import {
  extractBlockExtensions,
  extractHeaderExtensions,
  makeBlockExtensions,
  makeHeaderExtensions,
} from '../../../src/engine/protocol/block_extension.ts'
import type { Extension } from '../../../src/engine/protocol/extension.ts'
import { fromHex } from '../../../src/engine/protocol/hex.ts'
import { Reader } from '../../../src/engine/protocol/reader.ts'
import { packOne } from '../../../src/engine/protocol/writer.ts'
import { refusal, refusalOf } from '../refusal.ts'
import { digest, producerAuthority, signature, signedBlock, u16, u32, u64 } from './arbitrary.ts'

const few = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(item, { maxLength: 3 })
const diff = <T>(item: fc.Arbitrary<T>) =>
  fc.record({ remove_indexes: few(u16), insert_indexes: few(fc.tuple(u16, item)) })
const unique = (item: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array[]> =>
  fc.uniqueArray(item, { minLength: 1, maxLength: 3, selector: (b) => b.join() })

const finalizer = fc.record({
  description: fc.string(),
  weight: u64,
  public_key: fc.uint8Array({ minLength: 96, maxLength: 96 }),
})

const headerExtensions: fc.Arbitrary<HeaderExtensions> = fc.record(
  {
    protocol_feature_activation: unique(digest),
    producer_schedule_change: fc.record({ version: u32, producers: few(producerAuthority) }),
    finality_extension: fc.record(
      {
        qc_claim: fc.record({ block_num: u32, is_strong_qc: fc.boolean() }),
        new_finalizer_policy_diff: fc.record({
          generation: u32,
          threshold: u64,
          finalizers_diff: diff(finalizer),
        }),
        new_proposer_policy_diff: fc.record({
          version: u32,
          proposal_time: u32,
          producer_auth_diff: diff(producerAuthority),
        }),
      },
      { requiredKeys: ['qc_claim'] },
    ),
  },
  { requiredKeys: [] },
)

const bitset = fc
  .integer({ min: 0, max: 40 })
  .chain((size) =>
    fc
      .uint8Array({ minLength: Math.ceil(size / 8), maxLength: Math.ceil(size / 8) })
      .map((blocks) => ({ size, blocks })),
  )
const qcSignature = fc.record(
  {
    strong_votes: bitset,
    weak_votes: bitset,
    sig: fc.uint8Array({ minLength: 192, maxLength: 192 }),
  },
  { requiredKeys: ['sig'] },
)

const blockExtensions: fc.Arbitrary<BlockExtensions> = fc.record(
  {
    additional_block_signatures: unique(signature),
    quorum_certificate: fc.record(
      { block_num: u32, active_policy_sig: qcSignature, pending_policy_sig: qcSignature },
      { requiredKeys: ['block_num', 'active_policy_sig'] },
    ),
  },
  { requiredKeys: [] },
)

describe('blocks', () => {
  it('give the same fields from their bytes', () => {
    fc.assert(
      fc.property(signedBlock, (block) => {
        const bytes = packOne(packSignedBlock, block)
        const r = new Reader(bytes)
        const read = unpackSignedBlock(r)
        expect(read).to.deep.equal(block)
        expect(r.remaining()).to.equal(0)
        expect(blockNumOf(read)).to.equal(blockNumFromId(block.previous) + 1)
      }),
    )
  })

  it('are refused when truncated, whatever is missing', () => {
    fc.assert(
      fc.property(signedBlock, fc.nat(), (block, at) => {
        const bytes = packOne(packSignedBlock, block)
        const cut = bytes.subarray(0, at % bytes.length)
        expect(refusal(() => unpackSignedBlock(new Reader(cut)))).to.equal('out_of_range_exception')
      }),
    )
  })

  it('never fail but by a refusal, whatever the bytes', () => {
    fc.assert(
      fc.property(signedBlock, fc.nat(), fc.nat(255), (block, at, byte) => {
        const bytes = packOne(packSignedBlock, block)
        bytes[at % bytes.length] = byte
        try {
          unpackSignedBlock(new Reader(bytes))
        } catch (error) {
          expect(error).to.have.property('errorName')
        }
      }),
    )
  })

  it('are numbered by the first four bytes of their ids', () => {
    expect(blockNumFromId(fromHex('ff000001'.padEnd(64, '0')))).to.equal(0xff000001)
  })
})

describe('block extensions', () => {
  it('give the same content from their bytes', () => {
    fc.assert(
      fc.property(headerExtensions, blockExtensions, (header, block) => {
        expect(extractHeaderExtensions(makeHeaderExtensions(header))).to.deep.equal(header)
        expect(extractBlockExtensions(makeBlockExtensions(block))).to.deep.equal(block)
      }),
    )
  })

  it('are refused when unknown, unordered or repeated', () => {
    const [activation] = makeHeaderExtensions({
      protocol_feature_activation: [new Uint8Array(32)],
    }) as [Extension]
    const [claim] = makeHeaderExtensions({
      finality_extension: { qc_claim: { block_num: 1, is_strong_qc: true } },
    }) as [Extension]
    const header = (...list: Extension[]) => refusalOf(() => extractHeaderExtensions(list))
    expect(header([3, new Uint8Array(0)])).to.include({
      errorName: 'invalid_block_header_extension',
      message: 'Block header extension with id type 3 is not supported',
    })
    expect(header(claim, activation).message).to.equal(
      'Block header extensions are not in the correct order (ascending id types required)',
    )
    expect(header(claim, claim).message).to.equal(
      'Block header extension with id type 2 is not allowed to repeat',
    )
    const [signatures] = makeBlockExtensions({
      additional_block_signatures: [new Uint8Array(66)],
    }) as [Extension]
    expect(refusal(() => extractBlockExtensions([[0, new Uint8Array(0)]]))).to.equal(
      'invalid_block_extension',
    )
    expect(refusal(() => extractBlockExtensions([signatures, signatures]))).to.equal(
      'invalid_block_header_extension',
    )
  })

  it('are refused when ill formed', () => {
    const activation = (...protocol_feature_activation: Uint8Array[]) =>
      refusal(() => extractHeaderExtensions(makeHeaderExtensions({ protocol_feature_activation })))
    const feature = new Uint8Array(32)
    expect(activation()).to.equal('ill_formed_protocol_feature_activation')
    expect(activation(feature, feature)).to.equal('ill_formed_protocol_feature_activation')
    const signatures = (...additional_block_signatures: Uint8Array[]) =>
      refusal(() => extractBlockExtensions(makeBlockExtensions({ additional_block_signatures })))
    const one = new Uint8Array(66)
    expect(signatures()).to.equal('ill_formed_additional_block_signatures_extension')
    expect(signatures(one, one)).to.equal('ill_formed_additional_block_signatures_extension')
  })
})
