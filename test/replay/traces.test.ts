/**
 * The recorded chain lived through again: every recorded transaction, the failed ones too, is run
 * where it ran then, and its trace must be the recorded one: order of actions, receipts with every
 * sequence and digest, console, return values, RAM, errors.
 */
import { expect } from 'chai'
import { readRecordedChain, RECORDED_LOG } from '../engine/chain/support/recorded_chain.ts'
import { withoutAccepted } from './support/accepted_differences.ts'
import { ChainAgain } from './support/chain_again.ts'
import { firstDifference } from './support/first_difference.ts'
import { recordedRuns } from './support/recording.ts'

/** It succeeded in a block that was never made, because the node was paused. */
const NOWHERE = ['speculative while paused']

describe('recorded transactions', () => {
  it('leave the recorded traces when they are run again', async () => {
    const { genesis, blocks } = readRecordedChain(RECORDED_LOG)
    const again = await ChainAgain.open(genesis)
    const left = new Set(recordedRuns())
    const differences: string[] = []
    const nowhere: string[] = []
    for (const { block } of blocks.slice(1)) {
      const block_num = again.chain.head.block_num + 1
      again.begin(block)
      for (const run of left) {
        if (run.trace.block_num !== block_num) continue
        left.delete(run)
        const ours = again.run(block, run)
        if (ours === undefined) nowhere.push(run.note)
        else {
          const difference = firstDifference(withoutAccepted(ours), withoutAccepted(run.trace))
          if (difference) differences.push(`block ${block_num}, ${run.note}: ${difference}`)
        }
      }
      again.end(block)
    }
    expect(differences).to.deep.equal([])
    expect(nowhere).to.deep.equal(NOWHERE)
    expect([...left].map(({ note }) => note)).to.deep.equal([])
    await again.chain.close()
  })
})
