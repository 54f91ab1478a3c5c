/**
 * The messages of state history: requests of readers, and what answers begin with.
 * spring: libraries/state_history/include/eosio/state_history/types.hpp
 */
import { check } from '../../errors.ts'
import { MAX_ARRAY_ELEMENTS } from '../../protocol/constants.ts'
import { Reader } from '../../protocol/reader.ts'
import { Writer } from '../../protocol/writer.ts'
import type { BlockRange } from './history_log.ts'

/** A block by number and id. */
export interface BlockPosition {
  readonly block_num: number
  readonly block_id: Uint8Array
}

/** The blocks and parts that a reader wants. Versions 0 and 1 differ in the form of the answers. */
export interface BlocksRequest {
  readonly version: 0 | 1
  readonly start_block_num: number
  /** The first block that is not wanted. */
  readonly end_block_num: number
  readonly max_messages_in_flight: number
  /** Blocks that the reader has; those of other forks are sent again. */
  readonly have_positions: PositionList
  readonly irreversible_only: boolean
  readonly fetch_block: boolean
  readonly fetch_traces: boolean
  readonly fetch_deltas: boolean
  readonly fetch_finality_data: boolean
}

const POSITION_SIZE = 4 + 32

/** Positions as they were sent: there may be a million, which are read one by one. */
export class PositionList {
  readonly count: number
  private readonly bytes: Uint8Array

  /** @param bytes the packed positions; they are not copied */
  constructor(bytes: Uint8Array = new Uint8Array(0)) {
    this.bytes = bytes
    this.count = bytes.length / POSITION_SIZE
  }

  /** Bytes that are kept for them. */
  get bytes_count(): number {
    return this.bytes.length
  }

  /** The position with this index; it is decoded at each call. */
  at(index: number): BlockPosition {
    const r = new Reader(this.bytes.subarray(index * POSITION_SIZE))
    return { block_num: r.u32(), block_id: r.checksum256() }
  }
}

/** A request of a reader of state history. */
export type HistoryRequest =
  | { readonly kind: 'status'; readonly version: 0 | 1 }
  | { readonly kind: 'blocks'; readonly request: BlocksRequest }
  | { readonly kind: 'ack'; readonly num_messages: number }

/** Positions of a request in the ABI's variant. */
const STATUS_V0 = 0
const BLOCKS_V0 = 1
const ACK_V0 = 2
const BLOCKS_V1 = 3
const STATUS_V1 = 4

/** Positions of a result in the ABI's variant, by version. */
const STATUS_RESULT = [0, 3] as const
const BLOCKS_RESULT = [1, 2] as const

/**
 * Reads a request. Bytes after it are ignored.
 * @throws ChainError assert_exception for an unknown one, out_of_range_exception for one that ends early
 */
export function unpackRequest(bytes: Uint8Array): HistoryRequest {
  const r = new Reader(bytes)
  const kind = r.varuint32()
  switch (kind) {
    case STATUS_V0:
    case STATUS_V1:
      return { kind: 'status', version: kind === STATUS_V1 ? 1 : 0 }
    case BLOCKS_V0:
    case BLOCKS_V1:
      return { kind: 'blocks', request: unpackBlocksRequest(r, kind === BLOCKS_V1 ? 1 : 0) }
    default:
      check(kind === ACK_V0, 'assert_exception', 'Provided index out of range for variant.')
      return { kind: 'ack', num_messages: r.u32() }
  }
}

function unpackBlocksRequest(r: Reader, version: 0 | 1): BlocksRequest {
  return {
    version,
    start_block_num: r.u32(),
    end_block_num: r.u32(),
    max_messages_in_flight: r.u32(),
    have_positions: unpackPositions(r),
    irreversible_only: r.bool(),
    fetch_block: r.bool(),
    fetch_traces: r.bool(),
    fetch_deltas: r.bool(),
    fetch_finality_data: version === 1 && r.bool(),
  }
}

function unpackPositions(r: Reader): PositionList {
  const count = r.varuint32()
  check(count <= MAX_ARRAY_ELEMENTS, 'assert_exception', 'size.value <= MAX_NUM_ARRAY_ELEMENTS: ')
  return new PositionList(r.bytes(count * POSITION_SIZE))
}

/** The state of the chain and of its logs. */
export interface HistoryStatus {
  readonly head: BlockPosition
  readonly last_irreversible: BlockPosition
  readonly chain_id: Uint8Array
  readonly traces: BlockRange
  readonly deltas: BlockRange
  readonly finality_data: BlockRange
}

/** Packs the answer to a request of the status. */
export function packStatus(status: HistoryStatus, version: 0 | 1): Uint8Array {
  const w = new Writer(192)
  w.varuint32(STATUS_RESULT[version])
  packPosition(w, status.head)
  packPosition(w, status.last_irreversible)
  packRange(w, status.traces)
  packRange(w, status.deltas)
  w.raw(status.chain_id)
  if (version === 1) packRange(w, status.finality_data)
  return w.bytes()
}

/** What an answer with a block says before the parts from the logs. */
export interface BlocksResultHead {
  readonly head: BlockPosition
  readonly last_irreversible: BlockPosition
  readonly this_block: BlockPosition | undefined
  readonly prev_block: BlockPosition | undefined
  readonly block: Uint8Array | undefined
}

/** Packs the begin of an answer with a block. */
export function packBlocksResultHead(result: BlocksResultHead, version: 0 | 1): Uint8Array {
  const w = new Writer(256 + (result.block?.length ?? 0))
  w.varuint32(BLOCKS_RESULT[version])
  packPosition(w, result.head)
  packPosition(w, result.last_irreversible)
  w.optional(result.this_block, packPosition)
  w.optional(result.prev_block, packPosition)
  w.optional(result.block, (out, block) => {
    packSize(out, block.length)
    out.raw(block)
  })
  return w.bytes()
}

/** Packs what precedes a part from a log: whether it is there, and its size in bytes. */
export function packPartHead(size: number | undefined): Uint8Array {
  const w = new Writer(16)
  w.optional(size, packSize)
  return w.bytes()
}

/** A size of up to 64 bits. spring: history_pack_varuint64 */
function packSize(w: Writer, size: number): void {
  let rest = size
  while (rest >= 0x80) {
    w.u8((rest % 0x80) | 0x80)
    rest = Math.floor(rest / 0x80)
  }
  w.u8(rest)
}

function packPosition(w: Writer, { block_num, block_id }: BlockPosition): void {
  w.u32(block_num)
  w.raw(block_id)
}

function packRange(w: Writer, { begin, end }: BlockRange): void {
  w.u32(begin)
  w.u32(end)
}
