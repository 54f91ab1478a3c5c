import { expect } from 'chai'
import { recoverKeys } from '../../../../src/engine/crypto/recover_keys.ts'
import type { Recovered } from '../../../../src/engine/crypto/recovery_message.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { RecoveryPool } from '../../../../src/engine/crypto/recovery_pool.ts'
import { packSignedBlock } from '../../../../src/engine/protocol/block.ts'
import { packOne } from '../../../../src/engine/protocol/writer.ts'
import type { TransactionMetadata } from '../../../../src/engine/chain/base/transaction_metadata.ts'
import {
  areKnown,
  likelyTransactions,
  openWithKeys,
  recoverBlock,
} from '../../../../src/engine/chain/blocks/recover_block.ts'
import { TestChain } from '../support/test_chain.ts'

describe('recoverBlock', () => {
  it('recovers the keys of a block before it is pushed, and leaves a block with invalid ones to the execution', async () => {
    const maker = await TestChain.open()
    const taker = await TestChain.open()
    maker.createAccount('alice')
    maker.createAccount('bob')
    const { block, packed_block, trx_metas } = maker.produce()
    const pool = {
      asked: 0,
      recover(digest: Uint8Array, signatures: readonly Uint8Array[]): Promise<Recovered> {
        this.asked += 1
        return Promise.resolve(recoverKeys(digest, signatures))
      },
    }
    const nothing = { find: () => undefined, likely: [] }
    const metas = (await recoverBlock(block, taker.chain.chain_id, pool, nothing))!
    expect(pool.asked).to.equal(2)
    expect(metas.map(keysOf)).to.deep.equal(trx_metas!.map(keysOf))
    const found = new Map(metas.map((meta) => [toHex(meta.id), meta]))
    taker.chain.pushBlock(packed_block, (id) => found.get(id))
    expect(taker.head.key).to.equal(maker.head.key)

    // What came before with the same signatures is not recovered again.
    const [alice, bob] = trx_metas!
    const find = (id: string) => trx_metas!.find((meta) => toHex(meta.id) === id)
    const known = { find, likely: [] }
    let looked_up = 0
    const counting = (likely: readonly TransactionMetadata[]) => ({
      find: (id: string) => (looked_up++, find(id)),
      likely,
    })
    for (const [likely, lookups] of [
      [[], 2],
      [[bob!], 1],
      [[alice!], 1],
      [[bob!, alice!], 1],
      [[alice!, bob!, alice!], 0],
    ] as const) {
      looked_up = 0
      const again = (await recoverBlock(block, taker.chain.chain_id, pool, counting(likely)))!
      expect(again[0]).to.equal(alice)
      expect(again[1]).to.equal(bob)
      expect([looked_up, pool.asked]).to.deep.equal([lookups, 2])
    }

    expect(likelyTransactions(block, [alice!, bob!])).to.deep.equal([alice, bob])
    expect(likelyTransactions(block, [bob!, alice!])).to.deep.equal([undefined, bob])
    expect([areKnown([alice, bob]), areKnown([undefined, bob])]).to.deep.equal([true, false])

    const bad = structuredClone(block)
    const { trx } = bad.transactions[0]!
    if ('packed' in trx) trx.packed.signatures[0]![1] = 99
    expect(likelyTransactions(bad, [alice!, bob!])).to.deep.equal([undefined, undefined])
    expect(await recoverBlock(bad, taker.chain.chain_id, pool, nothing)).to.equal(undefined)
    expect(await recoverBlock(bad, taker.chain.chain_id, pool, known)).to.equal(undefined)
    const likely = { find, likely: [alice!, bob!] }
    expect(await recoverBlock(bad, taker.chain.chain_id, pool, likely)).to.equal(undefined)
  })

  it('leaves a block to the execution if a thread of the pool ends', async () => {
    const maker = await TestChain.open()
    maker.createAccount('alice')
    const { block } = maker.produce()
    const pool = { recover: () => Promise.reject(new Error('a recovery thread ended (1)')) }
    expect(
      await recoverBlock(block, maker.chain.chain_id, pool, { find: () => undefined, likely: [] }),
    ).equal(undefined)
  })

  it('opens a block whose keys a pool shares with its threads, and leaves invalid ones to the execution', async () => {
    const maker = await TestChain.open()
    maker.createAccount('alice')
    maker.createAccount('bob')
    const { block, packed_block, trx_metas } = maker.produce()
    const { chain_id } = maker.chain
    const pool = new RecoveryPool(1)
    await pool.start()
    try {
      const keys = pool.shareBlock(block, packed_block, chain_id)
      expect(openWithKeys(block, keys, chain_id)!.map(keysOf)).to.deep.equal(trx_metas!.map(keysOf))

      const bad = structuredClone(block)
      const { trx } = bad.transactions[0]!
      if ('packed' in trx) trx.packed.signatures[0]![1] = 99
      const shared = pool.shareBlock(bad, packOne(packSignedBlock, bad), chain_id)
      expect(openWithKeys(bad, shared, chain_id)).to.equal(undefined)
    } finally {
      await pool.close()
    }
  })
})

const keysOf = ({ id, recovered_keys }: TransactionMetadata) => ({ id, recovered_keys })
