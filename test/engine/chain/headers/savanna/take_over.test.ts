import { expect } from 'chai'
import { takeOver } from '../../../../../src/engine/chain/headers/take_over.ts'
import { boot, makeBlock, openNode } from '../../support/savanna_chain.ts'
import { blsKey } from '../../voting/support.ts'

describe('finalizers that take over', () => {
  it('need more than two thirds of them', async () => {
    const node = await openNode([0])
    boot(node, [0])
    const { savanna_state: savanna } = await makeBlock(node)
    const thresholds = [1, 2, 3, 4, 5, 6].map((count) => {
      const finalizers = Array.from({ length: count }, (_, seed) => blsKey(seed))
      const states = takeOver({ legacy: undefined, savanna }, { producers: [], finalizers })
      return states.savanna!.active_finalizer_policy.threshold
    })
    expect(thresholds).deep.equal([1n, 2n, 3n, 3n, 4n, 5n])
    await node.test.chain.close()
  })
})
