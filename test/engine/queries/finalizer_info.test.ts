import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { Chain } from '../../../src/engine/chain/chain.ts'
import { slotToUs } from '../../../src/engine/protocol/time.ts'
import { getFinalizerInfo } from '../../../src/engine/queries/finalizer_info.ts'
import { RECORDED_LOG, readRecordedChain } from '../chain/support/recorded_chain.ts'
import { NoStore } from '../../../src/engine/store/no_store.ts'
import { INLINE_BLS } from '../chain/support/test_chain.ts'

interface Answer {
  active_finalizer_policy: unknown
  last_tracked_votes: { voted_for_block_num: number }[]
}

/** What the reference answered while the chain was made. */
function recordedAnswers(): Answer[] {
  const live = new URL('../../fixtures/recordings/one/live.jsonl.gz', import.meta.url)
  return gunzipSync(readFileSync(live))
    .toString()
    .split('\n')
    .filter((line) => line.includes('get_finalizer_info'))
    .map((line) => JSON.parse((JSON.parse(line) as { response: string }).response) as Answer)
}

/** A block after the transition to Savanna. */
const LAST = 73

describe('queries: finalizer info', () => {
  /** What a node returns at each block, when that block has just been made. */
  const at = new Map<number, unknown>()

  before(async () => {
    const { genesis, blocks } = readRecordedChain(RECORDED_LOG)
    let now_us = genesis.initial_timestamp
    const chain = await Chain.open(
      { genesis },
      { store: new NoStore(), now: () => now_us, bls: INLINE_BLS },
    )
    for (const { block, packed } of blocks.slice(1, LAST)) {
      now_us = slotToUs(block.timestamp)
      chain.pushBlock(packed)
      at.set(chain.head.block_num, getFinalizerInfo(chain))
    }
    await chain.close()
  })

  it('answers as the reference did, with the last votes', () => {
    const answers = recordedAnswers().filter(({ last_tracked_votes: [vote] }) => vote)
    expect(answers).to.have.length(2)
    for (const answer of answers) {
      // The votes on a block came with the next one.
      const block_num = answer.last_tracked_votes[0]!.voted_for_block_num + 1
      expect(at.get(block_num)).to.deep.equal(answer)
    }
  })

  it('has nothing to say before the transition ended', () => {
    const nothing = {
      active_finalizer_policy: null,
      pending_finalizer_policy: null,
      last_tracked_votes: [],
    }
    for (const block_num of [39, 40, 59]) expect(at.get(block_num)).to.deep.equal(nothing)
  })

  it('returns the policy from the end of the transition on, and the pending one', () => {
    expect(at.get(60)).nested.include({ 'active_finalizer_policy.generation': 1 })
    expect(at.get(69)).nested.include({ 'pending_finalizer_policy.generation': 2 })
  })
})
