import { expect } from 'chai'
import { EMPTY_REF } from '../../../../src/engine/chain/headers/savanna/finality_core.ts'
import {
  UNSET_SAFETY,
  decideVote,
  learnStrongVote,
} from '../../../../src/engine/chain/voting/finalizer_safety.ts'
import type { FinalizerSafety } from '../../../../src/engine/chain/voting/finalizer_safety.ts'
import {
  packSafetyFile,
  unpackSafetyFile,
} from '../../../../src/engine/chain/voting/safety_file.ts'
import { makeBlockRef } from '../../../../src/engine/chain/headers/savanna/header_state.ts'
import { ChainError } from '../../../../src/engine/errors.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { blsKey, genesisState, nextState, policyOf, strong, weak } from './support.ts'

const b1 = genesisState(policyOf(1, [0]))
const b2 = nextState(b1, weak(1))
const b3 = nextState(b2, strong(2))
const b4 = nextState(b3, strong(3))

/** What a finalizer has when Savanna begins with block 1. */
const start: FinalizerSafety = {
  last_vote: makeBlockRef(b1),
  lock: makeBlockRef(b1),
  other_branch_latest_time: 0,
}

describe('decisions of a finalizer', () => {
  it('vote strong along one branch, and lock what has a certificate', () => {
    let safety = start
    for (const block of [b2, b3, b4]) {
      const result = decideVote(safety, block)
      expect(result.decision).to.equal('strong')
      safety = result.safety
      expect(safety.last_vote.block_id).to.equal(block.id)
    }
    expect(safety.lock.block_id).to.equal(b3.id)
  })

  it('vote once for a slot, and never for an earlier one', () => {
    const { safety } = decideVote(start, b3)
    expect(decideVote(safety, b3).decision).to.equal('no_vote')
    expect(decideVote(safety, b2).decision).to.equal('no_vote')
    expect(decideVote(safety, nextState(b2, strong(2), { mark: 1 })).decision).to.equal('no_vote')
  })

  it('need a lock', () => {
    expect(decideVote(UNSET_SAFETY, b2)).to.deep.equal({
      decision: 'no_vote',
      safety: UNSET_SAFETY,
    })
    const locked = { ...UNSET_SAFETY, lock: makeBlockRef(b1) }
    expect(decideVote(locked, b2).decision).to.equal('strong')
  })

  it('vote weak on another branch that others left behind, and strong once it is behind', () => {
    // Voted for block 2, then sees a branch from block 1 without it, later in time.
    let { safety } = decideVote(start, b2)
    const other2 = nextState(b1, weak(1), { slot: 105, mark: 1 })
    const switched = decideVote(safety, other2)
    expect(switched.decision).to.equal('weak')
    expect(switched.safety.other_branch_latest_time).to.equal(b2.header.timestamp)
    expect(switched.safety.lock).to.equal(safety.lock)
    safety = switched.safety
    // A weak certificate for block 2' claims a time after the vote on the branch that was left.
    const other3 = nextState(other2, weak(2), { slot: 106 })
    const after = decideVote(safety, other3)
    expect(after.decision).to.equal('strong')
    expect(after.safety.other_branch_latest_time).to.equal(0)
  })

  it('stay weak while the branch could still conflict', () => {
    const { safety } = decideVote(
      decideVote(start, b2).safety,
      nextState(b1, weak(1), { slot: 105, mark: 1 }),
    )
    const other2 = nextState(b1, weak(1), { slot: 105, mark: 1 })
    // Extends the last vote, but claims no certificate that is newer than the vote for block 2.
    const other3 = nextState(other2, weak(1), { slot: 106 })
    const result = decideVote(safety, other3)
    expect(result.decision).to.equal('weak')
    expect(result.safety.other_branch_latest_time).to.equal(b2.header.timestamp)
  })

  it('do not vote for a branch that conflicts with the lock, unless it shows a newer certificate', () => {
    const { safety } = decideVote(start, b4)
    expect(safety.lock.block_id).to.equal(b3.id)
    const other3 = nextState(b2, strong(2), { slot: 110, mark: 1 })
    expect(decideVote(safety, other3).decision).to.equal('no_vote')
    const other4 = nextState(other3, strong(3), { slot: 111 })
    expect(decideVote(safety, other4).decision).to.equal('strong')
  })

  it('learn from certificates of votes that this node does not know of', () => {
    const learned = learnStrongVote(start, b4)!
    expect(learned.lock.block_id).to.equal(b3.id)
    expect(learned.last_vote.block_id).to.equal(b4.id)
    expect(learnStrongVote(learned, b4)).to.equal(undefined)
    expect(learnStrongVote(learned, b3)).to.equal(undefined)
    expect(learnStrongVote(start, b1)).to.equal(undefined)
  })
})

describe('the safety file', () => {
  const record = (seed: number, safety: FinalizerSafety) => ({ public_key: blsKey(seed), safety })
  const { safety } = decideVote(start, b4)
  const bytes = packSafetyFile([record(1, start)], [record(2, safety), record(0, UNSET_SAFETY)])

  it('keeps everything that decisions depend on', () => {
    const records = unpackSafetyFile(bytes, 'file')
    expect(records.size).to.equal(3)
    const again = records.get(toHex(blsKey(2)))!.safety
    expect(toHex(again.lock.block_id)).to.equal(toHex(b3.id))
    expect(again.last_vote.timestamp).to.equal(b4.header.timestamp)
    expect(records.get(toHex(blsKey(0)))!.safety).to.deep.equal(UNSET_SAFETY)
    expect(EMPTY_REF.timestamp).to.equal(0)
    const next = nextState(b4, strong(4))
    expect(decideVote(again, next).decision).to.equal(decideVote(safety, next).decision)
  })

  it("has the reference's form", () => {
    // Magic number, version 1, three finalizers, then 97 bytes of key and 140 of safety each.
    const head = '1111fe5a1111fe5a' + '0100000000000000' + '0300000000000000'
    expect(toHex(bytes.subarray(0, 24))).to.equal(head)
    expect(bytes).to.have.length(24 + 3 * (97 + 140) + 4)
    expect(toHex(bytes.subarray(24, 25 + 96))).to.equal(`60${toHex(blsKey(1))}`)
    const keys = [25 + 237, 25 + 2 * 237].map((at) => toHex(bytes.subarray(at, at + 96)))
    expect(keys).to.deep.equal([toHex(blsKey(0)), toHex(blsKey(2))].sort())
  })

  it('is refused when it differs from what was written', () => {
    const refused = (change: (b: Uint8Array) => Uint8Array): string => {
      try {
        unpackSafetyFile(change(bytes.slice()), 'file')
      } catch (error) {
        expect((error as ChainError).errorName).to.equal('finalizer_safety_exception')
        return (error as ChainError).message
      }
      return expect.fail('it was taken')
    }
    const flip = (at: number) => (b: Uint8Array) => {
      b[at]! ^= 1
      return b
    }
    expect(refused(flip(0))).to.include('bad magic number')
    expect(refused(flip(9))).to.include('Incorrect version number')
    expect(refused(flip(300))).to.include('bad checksum')
    expect(refused((b) => b.subarray(0, 400))).to.include('corrupted')
    expect(refused((b) => b.subarray(0, 4))).to.include('corrupted')
  })
})
