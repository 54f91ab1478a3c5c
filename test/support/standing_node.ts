import { expect } from 'chai'
import { fingerprintOf } from './fingerprint.ts'
import { ManualClock } from './manual_clock.ts'
import { TestNode } from './test_node.ts'
import { until } from './wait.ts'

/** A node that stands in the middle of a block until a test lets it go on. */
export class StandingNode {
  readonly node: TestNode
  private readonly clock: ManualClock

  private constructor(node: TestNode, clock: ManualClock) {
    this.node = node
    this.clock = clock
  }

  static async start(argv: readonly string[] = []): Promise<StandingNode> {
    const clock = new ManualClock()
    const standing = new StandingNode(await TestNode.start({ argv, clock }), clock)
    await standing.produce()
    return standing
  }

  /** Lets the node finish a block and begin the next. */
  async produce(): Promise<void> {
    const { node } = this
    const before = node.head_block_num
    await until('a block', () => {
      this.clock.fire()
      return node.head_block_num > before
    })
    await until('the next block is begun', () => {
      if (node.engine.chain.pending) return true
      this.clock.fire()
      return undefined
    })
  }

  /** One text for everything that a request may not change unless it succeeds. */
  get fingerprint(): string {
    return JSON.stringify(fingerprintOf(this.node))
  }

  /** Ends the node; it must be well and have logged no fault. */
  async end(): Promise<void> {
    const { node } = this
    await this.produce()
    const info = await node.chain('get_info')
    await node.stop()
    expect(info.body).include({ head_block_num: node.head_block_num })
    expect(node.faults).deep.equal([])
  }
}
