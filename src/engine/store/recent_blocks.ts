/** Reads the last blocks of a block log in large pieces. */
import { readAt } from './file.ts'
import type { LogFile } from './block_log_tail.ts'

const PIECE = 1 << 22
/** So many entries of an index are read: 8 MB. */
const MAX_INDEXED = 1_000_000

/** The slots of the blocks that start within the last `max_bytes` of a log, and their positions. */
export interface RecentBlocks {
  /** The first of them; blocks of a log are counted from 0. */
  slot: number
  positions: number[]
}

/** The source of the positions of a log's blocks. */
export interface Index {
  /** Below 0: there is no index. */
  index_fd: number
  /** The number of blocks in the log. */
  count: number
  /** Positions of the last of them, which the index lacks. */
  unindexed: readonly number[]
}

/** Finds the last blocks by the index; what the index says is not checked. */
export function recentBlocks(log: LogFile, index: Index, max_bytes: number): RecentBlocks {
  const indexed = index.count - index.unindexed.length
  const from = Math.max(0, indexed - MAX_INDEXED)
  const length = index.index_fd < 0 ? 0 : 8 * (indexed - from)
  const entries = readAt(index.index_fd, 8 * from, length)
  const positions = Array.from({ length: entries.length / 8 }, (_, i) =>
    Number(entries.readBigUInt64LE(8 * i)),
  ).concat(index.unindexed)
  let first = positions.length
  while (first > 0 && positions[first - 1]! >= log.size - max_bytes) first--
  return { slot: index.count - positions.length + first, positions: positions.slice(first) }
}

/**
 * Calls `visit` with the slot and the packed bytes of each block, in order; with no bytes where the index
 * and the log do not agree.
 */
export function eachBlock(
  log: LogFile,
  { slot, positions }: RecentBlocks,
  visit: (slot: number, packed: Buffer | undefined) => void,
): void {
  let piece: Buffer = Buffer.alloc(0)
  let piece_at = 0
  for (let i = 0; i < positions.length; i++) {
    const begin = positions[i]!
    const end = i + 1 < positions.length ? positions[i + 1]! : log.size
    if (begin < log.first_position || end <= begin + 8 || end > log.size) {
      visit(slot + i, undefined)
      continue
    }
    if (begin < piece_at || end > piece_at + piece.length) {
      piece = readAt(log.fd, begin, Math.min(Math.max(PIECE, end - begin), log.size - begin))
      piece_at = begin
    }
    const entry = piece.subarray(begin - piece_at, end - piece_at)
    const is_whole = Number(entry.readBigUInt64LE(entry.length - 8)) === begin
    visit(slot + i, is_whole ? entry.subarray(0, -8) : undefined)
  }
}
