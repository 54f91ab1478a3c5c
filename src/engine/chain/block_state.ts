import type { SignedBlock } from '../protocol/block.ts'
import { toHex } from '../protocol/hex.ts'
import type { HeaderState } from './block_header_state.ts'
import type { TransactionMetadata } from './transaction_metadata.ts'
import type { RowChanges } from './row_changes.ts'

/**
 * A block and the state after it. Legacy blocks carry a {@link HeaderState}; Savanna blocks will
 * carry theirs in a variant of this class, and everything outside of the header rules asks the
 * getters alone.
 */
export class BlockState {
  readonly header_state: HeaderState
  readonly block: SignedBlock
  /** The signed block as on the wire and in the log. */
  readonly packed_block: Uint8Array
  /** The id in hex. */
  readonly key: string
  readonly previous_key: string
  /** This node executed the block and found it right. */
  validated = false
  /** The block's input transactions, in order, when they are known with their keys. */
  trx_metas: readonly TransactionMetadata[] | undefined
  /** Rows that the block changed, with their bytes after it; dropped once they are stored. */
  changes: RowChanges | undefined

  constructor(header_state: HeaderState, block: SignedBlock, packed_block: Uint8Array) {
    this.header_state = header_state
    this.block = block
    this.packed_block = packed_block
    this.key = toHex(header_state.id)
    this.previous_key = toHex(header_state.header.previous)
  }

  get id(): Uint8Array {
    return this.header_state.id
  }
  get block_num(): number {
    return this.header_state.block_num
  }
  get previous(): Uint8Array {
    return this.header_state.header.previous
  }
  /** Slot. */
  get timestamp(): number {
    return this.header_state.header.timestamp
  }
  get producer(): bigint {
    return this.header_state.header.producer
  }
  /** The number of the last block that this block makes irreversible. */
  get irreversible_block_num(): number {
    return this.header_state.dpos_irreversible_blocknum
  }
}
