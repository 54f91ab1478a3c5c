import { expect } from 'chai'
import { isStrong } from '../../../../src/engine/chain/headers/savanna/quorum_certificate.ts'
import { extractBlockExtensions } from '../../../../src/engine/protocol/block_extension.ts'
import type { QuorumCertificate } from '../../../../src/engine/protocol/finality.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import type { BlockState } from '../../../../src/engine/chain/headers/block_state.ts'
import { boot, give, giveVotes, makeBlock, openNode } from '../support/savanna_chain.ts'
import type { SavannaNode } from '../support/savanna_chain.ts'
import { blsKey } from './support.ts'

const certificateOf = (block: BlockState): QuorumCertificate | undefined =>
  extractBlockExtensions(block.block.block_extensions).quorum_certificate

/** A maker without finalizers, and nodes with one each; all have the same four blocks. */
async function network(count: number): Promise<[SavannaNode, SavannaNode[]]> {
  const seeds = Array.from({ length: count }, (_, i) => i)
  const maker = await openNode()
  boot(maker, seeds)
  const nodes = await Promise.all(seeds.map((seed) => openNode([seed])))
  const blocks = [2, 3, 4].map((num) => maker.test.chain.packedBlockByNumber(num)!)
  for (const { test } of nodes) {
    for (const block of blocks) {
      test.setTime(maker.test.head.timestamp)
      test.chain.pushBlock(block.slice())
    }
    expect(test.head.leads_to_savanna).to.equal(true)
  }
  return [maker, nodes]
}

/** A block of the maker, which all these nodes get and vote on. */
async function round(maker: SavannaNode, nodes: SavannaNode[]): Promise<BlockState> {
  const block = await makeBlock(maker)
  for (const node of nodes) await give(node, block)
  await giveVotes(maker, ...nodes)
  return block
}

describe('nodes with finalizers', function () {
  it('make blocks final two blocks behind, all at the same', async () => {
    const [maker, nodes] = await network(3)
    const made: BlockState[] = []
    for (let i = 0; i < 5; i++) made.push(await round(maker, nodes))
    const qc = certificateOf(made[4]!)!
    expect(qc.block_num).to.equal(made[3]!.block_num)
    expect(isStrong(qc)).to.equal(true)
    expect(qc.active_policy_sig.strong_votes!.blocks[0]).to.equal(0b111)
    for (const { test } of [maker, ...nodes]) {
      expect(test.head.key).to.equal(made[4]!.key)
      expect(test.chain.last_irreversible.key).to.equal(made[2]!.key)
    }
  })

  it('need a quorum: without it nothing becomes final, with it everything does at once', async () => {
    const [maker, [a, b, c]] = await network(3)
    const blocks: BlockState[] = []
    for (let i = 0; i < 3; i++) blocks.push(await round(maker, [a!, b!]))
    expect(certificateOf(blocks.at(-1)!)).to.equal(undefined)
    expect(maker.test.chain.last_irreversible.block_num).to.equal(3)
    await give(c!, ...blocks)
    await giveVotes(maker, c!)
    for (let i = 0; i < 2; i++) blocks.push(await round(maker, [a!, b!, c!]))
    expect(certificateOf(blocks[3]!)!.block_num).to.equal(blocks[2]!.block_num)
    expect(maker.test.chain.last_irreversible.block_num).to.equal(blocks[2]!.block_num)
  })

  it('take votes once, from finalizers of the policy, with right signatures', async () => {
    const [maker, nodes] = await network(2)
    const block = await makeBlock(maker)
    await give(nodes[0]!, block)
    const [vote] = nodes[0]!.votes
    const { chain } = maker.test
    const bent = { ...vote!, signature: vote!.signature.slice() }
    bent.signature[0]! ^= 1
    expect(await chain.receiveVote(bent)).to.equal('invalid_signature')
    expect(await chain.receiveVote({ ...vote!, strong: false })).to.equal('invalid_signature')
    expect(await chain.receiveVote({ ...vote!, finalizer_key: blsKey(7) })).to.equal(
      'unknown_public_key',
    )
    const nowhere = { ...vote!, block_id: new Uint8Array(32) }
    expect(await chain.receiveVote(nowhere)).to.equal('unknown_block')
    expect(await chain.receiveVote(vote!)).to.equal('success')
    expect(await chain.receiveVote(vote!)).to.equal('duplicate')
  })

  it('vote weak after they voted on a branch that lost, and strong again later', async () => {
    const [maker, nodes] = await network(2)
    const [a, b] = nodes as [SavannaNode, SavannaNode]
    for (let i = 0; i < 3; i++) await round(maker, nodes)
    // A rival makes a block of its own, on which only one of the two votes.
    const rival = await openNode()
    for (let num = 2; num <= maker.test.head.block_num; num++) {
      rival.test.setTime(maker.test.head.timestamp)
      rival.test.chain.pushBlock(maker.test.chain.packedBlockByNumber(num)!.slice())
    }
    const lost = await makeBlock(rival)
    await give(b, lost)
    b.votes.splice(0)
    const won = await makeBlock(maker, 1)
    await give(a, won)
    await give(b, won)
    expect(b.test.head.key).to.equal(won.key)
    expect(b.votes.map(({ strong }) => strong)).to.deep.equal([false])
    await giveVotes(maker, a, b)
    const next = await makeBlock(maker)
    const qc = certificateOf(next)!
    expect(isStrong(qc)).to.equal(false)
    expect(qc.active_policy_sig.strong_votes!.blocks[0]).to.equal(0b01)
    expect(qc.active_policy_sig.weak_votes!.blocks[0]).to.equal(0b10)
    await give(a, next)
    await give(b, next)
    // The certificate was weak, but it is for a later block than the one that lost.
    expect(b.votes.map(({ strong }) => strong)).to.deep.equal([true])
    await giveVotes(maker, a, b)
    for (let i = 0; i < 2; i++) await round(maker, nodes)
    expect(maker.test.chain.last_irreversible.block_num).to.be.above(won.block_num)
    expect(b.test.chain.last_irreversible.key).to.equal(maker.test.chain.last_irreversible.key)
  })

  it('follow the branch with the later certificate, not the longer one', async () => {
    const [maker, nodes] = await network(2)
    for (let i = 0; i < 3; i++) await round(maker, nodes)
    const rival = await openNode()
    for (let num = 2; num <= maker.test.head.block_num; num++) {
      rival.test.setTime(maker.test.head.timestamp)
      rival.test.chain.pushBlock(maker.test.chain.packedBlockByNumber(num)!.slice())
    }
    const watcher = await openNode()
    for (let num = 2; num <= maker.test.head.block_num; num++) {
      watcher.test.setTime(maker.test.head.timestamp)
      watcher.test.chain.pushBlock(maker.test.chain.packedBlockByNumber(num)!.slice())
    }
    const long = [await makeBlock(rival), await makeBlock(rival), await makeBlock(rival)]
    // The maker's branch is shorter and earlier, but has a certificate that the other lacks.
    const short = await makeBlock(maker)
    await give(watcher, ...long)
    expect(watcher.test.head.key).to.equal(long[2]!.key)
    await give(watcher, short)
    expect(certificateOf(short)!.block_num).to.equal(short.block_num - 1)
    expect(watcher.test.head.key).to.equal(short.key)
    const { chain } = watcher.test
    expect(chain.db.revision).to.equal(short.block_num)
    // Without certificates the later block wins.
    const other = await openNode()
    for (let num = 2; num < short.block_num; num++) {
      other.test.setTime(maker.test.head.timestamp)
      other.test.chain.pushBlock(maker.test.chain.packedBlockByNumber(num)!.slice())
    }
    await give(other, long[0]!)
    const sibling = await makeBlock(watcher, 3)
    await give(other, short, sibling)
    expect(other.test.head.key).to.equal(sibling.key)
  })

  it('learn from certificates, when they have lost what they knew', async () => {
    const [maker, nodes] = await network(2)
    for (let i = 0; i < 4; i++) await round(maker, nodes)
    const again = await openNode([0])
    for (let num = 2; num <= maker.test.head.block_num; num++) {
      // Old blocks are not voted on.
      again.test.setTime(maker.test.head.timestamp + 100)
      again.test.chain.pushBlock(maker.test.chain.packedBlockByNumber(num)!.slice())
    }
    await again.test.chain.voted()
    expect(again.votes).to.deep.equal([])
    const block = await makeBlock(maker, 100)
    await give(again, block)
    expect(again.votes.map((vote) => toHex(vote.block_id))).to.deep.equal([block.key])
    expect(again.votes[0]!.strong).to.equal(true)
  })
})
