import { expect } from 'chai'
import { findLostBlocks } from '../../../../src/engine/chain/startup/lost_blocks.ts'
import type { KnownBlocks } from '../../../../src/engine/chain/startup/lost_blocks.ts'
import { TestChain } from '../support/test_chain.ts'

describe('lost blocks', () => {
  it('are none where the log has the blocks between the state and the reversible ones', async () => {
    const test = await TestChain.open()
    const blocks = [1, 2, 3, 4].map(() => test.produce())
    const [first, , third, last] = blocks
    const archive = {
      head_block_num: third!.block_num,
      read: (block_num: number) => blocks.find((b) => b.block_num === block_num)?.packed_block,
    } as KnownBlocks['archives'][number]
    const known = {
      head: first!,
      announced: last!.id,
      archives: [archive],
      journal: [{ packed: last!.packed_block }] as unknown as KnownBlocks['journal'],
      foreign: undefined,
      safety: undefined,
    }
    expect(findLostBlocks(known)).deep.equal([])
    const [gap] = findLostBlocks({ ...known, archives: [] })
    expect(gap).match(new RegExp(`block ${last!.block_num} .*block ${third!.block_num} `))
    await test.chain.close()
  })
})
