import { expect } from 'chai'
import {
  blockHeaderDigest,
  blockId,
  blockSigningDigestLegacy,
  chainId,
  scheduleDigest,
  scheduleDigestLegacy,
  signingDigest,
  transactionId,
  transactionReceiptDigest,
} from '../../../src/engine/crypto/digests.ts'
import {
  privateKeyFromString,
  publicKeyOf,
  recoverKey,
  signDigest,
} from '../../../src/engine/crypto/keys.ts'
import {
  IncrementalMerkleLegacy,
  legacyMerkle,
  savannaMerkle,
} from '../../../src/engine/crypto/merkle.ts'
import {
  blockNumFromId,
  packSignedBlock,
  unpackSignedBlock,
} from '../../../src/engine/protocol/block.ts'
import type { BlockHeader, SignedBlock } from '../../../src/engine/protocol/block.ts'
import {
  extractBlockExtensions,
  extractHeaderExtensions,
  makeBlockExtensions,
  makeHeaderExtensions,
} from '../../../src/engine/protocol/block_extension.ts'
import {
  PROPER_SAVANNA_SCHEDULE_VERSION,
  SYSTEM_ACCOUNT,
} from '../../../src/engine/protocol/constants.ts'
import {
  genesisFromJson,
  genesisToJson,
  packGenesis,
} from '../../../src/engine/protocol/genesis.ts'
import { bytesEqual, toHex } from '../../../src/engine/protocol/hex.ts'
import { publicKeyToString } from '../../../src/engine/protocol/key.ts'
import { openPackedTransaction } from '../../../src/engine/protocol/packed_transaction.ts'
import { Reader } from '../../../src/engine/protocol/reader.ts'
import { packTransaction } from '../../../src/engine/protocol/transaction.ts'
import { packOne } from '../../../src/engine/protocol/writer.ts'
import { upgradeSchedule } from '../../../src/engine/protocol/schedule.ts'
import { recordedBlocks, recordedGenesisJson } from '../protocol/recorded_blocks.ts'

const CHAIN_ID = '9371fb05f023fcc78b23923d70bdfe6642cdf1956d120045bcd1371e05c961a9'
const BLOCK_1_ID = '000000011ee855fbd2c9bfcf08b41753e5e38f27c1889d3034563cfe9dbe5334'
/** Everyone's development key, which the recorded chain's producers sign with at first. */
const DEVELOPMENT_SECRET = '5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3'

describe('a chain of the reference', () => {
  const { genesis, blocks: packed } = recordedBlocks()
  const blocks = packed.map((bytes) => unpackSignedBlock(new Reader(bytes)))
  const isSavanna = (b: SignedBlock): boolean =>
    b.schedule_version === PROPER_SAVANNA_SCHEDULE_VERSION

  it('has the genesis of its JSON, whose hash is the chain id', () => {
    const fromJson = genesisFromJson(recordedGenesisJson())
    expect(toHex(packOne(packGenesis, fromJson))).to.equal(toHex(packOne(packGenesis, genesis)))
    expect(genesisToJson(genesis)).to.deep.equal(recordedGenesisJson())
    expect(toHex(chainId(genesis))).to.equal(CHAIN_ID)
  })

  it('begins with a block that the genesis gives', () => {
    const header: BlockHeader = {
      timestamp: (blocks[0] as SignedBlock).timestamp,
      producer: 0n,
      confirmed: 1,
      previous: new Uint8Array(32),
      transaction_mroot: new Uint8Array(32),
      action_mroot: chainId(genesis),
      schedule_version: 0,
      header_extensions: [],
    }
    expect(toHex(blockId(header))).to.equal(BLOCK_1_ID)
    expect(toHex(blockId(blocks[0] as SignedBlock))).to.equal(BLOCK_1_ID)
  })

  it('packs every block again to the same bytes', () => {
    expect(blocks.length).to.be.greaterThan(100)
    blocks.forEach((block, i) => {
      const bytes = packed[i] as Uint8Array
      expect(bytesEqual(packOne(packSignedBlock, block), bytes), `block ${i + 1}`).to.equal(true)
    })
  })

  it('links every block to the id of the one before', () => {
    for (let i = 0; i < blocks.length; i++) {
      const id = blockId(blocks[i] as SignedBlock)
      expect(blockNumFromId(id)).to.equal(i + 1)
      const next = blocks[i + 1]
      if (next !== undefined) expect(toHex(next.previous)).to.equal(toHex(id))
    }
  })

  it('has the transaction roots of its receipts', () => {
    let withTransactions = 0
    for (const block of blocks) {
      const leaves = block.transactions.map((receipt) => transactionReceiptDigest(receipt))
      const root = isSavanna(block) ? savannaMerkle(leaves) : legacyMerkle(leaves)
      expect(toHex(root)).to.equal(toHex(block.transaction_mroot))
      if (leaves.length > 1) withTransactions++
    }
    expect(withTransactions).to.be.greaterThan(10)
    expect(blocks.some(isSavanna)).to.equal(true)
  })

  it('gives extensions that pack to the same bytes', () => {
    const kinds = new Set<string>()
    for (const block of blocks) {
      const header = extractHeaderExtensions(block.header_extensions)
      const body = extractBlockExtensions(block.block_extensions)
      for (const kind of [...Object.keys(header), ...Object.keys(body)]) kinds.add(kind)
      expect(makeHeaderExtensions(header)).to.deep.equal(block.header_extensions.map(plain))
      expect(makeBlockExtensions(body)).to.deep.equal(block.block_extensions.map(plain))
    }
    expect([...kinds]).to.include.members([
      'protocol_feature_activation',
      'producer_schedule_change',
      'finality_extension',
      'quorum_certificate',
    ])
  })

  it('is signed over header, block root and pending schedule before Savanna', () => {
    const blockroot = new IncrementalMerkleLegacy()
    const secret = privateKeyFromString(DEVELOPMENT_SECRET)
    const initial = {
      version: 0,
      producers: [{ producer_name: SYSTEM_ACCOUNT, block_signing_key: genesis.initial_key }],
    }
    expect(publicKeyToString(publicKeyOf(secret))).to.equal(publicKeyToString(genesis.initial_key))
    let active = upgradeSchedule(initial)
    let pending = active
    let pending_hash = scheduleDigestLegacy(initial)
    let reproduced = 0
    let checked = 0
    for (const block of blocks) {
      if (isSavanna(block)) break
      const extensions = extractHeaderExtensions(block.header_extensions)
      if (block.schedule_version === pending.version) active = pending
      if (extensions.producer_schedule_change) {
        pending = extensions.producer_schedule_change
        pending_hash = scheduleDigest(pending)
      }
      // Nobody signed the genesis block.
      if (checked++ > 0) {
        const digest = blockSigningDigestLegacy(
          blockHeaderDigest(block),
          blockroot.root(),
          pending_hash,
        )
        const producer = active.producers.find((p) => p.producer_name === block.producer)
        const expected = producer?.authority[1].keys[0]?.key ?? new Uint8Array()
        expect(toHex(recoverKey(block.producer_signature, digest))).to.equal(toHex(expected))
        if (bytesEqual(expected, genesis.initial_key)) {
          // Nonces are deterministic, and ours are the reference's.
          expect(toHex(signDigest(secret, digest))).to.equal(toHex(block.producer_signature))
          reproduced++
        }
      }
      blockroot.append(blockId(block))
    }
    expect(reproduced).to.be.greaterThan(30)
    expect(active.version).to.equal(1)
    expect(checked).to.be.greaterThan(40)
  })

  it('has transactions whose signatures give keys', () => {
    const id = chainId(genesis)
    let signatures = 0
    for (const block of blocks) {
      for (const receipt of block.transactions) {
        if ('id' in receipt.trx) continue
        const opened = openPackedTransaction(receipt.trx.packed)
        const { trx, trx_bytes, context_free_data } = opened
        expect(toHex(transactionId(trx))).to.equal(toHex(transactionId(trx_bytes)))
        expect(toHex(packOne(packTransaction, trx))).to.equal(toHex(trx_bytes))
        const digest = signingDigest(id, trx_bytes, context_free_data)
        for (const signature of receipt.trx.packed.signatures) {
          expect(publicKeyToString(recoverKey(signature, digest))).to.match(
            /^(EOS|PUB_R1_|PUB_WA_)/,
          )
          signatures++
        }
      }
    }
    expect(signatures).to.be.greaterThan(100)
  })
})

function plain([id, bytes]: [number, Uint8Array]): [number, Uint8Array] {
  return [id, bytes.slice()]
}
