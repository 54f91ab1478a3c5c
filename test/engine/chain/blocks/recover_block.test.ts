import { expect } from 'chai'
import { recoverKeys } from '../../../../src/engine/crypto/recover_keys.ts'
import type { Recovered } from '../../../../src/engine/crypto/recovery_message.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { recoverBlock } from '../../../../src/engine/chain/blocks/recover_block.ts'
import { TestChain } from '../support/test_chain.ts'

describe('recoverBlock', () => {
  it('recovers the keys of a block before it is pushed, and skips invalid transactions', async () => {
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
    const lookup = await recoverBlock(block, taker.chain.chain_id, pool)
    expect(pool.asked).to.equal(2)
    for (const { id, recovered_keys } of trx_metas!) {
      expect(lookup(toHex(id))!.recovered_keys).to.deep.equal(recovered_keys)
    }
    expect(lookup('00')).to.equal(undefined)
    taker.chain.pushBlock(packed_block, lookup)
    expect(taker.head.key).to.equal(maker.head.key)

    // What came before with the same signatures is not recovered again.
    const known = (id: string) => trx_metas!.find((meta) => toHex(meta.id) === id)
    const asked = pool.asked
    const again = await recoverBlock(block, taker.chain.chain_id, pool, known)
    expect(pool.asked).to.equal(asked)
    expect(again(toHex(trx_metas![0]!.id))).to.equal(trx_metas![0])

    const bad = structuredClone(block)
    const { trx } = bad.transactions[0]!
    if ('packed' in trx) trx.packed.signatures[0]![1] = 99
    const some = await recoverBlock(bad, taker.chain.chain_id, pool)
    expect(some(toHex(trx_metas![0]!.id))).to.equal(undefined)
    expect(some(toHex(trx_metas![1]!.id))).to.not.equal(undefined)
    const other = await recoverBlock(bad, taker.chain.chain_id, pool, known)
    expect(other(toHex(trx_metas![0]!.id))).to.equal(undefined)
  })
})
