/** A finalizer votes on recent blocks alone. spring: block_state::is_recent */
import { expect } from 'chai'
import type { BlockState } from '../../../../src/engine/chain/headers/block_state.ts'
import { voteOn } from '../../../../src/engine/chain/voting/consider_voting.ts'
import type { VotingChain } from '../../../../src/engine/chain/voting/finality_parts.ts'
import { slotToUs } from '../../../../src/engine/protocol/time.ts'

const SLOT = 1_600_000_000
const LIMIT_US = 30_000_000

describe('the age of a block that finalizers vote on', () => {
  /** Whether they vote on a block that is so old. */
  function votes(age_us: number): boolean {
    let voted = false
    const chain = {
      finality: { voter: { vote: () => (voted = true) } },
      now: () => slotToUs(SLOT) + age_us,
    } as unknown as VotingChain
    voteOn(chain, { is_proper_savanna: true, timestamp: SLOT } as unknown as BlockState)
    return voted
  }

  it('is less than thirty seconds', () => {
    expect(votes(0)).equal(true)
    expect(votes(LIMIT_US - 1)).equal(true)
    expect(votes(LIMIT_US)).equal(false)
    expect(votes(LIMIT_US + 1)).equal(false)
  })
})
