import { expect } from 'chai'
import {
  BlockKeys,
  packedTransactions,
  type IdAndKeys,
} from '../../../src/engine/crypto/block_keys.ts'
import { BlockKeyThreads } from '../../../src/engine/crypto/block_key_threads.ts'
import { signingDigest, transactionId } from '../../../src/engine/crypto/digests.ts'
import type { PrivateKey } from '../../../src/engine/crypto/keys.ts'
import { publicKeyOf, signDigest } from '../../../src/engine/crypto/keys.ts'
import type { SignedBlock } from '../../../src/engine/protocol/block.ts'
import { packSignedBlock } from '../../../src/engine/protocol/block.ts'
import { toHex } from '../../../src/engine/protocol/hex.ts'
import { K1, R1 } from '../../../src/engine/protocol/key.ts'
import type { PackedTransaction } from '../../../src/engine/protocol/packed_transaction.ts'
import {
  makePackedTransaction,
  openPackedTransaction,
} from '../../../src/engine/protocol/packed_transaction.ts'
import { packOne } from '../../../src/engine/protocol/writer.ts'
import { plainTransaction } from '../../../src/engine/protocol/transaction.ts'

const CHAIN_ID = new Uint8Array(32).fill(9)
const k1: PrivateKey = { type: K1, data: new Uint8Array(32).fill(3) }
const r1: PrivateKey = { type: R1, data: new Uint8Array(32).fill(6) }

function signed(nonce: number, keys: readonly PrivateKey[], compression = 0): PackedTransaction {
  const trx = {
    expiration: nonce,
    ref_block_num: 0,
    ref_block_prefix: 0,
    ...plainTransaction([]),
  }
  const packed = makePackedTransaction(trx, [], [Uint8Array.of(nonce)], compression)
  const { trx_bytes, context_free_data } = openPackedTransaction(packed)
  const digest = signingDigest(CHAIN_ID, trx_bytes, context_free_data)
  return { ...packed, signatures: keys.map((key) => signDigest(key, digest)) }
}

function blockOf(transactions: readonly ({ id: Uint8Array } | PackedTransaction)[]): SignedBlock {
  return {
    timestamp: 1,
    producer: 1n,
    confirmed: 0,
    previous: new Uint8Array(32),
    transaction_mroot: new Uint8Array(32),
    action_mroot: new Uint8Array(32),
    schedule_version: 0,
    header_extensions: [],
    producer_signature: new Uint8Array(66),
    transactions: transactions.map((trx) => ({
      status: 0,
      cpu_usage_us: 100,
      net_usage_words: 10,
      trx: 'id' in trx ? trx : { packed: trx },
    })),
    block_extensions: [],
  }
}

const create = (block: SignedBlock): BlockKeys =>
  BlockKeys.create(block, packOne(packSignedBlock, block), CHAIN_ID)

function finish(keys: BlockKeys, block: SignedBlock): (IdAndKeys | undefined)[] {
  keys.work(packedTransactions(block))
  return keys.results(packedTransactions(block))
}

function expectFound(result: IdAndKeys | undefined, packed: PackedTransaction, k: PrivateKey[]) {
  const { id, keys: found } = result!
  expect(toHex(id)).to.equal(toHex(transactionId(openPackedTransaction(packed).trx_bytes)))
  expect(found.map(toHex)).to.deep.equal(k.map(publicKeyOf).map(toHex))
}

describe('the keys of a block', () => {
  it('are found in the order of the signatures, with ids, on the calling thread alone', () => {
    const all = [signed(1, [k1]), signed(2, [r1, k1]), signed(3, []), signed(4, [k1], 1)]
    const deferred = { id: new Uint8Array(32).fill(1) }
    const block = blockOf([all[0]!, deferred, ...all.slice(1)])
    const results = finish(create(block), block)
    expect(results).to.have.length(4)
    expectFound(results[0], all[0]!, [k1])
    expectFound(results[1], all[1]!, [r1, k1])
    expectFound(results[2], all[2]!, [])
    expectFound(results[3], all[3]!, [k1])
  })

  it('are not found where a signature is invalid or occurs twice; others are', () => {
    const good = signed(1, [k1])
    const bad = structuredClone(signed(2, [k1]))
    bad.signatures[0]![1] = 99
    const twice = signed(3, [k1, k1])
    const broken = { ...signed(4, [k1]), compression: 7 }
    const block = blockOf([bad, twice, broken, good])
    const results = finish(create(block), block)
    expect(results.slice(0, 3)).to.deep.equal([undefined, undefined, undefined])
    expectFound(results[3], good, [k1])
  })

  it('are shared with another thread, which takes what is left', () => {
    const all = [signed(1, [k1]), signed(2, [r1])]
    const block = blockOf(all)
    const keys = create(block)
    BlockKeys.workOn(keys.shared)
    const results = keys.results(packedTransactions(block))
    all.forEach((packed, i) => expectFound(results[i], packed, [[k1], [r1]][i]!))
  })

  it('are not waited for without end', () => {
    const block = blockOf([signed(1, [k1])])
    expect(create(block).results(packedTransactions(block))).to.deep.equal([undefined])
  })

  it('are found by threads while the caller does other things', async () => {
    const threads = new BlockKeyThreads(2)
    try {
      const all = Array.from({ length: 20 }, (_, i) => signed(i, [k1]))
      const block = blockOf(all)
      const keys = threads.begin(block, packOne(packSignedBlock, block), CHAIN_ID)
      const results = () => keys.results(packedTransactions(block))
      while (results().includes(undefined)) await new Promise((resolve) => setTimeout(resolve, 5))
      all.forEach((packed, i) => expectFound(results()[i], packed, [k1]))
    } finally {
      await threads.close()
    }
  })
})
