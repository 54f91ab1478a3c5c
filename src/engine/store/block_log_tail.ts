/**
 * Finds the end of the complete blocks of a block log, and the positions of its blocks if the index
 * does not have them. An entry is [packed block][u64: position of the block]; after a crash the
 * last one may be incomplete.
 */
import { fstatSync } from 'node:fs'
import { ChainError, check } from '../errors.ts'
import { blockNumOf, unpackSignedBlock } from '../protocol/block.ts'
import { Reader } from '../protocol/reader.ts'
import { readAt, readPosition } from './file.ts'

/** The last complete entry of a log. */
export interface LogTail {
  /** End of the entry, and of the log. */
  end: number
  /** Position and number of the last block; undefined in a log without blocks. */
  last: { position: number; block_num: number } | undefined
  /**
   * The number of a complete block after the end: the bytes between are damaged, or were never
   * written.
   */
  behind?: number | undefined
}

/** The file, where its first block is, and which number that block has. */
export interface LogFile {
  fd: number
  size: number
  first_position: number
  first_block_num: number
}

const FIRST_READ = 1 << 18

/**
 * The last complete entry. The end of the file is checked first. If it is incomplete, the search
 * continues from the last complete block in the index, or from the first block.
 */
export function findTail(log: LogFile, index_fd: number | undefined): LogTail {
  const empty: LogTail = { end: log.first_position, last: undefined }
  if (log.size <= log.first_position) return empty
  const position = readPosition(log.fd, log.size - 8)
  if (position !== undefined && position >= log.first_position && position < log.size) {
    const entry = wholeEntry(log, position)
    if (entry?.end === log.size) return entry
  }
  const tail = scan(log, (index_fd === undefined ? undefined : lastIndexed(log, index_fd)) ?? empty)
  return { ...tail, behind: lastBehind(log, tail.end) }
}

/** The number of the last complete entry that starts after `from`. */
function lastBehind(log: LogFile, from: number): number | undefined {
  let last: number | undefined
  for (let at = from; at + 8 <= log.size; at += FIRST_READ) {
    const bytes = readAt(log.fd, at, FIRST_READ + 7)
    for (let i = 0; i < FIRST_READ && i + 8 <= bytes.length; i++) {
      // Possible positions; most bytes are excluded.
      const high = bytes.readUInt32LE(i + 4)
      if (high > 0xffff) continue
      const position = high * 2 ** 32 + bytes.readUInt32LE(i)
      if (position <= from || position >= at + i) continue
      const entry = wholeEntry(log, position)
      if (entry?.end === at + i + 8) last = Math.max(last ?? 0, entry.last!.block_num)
    }
  }
  return last
}

/** The last complete entry that the index contains. */
function lastIndexed(log: LogFile, index_fd: number): LogTail | undefined {
  for (let slot = Math.floor(fstatSync(index_fd).size / 8) - 1; slot >= 0; slot--) {
    const position = readPosition(index_fd, 8 * slot) as number
    if (position < log.first_position || position >= log.size) continue
    const entry = wholeEntry(log, position)
    if (entry?.last?.block_num === log.first_block_num + slot) return entry
  }
  return undefined
}

/** Continues from a complete entry, or from the start, while entries are complete and in sequence. */
function scan(log: LogFile, from: LogTail): LogTail {
  let tail = from
  for (;;) {
    const next = wholeEntry(log, tail.end)
    const expected = tail.last ? tail.last.block_num + 1 : log.first_block_num
    if (next?.last?.block_num !== expected) return tail
    tail = next
  }
}

/** The entry at `position`, if the block there can be read and its position follows it. */
export function wholeEntry(log: LogFile, position: number): LogTail | undefined {
  const left = log.size - position - 8
  let length = Math.min(FIRST_READ, left)
  while (length > 0) {
    const bytes = readAt(log.fd, position, length)
    const block = tryUnpack(bytes)
    if (block) {
      const end = position + block.length
      if (readPosition(log.fd, end) !== position) return undefined
      return { end: end + 8, last: { position, block_num: block.block_num } }
    }
    if (length === left) return undefined
    length = Math.min(length * 8, left)
  }
  return undefined
}

function tryUnpack(bytes: Uint8Array): { length: number; block_num: number } | undefined {
  try {
    const r = new Reader(bytes)
    const block = unpackSignedBlock(r)
    return { length: r.pos, block_num: blockNumOf(block) }
  } catch (error) {
    if (error instanceof ChainError) return undefined
    throw error
  }
}

/**
 * The positions of blocks `from` to `to - 1`, found by following the log backwards from the start
 * of block `to`.
 * @throws block_log_exception if the entries are damaged
 */
export function positionsBefore(log: LogFile, from: number, to: number, end: number): number[] {
  const positions: number[] = []
  for (let block_num = to - 1; block_num >= from; block_num--) {
    const position = readPosition(log.fd, end - 8) ?? end
    const is_inside = position >= log.first_position && position < end - 8
    const entry = is_inside ? wholeEntry(log, position) : undefined
    check(
      entry?.end === end && entry.last?.block_num === block_num,
      'block_log_exception',
      `the block log is damaged at block ${block_num}: put a copy of it back`,
    )
    positions.push(position)
    end = position
  }
  return positions.reverse()
}

/**
 * The positions of the blocks after number `from`, found by following the log backwards from the
 * last block until `known` has the same position for a number. Returns the positions after that
 * number, in order.
 * @throws ChainError block_log_exception if the log is damaged
 */
export function walkBack(
  log: LogFile,
  last: { position: number; block_num: number },
  known: (block_num: number) => number | undefined,
): number[] {
  const positions: number[] = []
  let { position, block_num } = last
  while (known(block_num) !== position) {
    positions.push(position)
    if (position === log.first_position) break
    const before = readPosition(log.fd, position - 8) as number
    check(
      before >= log.first_position && before < position - 8,
      'block_log_exception',
      `the block log is damaged: the position before block ${block_num} is wrong`,
    )
    position = before
    block_num--
  }
  check(
    position !== log.first_position || block_num === log.first_block_num,
    'block_log_exception',
    'the block log is damaged: its blocks are not as many as its last number tells',
  )
  return positions.reverse()
}
