import { expect } from 'chai'
import { BackgroundSteps } from '../../../src/engine/warm_up/background_steps.ts'
import { TestNode } from '../../support/test_node.ts'

describe('the start of a node', () => {
  /** How often work in the background is begun by a node with this option. */
  async function begun(option: string): Promise<number> {
    const { run } = BackgroundSteps.prototype
    let count = 0
    BackgroundSteps.prototype.run = () => void count++
    try {
      const node = await TestNode.start({ argv: [option] })
      await node.stop()
    } finally {
      BackgroundSteps.prototype.run = run
    }
    return count
  }

  // In this order: a process warms up once.
  it('warms up, unless warm-up is false', async () => {
    expect(await begun('--warm-up=false')).equal(0)
    expect(await begun('--warm-up=true')).equal(2)
  })
})
