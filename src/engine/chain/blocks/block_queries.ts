/** Blocks by number or id: reversible ones from the fork database, others from the log. */
import { TAPOS_MASK } from '../../protocol/constants.ts'
import { blockId } from '../../crypto/digests.ts'
import { blockNumFromId } from '../../protocol/block.ts'
import type { SignedBlock } from '../../protocol/block.ts'
import { bytesEqual } from '../../protocol/hex.ts'
import type { ChainParts } from './chain_parts.ts'
import { ReadBlocks } from './read_blocks.ts'
import type { ReadableLog } from './read_blocks.ts'

/** A block of the fork database. */
export interface HeldBlock {
  readonly has_block: boolean
  readonly block: SignedBlock
}

/** The blocks of a chain: its own, or those of another thread's chain. */
export interface BlockSource {
  readonly forks: {
    readonly head: { readonly id: Uint8Array }
    get(id: Uint8Array): HeldBlock | undefined
    onBranch(id: Uint8Array, block_num: number): HeldBlock | undefined
  }
  readonly writer: { readonly log: ReadableLog }
}

/** The packed block with this number on the branch of the head. */
export function packedBlockByNumber(chain: ChainParts, block_num: number): Uint8Array | undefined {
  const reversible = chain.forks.onBranch(chain.head.id, block_num)
  if (reversible?.has_block) return reversible.packed_block
  return chain.writer.log.read(block_num)
}

/** The packed block with this number on the branch of the best block, which may not be executed yet. */
export function packedBlockOnBest(chain: ChainParts, block_num: number): Uint8Array | undefined {
  const reversible = chain.forks.onBranch(chain.forks.head.id, block_num)
  if (reversible?.has_block) return reversible.packed_block
  return block_num < 1 ? undefined : chain.writer.log.read(block_num)
}

/** The id of the block with this number on the branch of the best block. */
export function blockIdOnBest(chain: ChainParts, block_num: number): Uint8Array | undefined {
  const reversible = chain.forks.onBranch(chain.forks.head.id, block_num)
  return reversible?.id ?? blockIdByNumber(chain, block_num)
}

/**
 * The block with this number on the branch of the best block, or undefined if the node does not have it.
 * spring: libraries/chain/controller.cpp (fetch_block_by_number)
 */
export function blockByNumber(chain: BlockSource, block_num: number): SignedBlock | undefined {
  const reversible = chain.forks.onBranch(chain.forks.head.id, block_num)
  if (reversible?.has_block) return reversible.block
  return ReadBlocks.of(chain.writer.log).read(block_num)
}

/** A block of any branch that is still known. */
export function blockById(chain: BlockSource, id: Uint8Array): SignedBlock | undefined {
  const reversible = chain.forks.get(id)
  if (reversible?.has_block) return reversible.block
  const block = ReadBlocks.of(chain.writer.log).read(blockNumFromId(id))
  return block && bytesEqual(blockId(block), id) ? block : undefined
}

/** The id of the block with this number on the branch of the head; recent ones are in the state. */
export function blockIdByNumber(chain: ChainParts, block_num: number): Uint8Array | undefined {
  if (block_num < 1 || block_num > chain.head.block_num) return undefined
  const reversible = chain.forks.onBranch(chain.head.id, block_num)
  if (reversible !== undefined) return reversible.id
  const recent = chain.db.block_summary.getById(block_num & TAPOS_MASK).block_id
  if (blockNumFromId(recent) === block_num) return Uint8Array.from(recent)
  const block = blockByNumber(chain, block_num)
  return block && blockId(block)
}
