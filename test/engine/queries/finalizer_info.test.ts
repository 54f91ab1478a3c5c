import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { Chain } from '../../../src/engine/chain/chain.ts'
import { slotToUs } from '../../../src/engine/protocol/time.ts'
import { getFinalizerInfo } from '../../../src/engine/queries/finalizer_info.ts'
import { RECORDED_LOG, readRecordedChain } from '../chain/support/recorded_chain.ts'
import { ForgetfulStore, INLINE_BLS } from '../chain/support/test_chain.ts'

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

describe('queries: finalizer info', () => {
  const { blocks } = readRecordedChain(RECORDED_LOG)

  /** The chain at a block, whose last blocks came in one by one when they were made. */
  async function openAt(block_num: number): Promise<Chain> {
    const now_us = slotToUs(blocks[block_num - 1]!.block.timestamp)
    const chain = await Chain.open(
      { replay: RECORDED_LOG, terminate_at_block: block_num - 3 },
      { store: new ForgetfulStore(), now: () => now_us, bls: INLINE_BLS },
    )
    for (let i = block_num - 3; i < block_num; i++) chain.pushBlock(blocks[i]!.packed)
    expect(chain.head.block_num).to.equal(block_num)
    return chain
  }

  it('answers as the reference did, with the last votes', async () => {
    const answers = recordedAnswers().filter(({ last_tracked_votes: [vote] }) => vote)
    expect(answers).to.have.length(2)
    for (const answer of answers) {
      // The votes on a block came with the next one.
      const chain = await openAt(answer.last_tracked_votes[0]!.voted_for_block_num + 1)
      expect(getFinalizerInfo(chain)).to.deep.equal(answer)
      await chain.close()
    }
  })

  it('has nothing to say before the transition ended', async () => {
    const nothing = {
      active_finalizer_policy: null,
      pending_finalizer_policy: null,
      last_tracked_votes: [],
    }
    for (const block_num of [39, 40, 59]) {
      const chain = await openAt(block_num)
      expect(getFinalizerInfo(chain)).to.deep.equal(nothing)
      await chain.close()
    }
  })

  it('tells the policy from the end of the transition on, and the pending one', async () => {
    let chain = await openAt(60)
    expect(getFinalizerInfo(chain).active_finalizer_policy).to.include({ generation: 1 })
    await chain.close()
    chain = await openAt(69)
    expect(getFinalizerInfo(chain).pending_finalizer_policy).to.include({ generation: 2 })
    await chain.close()
  })
})
