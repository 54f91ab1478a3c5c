/** Blocks that are made when they are asked for. */
import type { Chain } from '../../chain/chain.ts'
import { check } from '../../errors.ts'
import { BLOCK_INTERVAL_US } from '../../protocol/constants.ts'
import { slotToString, slotToUs } from '../../protocol/time.ts'
import type { NetService } from '../net/net_service.ts'
import type { Producer } from '../production/producer.ts'
import { checkPossible } from './check_possible.ts'

/** The most blocks that one request makes. */
const MAX_BLOCKS = 20_000

/** The parts of the node that make blocks. */
export interface MiningNode {
  chain: Chain
  producer: Producer
  net: NetService
}

/** What is reached when blocks are made: so many, a block, and a time (microseconds since 1970). */
export interface MiningGoal {
  blocks: number
  until_block_num: number
  until_time_us: number
}

/**
 * Makes blocks up to a goal.
 * @param mayContinue called between blocks, as other tasks run then; blocks that were made before it throws stay
 * @throws misc_exception for a goal that is reached already or too far away, producer_exception if no block can be made,
 *   what `mayContinue` throws
 */
export function mineTo(node: MiningNode, goal: MiningGoal, mayContinue: () => void): Promise<void> {
  const { chain } = node
  const missing = missingBlocks(chain, goal)
  const count = missing()
  checkPossible(
    count > 0,
    `no block would be made: the head is block ${chain.head.block_num}, and its time is ` +
      `${slotToString(chain.head.timestamp)}; the chain goes back only to a checkpoint`,
  )
  checkPossible(
    count <= MAX_BLOCKS,
    `more than ${MAX_BLOCKS} blocks would be made: use advance_time to skip time, or make them in parts`,
  )
  return mine(node, missing, mayContinue)
}

/** Makes one block. @throws producer_exception if none can be made */
export function mineOne(node: MiningNode): Promise<void> {
  const { chain } = node
  const block_num = chain.head.block_num + 1
  return mine(
    node,
    () => block_num - chain.head.block_num,
    () => checkAlone(node),
  )
}

function mine(node: MiningNode, missing: () => number, mayContinue: () => void): Promise<void> {
  return node.producer.loop.mine(() => {
    const count = missing()
    if (count > 0) mayContinue()
    return count
  })
}

/** @throws unsupported_feature if peers have the blocks */
export function checkAlone({ net }: MiningNode): void {
  check(
    !net.connections().some(({ is_socket_open }) => is_socket_open),
    'unsupported_feature',
    'this node has peers, which have its blocks: disconnect them to control the chain',
  )
}

/** Makes the pending block if it has transactions. @throws producer_exception if it cannot be made */
export async function endFilledBlock(node: MiningNode): Promise<void> {
  if ((node.chain.pending?.trx_metas.length ?? 0) > 0) await mineOne(node)
}

/** Counts the blocks that are missing to a goal, at least. */
function missingBlocks(chain: Chain, goal: MiningGoal): () => number {
  const last = Math.max(chain.head.block_num + goal.blocks, goal.until_block_num)
  const slot = Math.ceil((goal.until_time_us - slotToUs(0)) / BLOCK_INTERVAL_US)
  return () => Math.max(last - chain.head.block_num, slot - chain.head.timestamp)
}
