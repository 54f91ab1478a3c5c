/** What threads that read the state of a chain are sent beside it. */
import type { BlockState } from '../headers/block_state.ts'

/** A block in answers that do not need its content. */
export type SharedHead = Pick<BlockState, 'block_num' | 'id' | 'timestamp' | 'producer'>

/** The files of the irreversible blocks. They change only while the state is locked, and only at their end. */
export interface SharedLog {
  path: string
  first_block_num: number
  head_block_num: number
}

/** What is sent as a whole whenever a part of it has changed. */
export interface SharedFacts {
  head: SharedHead
  last_irreversible: SharedHead
  fork_head: SharedHead
  earliest_available_block_num: number
  /** Undefined: there is no file, or no block in it. */
  log: SharedLog | undefined
  rules: { resource_greylist: ReadonlySet<bigint> }
}

/** A block of the fork database, or its root. */
export interface SharedBlock {
  /** The id in hex. */
  key: string
  previous_key: string
  block_num: number
  /** Undefined if the node has only the state after it. */
  packed: Uint8Array<SharedArrayBuffer> | undefined
}

/** Changes of the blocks of the fork database. */
export interface SharedBlocks {
  added: SharedBlock[]
  /** Keys. */
  removed: string[]
}
