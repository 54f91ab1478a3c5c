import type { Log } from '../../log.ts'
import type { ChainOptions } from '../chain_options.ts'
import type { BlockState } from '../headers/block_state.ts'
import type { HeaderRules } from '../headers/legacy/finish_header.ts'
import type { BlockWriter } from '../storage/block_writer.ts'
import type { VotingChain } from '../voting/finality_parts.ts'
import type { BlockSurroundings, BuildingBlock } from './building_block.ts'
import type { Checkpoint } from './checkpoint.ts'

/**
 * The parts of an open chain that the functions of this folder share; class Chain owns them.
 *
 * Invariants between calls: `head` is validated and in `forks` (or its root). The database has the
 * state after `head`, plus the session of `pending` if there is one. Every session below is one
 * block after the root.
 */
export interface ChainParts extends BlockSurroundings, VotingChain {
  readonly header_rules: HeaderRules
  readonly options: ChainOptions
  readonly writer: BlockWriter
  readonly log: Log
  head: BlockState
  pending: BuildingBlock | undefined
  /** No block is applied after the block of this number; 0: none is meant. */
  pause_at_block_num: number
  /** In the order in which they were taken; no block becomes irreversible while there is one. */
  readonly checkpoints: Checkpoint[]
}
