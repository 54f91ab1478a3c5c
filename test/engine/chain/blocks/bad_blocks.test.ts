import { expect } from 'chai'
import { transactionReceiptDigest } from '../../../../src/engine/crypto/digests.ts'
import { legacyMerkle } from '../../../../src/engine/crypto/merkle.ts'
import { ChainError } from '../../../../src/engine/errors.ts'
import type { ErrorName } from '../../../../src/engine/errors.ts'
import { packSignedBlock, unpackSignedBlock } from '../../../../src/engine/protocol/block.ts'
import type { SignedBlock } from '../../../../src/engine/protocol/block.ts'
import {
  makeBlockExtensions,
  makeHeaderExtensions,
} from '../../../../src/engine/protocol/block_extension.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import { Reader } from '../../../../src/engine/protocol/reader.ts'
import { packOne } from '../../../../src/engine/protocol/writer.ts'
import type { BlockState } from '../../../../src/engine/chain/headers/block_state.ts'
import { TestChain, secretOf } from '../support/test_chain.ts'

/** A node that made a block with two transactions, and one that has all but this block. */
async function makerAndTaker(): Promise<{ maker: TestChain; taker: TestChain; block: BlockState }> {
  const maker = await TestChain.open()
  const taker = await TestChain.open()
  for (let i = 0; i < 3; i++) taker.chain.pushBlock(maker.produce().packed_block)
  maker.createAccount('alice')
  maker.createAccount('bob')
  return { maker, taker, block: maker.produce() }
}

/** The receipts of a block with their Merkle root, after a change. */
function withReceipts(
  block: SignedBlock,
  change: (receipts: SignedBlock['transactions']) => void,
): void {
  change(block.transactions)
  block.transaction_mroot = legacyMerkle(
    block.transactions.map((receipt) => transactionReceiptDigest(receipt)),
  )
}

interface Case {
  what: string
  error: ErrorName
  message: string
  change: (block: SignedBlock, maker: TestChain) => void
  /** Keep the producer's signature of the block as it was. */
  unsigned?: boolean
}

const BAD: Case[] = [
  {
    what: 'does not link',
    error: 'unlinkable_block_exception',
    message: 'unlinkable',
    change: (b) => (b.previous = b.previous.map((byte, i) => (i === 31 ? byte ^ 1 : byte))),
  },
  {
    what: 'is not later than its predecessor',
    error: 'block_validate_exception',
    message: 'in the future',
    change: (b) => (b.timestamp -= 1),
  },
  {
    what: 'is of another producer',
    error: 'wrong_producer',
    message: 'wrong producer',
    change: (b) => (b.producer = N('alice')),
  },
  {
    what: 'names another schedule',
    error: 'producer_schedule_exception',
    message: 'schedule_version',
    change: (b) => (b.schedule_version = 1),
  },
  {
    what: 'confirms what its producer confirmed before',
    error: 'producer_double_confirm',
    message: 'double-confirming',
    change: (b) => (b.confirmed = 1),
  },
  {
    what: 'has a signature of something else',
    error: 'wrong_signing_key',
    message: 'unexpected key',
    change: (b) => (b.timestamp += 1),
    unsigned: true,
  },
  {
    what: 'has another transaction root than its transactions',
    error: 'block_validate_exception',
    message: 'transaction merkle root',
    change: (b) => (b.transaction_mroot = new Uint8Array(32)),
  },
  {
    what: 'has another action root than its actions',
    error: 'block_validate_exception',
    message: 'action_mroot',
    change: (b) => (b.action_mroot = new Uint8Array(32)),
  },
  {
    what: 'leaves a transaction out',
    error: 'block_validate_exception',
    message: 'action_mroot',
    change: (b) => withReceipts(b, (receipts) => receipts.pop()),
  },
  {
    what: 'has the same transaction twice',
    error: 'tx_duplicate',
    message: 'duplicate transaction',
    change: (b) => withReceipts(b, (receipts) => receipts.push(receipts[0]!)),
  },
  {
    what: 'bills less NET',
    error: 'block_validate_exception',
    message: 'receipt does not match',
    change: (b) => withReceipts(b, (receipts) => (receipts[0]!.net_usage_words -= 1)),
  },
  {
    what: 'bills less CPU than the minimum',
    error: 'transaction_exception',
    message: '',
    change: (b) => withReceipts(b, (receipts) => (receipts[1]!.cpu_usage_us = 1)),
  },
  {
    what: 'says that a transaction that succeeds failed',
    error: 'block_validate_exception',
    message: 'receipt does not match',
    change: (b) => withReceipts(b, (receipts) => (receipts[0]!.status = 2)),
  },
  {
    what: 'retires a deferred transaction that is not there',
    error: 'unknown_transaction_exception',
    message: 'unknown transaction',
    change: (b) =>
      withReceipts(b, (receipts) =>
        receipts.push({
          status: 0,
          cpu_usage_us: 100,
          net_usage_words: 10,
          trx: { id: new Uint8Array(32) },
        }),
      ),
  },
  {
    what: 'has a transaction that nobody signed',
    error: 'unsatisfied_authorization',
    message: '',
    change: (b) =>
      withReceipts(b, (receipts) => {
        const { trx } = receipts[0]!
        if ('packed' in trx) trx.packed.signatures = []
      }),
  },
  {
    what: 'activates an unknown feature',
    error: 'protocol_feature_exception',
    message: 'unrecognized',
    change: (b) =>
      (b.header_extensions = makeHeaderExtensions({
        protocol_feature_activation: [new Uint8Array(32).fill(3)],
      })),
  },
  {
    what: 'activates a feature that nobody preactivated',
    error: 'protocol_feature_exception',
    message: 'preactivation',
    change: (b, maker) =>
      (b.header_extensions = makeHeaderExtensions({
        protocol_feature_activation: [maker.chain.features.byName('GET_SENDER').digest],
      })),
  },
  {
    what: 'announces a schedule that nobody proposed',
    error: 'block_validate_exception',
    message: 'new_producers',
    change: (b, maker) => {
      const block_signing_key = maker.addSecret(secretOf(5))
      b.new_producers = {
        version: 1,
        producers: [{ producer_name: N('eosio'), block_signing_key }],
      }
    },
  },
  {
    what: 'announces a schedule of the wrong version',
    error: 'producer_schedule_exception',
    message: 'wrong producer schedule version',
    change: (b) => (b.new_producers = { version: 2, producers: [] }),
  },
  {
    what: 'announces weighted authorities too early',
    error: 'producer_schedule_exception',
    message: 'before activation of WTMsig',
    change: (b) =>
      (b.header_extensions = makeHeaderExtensions({
        producer_schedule_change: { version: 1, producers: [] },
      })),
  },
  {
    what: 'has more signatures than its authority has keys',
    error: 'producer_schedule_exception',
    message: 'multiple signatures before WTMsig',
    change: (b) =>
      (b.block_extensions = makeBlockExtensions({
        additional_block_signatures: [b.producer_signature],
      })),
  },
  {
    what: 'has an unknown block extension',
    error: 'invalid_block_extension',
    message: 'not supported',
    change: (b) => (b.block_extensions = [[77, new Uint8Array(0)]]),
  },
  {
    what: 'has an unknown header extension',
    error: 'invalid_block_header_extension',
    message: 'not supported',
    change: (b) => (b.header_extensions = [[77, new Uint8Array(0)]]),
  },
  {
    what: 'claims to be of Savanna',
    error: 'unlinkable_block_exception',
    message: 'unlinkable block',
    change: (b) => (b.schedule_version = 2 ** 31),
  },
]

describe('a block is refused that', () => {
  let maker: TestChain
  let taker: TestChain
  let block: BlockState

  before(async () => {
    ;({ maker, taker, block } = await makerAndTaker())
  })

  for (const { what, error, message, change, unsigned } of BAD) {
    it(what, () => {
      const { key } = taker.head
      let bad = unpackSignedBlock(new Reader(block.packed_block.slice()))
      change(bad, maker)
      if (!unsigned) bad = maker.resign(block, bad)
      let refused: unknown
      try {
        taker.chain.pushBlock(packOne(packSignedBlock, bad))
      } catch (e) {
        refused = e
      }
      expect(refused).to.be.instanceOf(ChainError)
      const { errorName, details } = refused as ChainError
      expect(errorName, details[0]!.message).to.equal(error)
      expect(details.map((d) => d.message).join('\n')).to.include(message)
      expect(taker.head.key).to.equal(key)
      expect(taker.chain.fork_head.key).to.equal(key)
      expect(taker.chain.pending).to.equal(undefined)
    })
  }

  it('is cut short or garbled', () => {
    const { key } = taker.head
    for (let size = 0; size < block.packed_block.length; size += 7) {
      expect(() => taker.chain.pushBlock(block.packed_block.subarray(0, size))).to.throw(ChainError)
    }
    for (let at = 0; at < block.packed_block.length; at += 3) {
      const garbled = block.packed_block.slice()
      garbled[at]! ^= 0x55
      try {
        taker.chain.pushBlock(garbled)
      } catch (error) {
        expect(error, `byte ${at}: ${String(error)}`).to.be.instanceOf(ChainError)
      }
      expect(taker.head.key, `byte ${at}`).to.equal(key)
    }
  })

  after(() => {
    // After all of that the right block is still welcome.
    expect(taker.chain.pushBlock(block.packed_block)).to.equal('appended')
    expect(taker.head.key).to.equal(block.key)
  })
})
