import { expect } from 'chai'
import fc from 'fast-check'
import {
  blockReference,
  currentBlockNum,
  extendsBlock,
  isGenesisBlockNum,
  lastFinalBlockNum,
  lastFinalTimestamp,
  latestQcClaim,
  latestQcTimestamp,
  packCore,
  reversibleBlocksRoot,
  unpackCore,
} from '../../../../../src/engine/chain/headers/savanna/finality_core.ts'
import type {
  BlockRef,
  FinalityCore,
} from '../../../../../src/engine/chain/headers/savanna/finality_core.ts'
import type { SavannaHeaderState } from '../../../../../src/engine/chain/headers/savanna/header_state.ts'
import { sha256 } from '../../../../../src/engine/crypto/hash.ts'
import { savannaMerkle } from '../../../../../src/engine/crypto/merkle.ts'
import { blockNumFromId } from '../../../../../src/engine/protocol/block.ts'
import { Reader } from '../../../../../src/engine/protocol/reader.ts'
import { packOne, Writer } from '../../../../../src/engine/protocol/writer.ts'
import {
  comparable,
  genesisState,
  nextState,
  policyOf,
  strong,
  weak,
} from '../../voting/support.ts'

const first = genesisState(policyOf(1, [0]))

/** What a core keeps for digests is what follows from its refs. */
function expectRebuilt(core: FinalityCore): void {
  const rebuilt = unpackCore(new Reader(packOne(packCore, core)))
  expect(comparable(rebuilt)).to.deep.equal(comparable(core))
}

/** The root of the blocks after the last final one, with the hash of each computed anew. */
function merkleOf(refs: readonly BlockRef[]): Uint8Array {
  const leaves = refs.slice(1).map(({ block_id, timestamp, finality_digest }, i) => {
    const w = new Writer()
    w.u32(blockNumFromId(block_id))
    w.u32(timestamp)
    w.raw(finality_digest)
    w.u32(refs[i]!.timestamp)
    return sha256(w.bytes())
  })
  return savannaMerkle(leaves)
}

describe('the finality core', () => {
  it('begins with a block that is final itself', () => {
    const { core } = first
    expect(currentBlockNum(core)).to.equal(1)
    expect(lastFinalBlockNum(core)).to.equal(1)
    expect(lastFinalTimestamp(core)).to.equal(100)
    expect(latestQcClaim(core)).to.deep.equal(weak(1))
    expect(latestQcTimestamp(core)).to.equal(100)
    expect(isGenesisBlockNum(core, 1)).to.equal(true)
  })

  it('makes final what a block with a strong certificate claimed: two chained claims', () => {
    const b2 = nextState(first, weak(1))
    const b3 = nextState(b2, strong(2))
    expect(lastFinalBlockNum(b3.core)).to.equal(1)
    const b4 = nextState(b3, strong(3))
    expect(lastFinalBlockNum(b4.core)).to.equal(2)
    expect(latestQcTimestamp(b4.core)).to.equal(102)
    expect(b4.core.refs.toArray().map((ref) => ref.timestamp)).to.deep.equal([101, 102])
    expect(isGenesisBlockNum(b4.core, 2)).to.equal(false)
  })

  it('goes no further with weak certificates, or with none', () => {
    const b2 = nextState(first, weak(1))
    const b3 = nextState(b2, weak(2))
    const b4 = nextState(b3, weak(3))
    const b5 = nextState(b4, weak(3))
    expect(lastFinalBlockNum(b5.core)).to.equal(1)
    // A strong certificate for a block that claimed an earlier one weakly does.
    const b6 = nextState(b5, strong(4))
    expect(lastFinalBlockNum(b6.core)).to.equal(3)
  })

  it('knows its ancestors back to the last final one', () => {
    const b2 = nextState(first, weak(1))
    const b3 = nextState(b2, strong(2))
    const other = nextState(b2, strong(2), { mark: 1 })
    const b4 = nextState(b3, strong(3))
    expect(extendsBlock(b4.core, b3.id)).to.equal(true)
    expect(extendsBlock(b4.core, other.id)).to.equal(false)
    expect(extendsBlock(b4.core, b4.id)).to.equal(false)
    expect(extendsBlock(b4.core, first.id)).to.equal(false)
    expect(() => blockReference(b4.core, 1)).to.throw('not in the finality core')
  })

  it('keeps its invariants whatever is claimed', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3), fc.boolean()), { maxLength: 20 }), (steps) => {
        let state = nextState(first, weak(1))
        for (const [ahead, is_strong_qc] of steps) {
          const { core } = state
          const latest = latestQcClaim(core)
          const block_num = Math.min(latest.block_num + ahead, currentBlockNum(core))
          const same = block_num === latest.block_num
          const claim = same ? latest : { block_num, is_strong_qc }
          const next = nextState(state, claim)
          const links = next.core.links.toArray()
          const refs = next.core.refs.toArray()
          const final = lastFinalBlockNum(next.core)
          expect(latestQcClaim(next.core)).to.deep.equal(claim)
          expect(final).to.be.at.least(lastFinalBlockNum(core)).and.at.most(claim.block_num)
          expect(refs).to.have.length(currentBlockNum(next.core) - final)
          links.slice(1).forEach((link, i) => {
            expect(link.source_block_num).to.equal(links[i]!.source_block_num + 1)
            expect(link.target_block_num).to.be.at.least(links[i]!.target_block_num)
          })
          expectRebuilt(next.core)
          expect(reversibleBlocksRoot(next.core)).to.deep.equal(merkleOf(refs))
          state = next
        }
      }),
      { numRuns: 30 },
    )
  })

  it('is not read without a link', () => {
    expect(() => unpackCore(new Reader(new Uint8Array(6)))).to.throw('no link')
  })

  it('shares bytes between the blocks of all branches, which none of them changes', () => {
    const branch = (from: SavannaHeaderState, count: number, mark: number) => {
      const states: SavannaHeaderState[] = []
      for (let i = 0, state = from; i < count; i++) {
        // Each second block makes an earlier one final.
        const latest = latestQcClaim(state.core)
        const claim = i % 2 === 0 ? latest : strong(currentBlockNum(state.core))
        states.push((state = nextState(state, claim, { mark })))
      }
      return states
    }
    const trunk = branch(nextState(first, weak(1)), 12, 0)
    const branches = trunk.flatMap((state, i) => branch(state, 10, i + 1))
    for (const { core } of [...trunk, ...branches]) expectRebuilt(core)
  })
})
