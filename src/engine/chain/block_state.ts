import assert from 'node:assert'
import type { SignedBlock, SignedBlockHeader } from '../protocol/block.ts'
import { toHex } from '../protocol/hex.ts'
import type { HeaderState } from './block_header_state.ts'
import type { TransactionMetadata } from './transaction_metadata.ts'
import type { ChangeSet } from '../state/changes.ts'

/**
 * A block and the state after it. Legacy blocks carry a {@link HeaderState}; Savanna blocks will
 * carry theirs in a variant of this class, and everything outside of the header rules asks the
 * getters alone.
 */
export class BlockState {
  readonly header_state: HeaderState
  /** The id in hex. */
  readonly key: string
  readonly previous_key: string
  /** This node executed the block and found it right. */
  validated = false
  /** The block's input transactions, in order, when they are known with their keys. */
  trx_metas: readonly TransactionMetadata[] | undefined
  /** Rows that the block changed, with their bytes after it; dropped once they are stored. */
  changes: ChangeSet | undefined

  private readonly signed: SignedBlock | undefined
  private readonly packed: Uint8Array | undefined

  /** `block` and its bytes are unknown when the chain starts from state without a block log. */
  constructor(header_state: HeaderState, block?: SignedBlock, packed?: Uint8Array) {
    this.header_state = header_state
    this.signed = block
    this.packed = packed
    this.key = toHex(header_state.id)
    this.previous_key = toHex(header_state.header.previous)
  }

  /** Whether the block itself is here, not only the state after it. */
  get has_block(): boolean {
    return this.signed !== undefined
  }
  get block(): SignedBlock {
    assert(this.signed, `block ${this.block_num} is not here`)
    return this.signed
  }
  /** The signed block as on the wire and in the log. */
  get packed_block(): Uint8Array {
    assert(this.packed, `block ${this.block_num} is not here`)
    return this.packed
  }
  get header(): SignedBlockHeader {
    return this.header_state.header
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
