/** Applies the blocks of a block log, which are irreversible. */
import { check } from '../../errors.ts'
import { applyBlock } from '../blocks/apply_block.ts'
import { trustedBlockState } from '../blocks/block_validation.ts'
import type { ChainParts } from '../blocks/chain_parts.ts'
import type { BlockKeyThreads } from '../../crypto/block_key_threads.ts'
import { BlocksAhead } from './blocks_ahead.ts'
import type { BlockSource, LoggedBlock } from './blocks_ahead.ts'

/** Wall-clock time after which a replay lets other tasks of the process have their turn. */
const TURN_US = 50_000

/**
 * Applies all blocks of `source` after the head. Signatures are not checked again unless all checks
 * are forced: the log is trusted, as the reference trusts its own.
 * @param recovery recovers keys on other threads, if they are checked
 * @throws ChainError interrupt_exception if the start was stopped, or the reason to refuse a block;
 *   the head is then the block before it
 */
export async function replayBlocks(
  chain: ChainParts,
  source: BlockSource,
  recovery?: BlockKeyThreads,
): Promise<void> {
  const last = Math.min(source.head_block_num, chain.options.terminate_at_block || Infinity)
  if (chain.head.block_num >= last) return
  let turn_began = chain.now()
  let transactions = 0
  const checked = chain.options.force_all_checks ? recovery : undefined
  const range = [chain.head.block_num + 1, last] as const
  const blocks = new BlocksAhead(source, range, chain.chain_id, checked)
  while (chain.head.block_num < last) {
    transactions += replayBlock(chain, blocks.take())
    const { block_num } = chain.head
    chain.options.onReplay?.({ block_num, last, transactions })
    if (chain.now() - turn_began < TURN_US) continue
    check(
      !chain.options.stopStart?.(),
      'interrupt_exception',
      `the replay was stopped at block ${block_num}`,
    )
    await otherTasks()
    await chain.writer.settled()
    turn_began = chain.now()
  }
}

/** Applies one block of a log. Returns the number of its transactions. */
function replayBlock(chain: ChainParts, { packed, block, metas }: LoggedBlock): number {
  const next = trustedBlockState(chain.head, block, packed, {
    rules: chain.header_rules,
    signatures: chain.options.force_all_checks ? chain.finality.verifier.verify : undefined,
  })
  next.trx_metas = metas
  applyBlock(chain, next, 'irreversible')
  return block.transactions.length
}

function otherTasks(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
