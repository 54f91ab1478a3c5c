/** A node that executed the recorded blocks and stands at the last of them, as the reference did. */
import { join } from 'node:path'
import { parseTimePoint } from '../../../src/engine/index.ts'
import { stillClock } from '../../support/still_clock.ts'
import { TestNode, type TestNodeOptions } from '../../support/test_node.ts'
import { root } from '../support.ts'

/** When the reference's last block is from; its pending block is the next one. */
export const HEAD_TIME = parseTimePoint('2026-11-28T00:02:44.000')

const FIXTURES = join(root, 'test/fixtures/recordings/one')

/** Options of a node that replays the recorded blocks. Nobody in the schedule is this node's, so that it does not produce, as the recorded one. */
export const REPLAY_RECORDED = [
  `--replay=${join(FIXTURES, 'blocks.log')}`,
  `--genesis-json=${join(FIXTURES, 'genesis.json')}`,
  '--producer-name=nobody',
]

/** @param folder where it keeps what it has; absent: in memory */
export function startReplayedNode(
  folder?: string,
  options: Pick<TestNodeOptions, 'argv' | 'server'> = {},
): Promise<TestNode> {
  return TestNode.start({
    ...options,
    argv: [...REPLAY_RECORDED, '--contracts-console', ...(options.argv ?? [])],
    clock: stillClock(HEAD_TIME),
    ...(folder === undefined ? {} : { folder }),
  })
}
