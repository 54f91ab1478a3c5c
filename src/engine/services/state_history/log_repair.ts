/**
 * The end of a history log when it is opened: an incomplete entry is found, and the index is compared with the
 * log. A process that was killed leaves at most one incomplete entry; after a power loss more may be missing.
 */
import { fstatSync } from 'node:fs'
import { readAt, readPosition } from '../../store/file.ts'
import {
  SUFFIX,
  TRAILER,
  payloadIsWhole,
  readPositionBefore,
  readWhole,
  type EntryHeader,
} from './log_format.ts'

/** An open log, and how much of it may be read. */
export interface LogFiles {
  readonly fd: number
  readonly index_fd: number
  readonly size: number
  /** Number of the first block of the file. */
  readonly first_block_num: number
  readonly is_pruned: boolean
  /** The entries in so many bytes at the end are read. */
  readonly checked_bytes: number
}

/** Where so many entries of the index in a row are right, those before them are right too. */
const TRUSTED_RUN = 400

/** An entry that cannot be read. */
export type DamagedEntry = Pick<EntryHeader, 'block_num' | 'position'>

/** How a log ends. */
export interface LogEnd {
  /** The last entry whose payload is whole; undefined if there is none. */
  readonly last: EntryHeader | undefined
  /** The first damaged entry of those at the end that are read; whole ones follow it. */
  readonly damaged: DamagedEntry | undefined
}

/**
 * Finds the last whole entry, and reads the entries at the end: their payloads, and whether their blocks follow each other.
 * An entry may be followed by the next block, or after a fork by one that is not higher.
 */
export function findEnd(files: LogFiles): LogEnd {
  let last = lastEntry(files)
  let damaged: DamagedEntry | undefined
  /** The entry after the present one, and the number after it. */
  let after: DamagedEntry | undefined
  let after_that: number | undefined
  const limit = last ? last.end - files.checked_bytes : 0
  for (let entry = last; entry && entry.end > limit;) {
    const before = entryBefore(files, entry)
    let { block_num } = entry
    const { position } = entry
    if (after !== undefined && after.block_num > block_num + 1) {
      // One of both has a wrong number: not the one that fits to its other neighbour.
      const fits_before = before === undefined || block_num === before.block_num + 1
      if (after_that === undefined ? !fits_before : after_that === after.block_num + 1) {
        block_num = after.block_num - 1
        damaged = { block_num, position }
      } else if (after_that === undefined) last = entry
      else damaged = { block_num: block_num + 1, position: after.position }
    }
    if (!payloadIsWhole(files.fd, entry)) {
      // The header of the first entry stays where blocks were removed; it looks whole if only that one was.
      if (files.is_pruned && position === 0 && last!.position > 0) break
      if (entry.end === last!.end) last = before
      else damaged = { block_num, position }
    }
    if (!before && position > 0 && !files.is_pruned) damaged = unreadableBefore(files, entry)
    // An entry that is cut off says nothing of those before it.
    const is_kept = last !== undefined && entry.end <= last.end
    after_that = is_kept ? after?.block_num : undefined
    after = is_kept ? { block_num, position } : undefined
    entry = before
  }
  return { last, damaged: damagedFirst(files) ?? damaged }
}

/** The first entry, if the one behind it does not follow: the places in the index count from its number. */
function damagedFirst({ fd, index_fd, size }: LogFiles): DamagedEntry | undefined {
  const first = readWhole(fd, 0, size)
  const second = first && readWhole(fd, first.end, size)
  if (!second || second.block_num === first.block_num + 1) return undefined
  // A fork may have replaced the first block; then the index no longer has it.
  const is_indexed = readPosition(index_fd, 0) === 0 && readPosition(index_fd, 8) === first.end
  if (second.block_num === first.block_num && !is_indexed) return undefined
  return { block_num: Math.max(1, second.block_num - 1), position: 0 }
}

/** The entry before another one, by the index: its header, or what is behind it, cannot be read. */
function unreadableBefore(files: LogFiles, entry: EntryHeader): DamagedEntry {
  const block_num = entry.block_num - 1
  const position = readPosition(files.index_fd, 8 * (block_num - files.first_block_num))
  // Without the index it is not known where it begins: then all blocks come again, or none.
  if (position === undefined || position >= entry.position)
    return { block_num: files.first_block_num, position: 0 }
  return { block_num, position }
}

/** The entry that was written before another one; undefined at the begin, and where blocks were removed. */
export function entryBefore(
  { fd }: Pick<LogFiles, 'fd'>,
  { position }: DamagedEntry,
): EntryHeader | undefined {
  if (position < SUFFIX) return undefined
  const before = readWhole(fd, readPositionBefore(fd, position), position)
  return before?.end === position ? before : undefined
}

/** The number of blocks at the end of a pruned log; undefined if it does not end with its last entry. */
export function readTrailer({ fd, size }: LogFiles, last: EntryHeader): number | undefined {
  if (last.end + TRAILER !== size) return undefined
  const count = readAt(fd, last.end, TRAILER).readUInt32LE()
  return count > 0 && count <= last.block_num ? count : undefined
}

/** The first block of a pruned log that can still be read, from the entries themselves. */
export function findBegin(files: LogFiles, last: EntryHeader): number {
  let begin = last.block_num
  for (let entry: EntryHeader | undefined = last; entry; entry = entryBefore(files, entry)) {
    // What is left of the first entry of the file may look whole.
    if (entry.position === 0 && !payloadIsWhole(files.fd, entry)) break
    begin = Math.min(begin, entry.block_num)
  }
  return begin
}

/** The entries of the index that differ from the log, by block; the index shall end with the last block. */
export function wrongIndexEntries(
  files: LogFiles,
  last: EntryHeader,
  begin: number,
): Map<number, number> {
  const wrong = new Map<number, number>()
  let lowest = last.block_num + 1
  let right_run = 0
  for (let entry: EntryHeader | undefined = last; entry; entry = entryBefore(files, entry)) {
    const { block_num, position } = entry
    // A block that a fork replaced has a later entry.
    if (block_num >= lowest) continue
    lowest = block_num
    const at = 8 * (block_num - files.first_block_num)
    if (readPosition(files.index_fd, at) === position) right_run++
    else {
      wrong.set(block_num, position)
      right_run = 0
    }
    if (right_run >= TRUSTED_RUN || block_num <= begin) break
  }
  return wrong
}

function lastEntry(files: LogFiles): EntryHeader | undefined {
  const { fd, size, is_pruned } = files
  const end = is_pruned ? size - TRAILER : size
  if (end >= SUFFIX) {
    const last = readWhole(fd, readPositionBefore(fd, end), end)
    if (last?.end === end) return last
  }
  return followingEntries(files, lastIndexed(files))
}

/** The last entry that the index knows and that is whole. */
function lastIndexed(files: LogFiles): EntryHeader | undefined {
  const { fd, index_fd, size, first_block_num } = files
  for (let slot = Math.floor(fstatSync(index_fd).size / 8) - 1; slot >= 0; slot--) {
    const position = readPosition(index_fd, 8 * slot)
    const entry = position === undefined ? undefined : readWhole(fd, position, size)
    if (entry?.block_num === first_block_num + slot) return entry
  }
  return readWhole(fd, 0, size)
}

/** The last of the whole entries that follow each other from one on. */
function followingEntries(
  { fd, size }: LogFiles,
  from: EntryHeader | undefined,
): EntryHeader | undefined {
  let last = from
  while (last) {
    const next = readWhole(fd, last.end, size)
    if (!next) break
    last = next
  }
  return last
}
