import { expect } from 'chai'
import { WaitingVotes, type WaitingVote } from '../../src/net/waiting_votes.ts'

const SECOND_US = 1_000_000
const MOST = 2500

function vote(session: number, block = 1, received_us = 0): WaitingVote {
  const block_id = new Uint8Array(32).fill(block)
  return { session, block_id, received_us, retry: () => Promise.resolve() }
}

const id = (block: number) => vote(0, block).block_id

describe('votes that came before their blocks', () => {
  it('wait for their block, in the order in which they came, and for five seconds', () => {
    const votes = new WaitingVotes()
    const first = vote(1)
    const second = vote(2, 1, SECOND_US)
    for (const one of [first, vote(1, 2), second]) expect(votes.add(one)).equal(true)
    expect(votes.take(id(1), 2 * SECOND_US)).deep.equal([first, second])
    expect(votes.take(id(1), 2 * SECOND_US)).deep.equal([])
    expect(votes.size).equal(1)
    expect(votes.take(id(2), 5 * SECOND_US)).deep.equal([])
    expect(votes.size).equal(0)
  })

  it('of a peer that sends too many are all dropped, and those of others stay', () => {
    const votes = new WaitingVotes()
    votes.add(vote(2))
    for (let i = 0; i < MOST; i++) expect(votes.add(vote(1))).equal(true)
    expect(votes.add(vote(1))).equal(false)
    expect(votes.size).equal(1)
  })

  it('of connections that ended are not counted any more, so that many short ones need no memory', () => {
    const votes = new WaitingVotes()
    votes.add(vote(1))
    for (let session = 2; session < 100; session++) {
      votes.add(vote(session))
      votes.drop(session)
    }
    expect(votes.size).equal(1)
    expect(votes.counted_sessions).equal(1)
  })

  it('count until their block came; a peer whose votes all found theirs may send more', () => {
    const votes = new WaitingVotes()
    votes.add(vote(2, 9))
    for (let i = 0; i < MOST; i++) votes.add(vote(1, 1))
    expect(votes.take(id(1), 0)).have.length(MOST)
    for (let i = 0; i < MOST; i++) expect(votes.add(vote(1, 2))).equal(true)
    expect(votes.add(vote(1, 2))).equal(false)
  })

  it('that were dropped because they are old count until none waits', () => {
    const votes = new WaitingVotes()
    for (let i = 0; i < MOST; i++) votes.add(vote(1, 1))
    votes.add(vote(2, 2, 5 * SECOND_US))
    expect(votes.size).equal(1)
    expect(votes.add(vote(1, 1, 5 * SECOND_US))).equal(false)
    expect(votes.take(id(2), 5 * SECOND_US)).have.length(1)
    expect(votes.size).equal(0)
    expect(votes.add(vote(1, 1, 5 * SECOND_US))).equal(true)
    expect(votes.counted_sessions).equal(1)
  })
})
