/** Applies the blocks of a block log, which are irreversible. */
import { check } from '../../errors.ts'
import { unpackSignedBlock } from '../../protocol/block.ts'
import { Reader } from '../../protocol/reader.ts'
import { applyBlock } from '../blocks/apply_block.ts'
import { trustedBlockState } from '../blocks/block_validation.ts'
import type { ChainParts } from '../blocks/chain_parts.ts'

/** A block log as far as a replay needs it. */
export interface BlockSource {
  /** Number of the last block; 0 if there is none. */
  readonly head_block_num: number
  read(block_num: number): Uint8Array | undefined
}

/** Wall-clock time after which a replay lets other tasks of the process have their turn. */
const TURN_US = 50_000

/**
 * Applies all blocks of `source` after the head. Signatures are not checked again unless all
 * checks are forced: the log is trusted, as the reference trusts its own. Throws at the first block
 * that does not give its own id; the head is the block before it then.
 */
export async function replayBlocks(chain: ChainParts, source: BlockSource): Promise<void> {
  const last = Math.min(source.head_block_num, chain.options.terminate_at_block || Infinity)
  if (chain.head.block_num >= last) return
  let turn_began = chain.now()
  let transactions = 0
  while (chain.head.block_num < last) {
    transactions += replayBlock(chain, source, chain.head.block_num + 1)
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
function replayBlock(chain: ChainParts, source: BlockSource, block_num: number): number {
  const packed = source.read(block_num)
  check(packed, 'block_log_exception', () => `block ${block_num} is missing in the block log`)
  const block = unpackSignedBlock(new Reader(packed))
  const next = trustedBlockState(chain.head, block, packed, {
    rules: chain.header_rules,
    signatures: chain.options.force_all_checks ? chain.finality.verifier.verify : undefined,
  })
  applyBlock(chain, next, 'irreversible')
  return block.transactions.length
}

function otherTasks(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
