import { expect } from 'chai'
import { SignatureVerifier } from '../../../../src/engine/chain/voting/signature_verifier.ts'
import { BlsThread } from '../../../../src/engine/crypto/bls_thread.ts'
import { BlsThreads } from '../../../../src/engine/crypto/bls_threads.ts'
import { blsAggregateVerify, blsSign } from '../../../../src/engine/crypto/bls.ts'
import type { BlsSigners } from '../../../../src/engine/crypto/bls.ts'
import { boot, makeBlock, openNode } from '../support/savanna_chain.ts'
import { blsKey, blsSecret } from './support.ts'

const message = new Uint8Array(32).fill(1)
const claim = (seed: number, signature = blsSign(blsSecret(seed), message)) => ({
  signers: [{ keys: [blsKey(seed)], message }],
  signature,
})

/** A thread that counts what it is asked. */
function counting() {
  const asked = { count: 0 }
  const verify = async (signers: BlsSigners[], signature: Uint8Array): Promise<boolean> => {
    asked.count += 1
    return blsAggregateVerify(signers, signature)
  }
  return { asked, verify }
}

describe('signatures that are verified ahead', function () {
  it('are known, right or wrong, and asked for once', async () => {
    const thread = counting()
    const verifier = new SignatureVerifier(thread)
    const [right, wrong] = [claim(0), claim(1, blsSign(blsSecret(2), message))]
    await verifier.verifyAhead([right, wrong])
    await verifier.verifyAhead([right, wrong])
    expect(thread.asked.count).to.equal(2)
    expect(verifier.verify(right)).to.equal(true)
    expect(verifier.verify(wrong)).to.equal(false)
    expect(verifier.verify(claim(2))).to.equal(true)
  })

  it('are those of a block that comes next, so that its push need not verify', async () => {
    const maker = await openNode([0])
    const taker = await openNode()
    boot(maker, [0])
    const blocks = [2, 3, 4].map((num) => maker.test.chain.packedBlockByNumber(num)!.slice())
    for (let i = 0; i < 3; i++) blocks.push((await makeBlock(maker)).packed_block.slice())
    taker.test.setTime(maker.test.head.timestamp)
    for (const block of blocks) {
      await taker.test.chain.prepareBlock(block)
      taker.test.chain.pushBlock(block)
    }
    expect(taker.test.head.key).to.equal(maker.test.head.key)
    // Of nonsense there is nothing to prepare.
    await taker.test.chain.prepareBlock(blocks[5]!.slice(0, 90))
    await taker.test.chain.prepareBlock(new Uint8Array(0))
  })
})

describe('the thread for BLS', function () {
  it('signs and verifies as this one does', async () => {
    const thread = new BlsThread()
    const signature = await thread.sign(blsSecret(0), message)
    expect(signature).to.deep.equal(blsSign(blsSecret(0), message))
    const { signers } = claim(0, signature)
    expect(await thread.verify(signers, signature)).to.equal(true)
    expect(await thread.verify(signers, claim(1).signature)).to.equal(false)
    await thread.close()
  })

  it('reports the error of a request, and continues', async () => {
    const thread = new BlsThread()
    await thread.sign(new Uint8Array(32), message).then(
      () => expect.fail('it signed'),
      (error: Error) => expect(error.message).to.include('out of range'),
    )
    expect(await thread.sign(blsSecret(0), message)).to.have.length(192)
    await thread.close()
  })

  it('is one of several, of which the one with the fewest requests is asked', async () => {
    const threads = new BlsThreads(2)
    const signatures = await Promise.all([0, 1, 2].map((i) => threads.sign(blsSecret(i), message)))
    for (const [i, signature] of signatures.entries()) {
      expect(signature).to.deep.equal(blsSign(blsSecret(i), message))
      const { signers } = claim(i, signature)
      expect(await threads.verify(signers, signature)).to.equal(true)
    }
    await threads.close()
  })

  it('leaves its work to the caller when it ends', async () => {
    const thread = new BlsThread()
    const pending = thread.sign(blsSecret(0), message)
    await thread.close()
    expect(await pending).to.deep.equal(blsSign(blsSecret(0), message))
    expect(await thread.sign(blsSecret(1), message)).to.have.length(192)
  })
})
