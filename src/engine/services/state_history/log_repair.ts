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

/** An entry that was read at the end of a log. */
interface ReadEntry {
  readonly header: EntryHeader
  readonly is_whole: boolean
}

/**
 * Finds the last whole entry, and reads the entries at the end: their payloads, and whether their blocks follow each other.
 * An entry may be followed by the next block, or after a fork by one that is not higher.
 */
export function findEnd(files: LogFiles): LogEnd {
  const read = readEntries(files)
  const kept = read.slice(damagedAtEnd(read))
  const damaged = damagedFirst(files) ?? unreadableBefore(files, read) ?? firstDamaged(kept)
  return { last: kept[0]?.header, damaged }
}

/** The entries in the bytes that are read, and one before them whose payload is not read. The last one is first. */
function readEntries(files: LogFiles): ReadEntry[] {
  const read: ReadEntry[] = []
  const last = lastEntry(files)
  const limit = last ? last.end - files.checked_bytes : 0
  for (let header = last; header; header = entryBefore(files, header)) {
    if (header.end <= limit) return [...read, { header, is_whole: true }]
    const is_whole = payloadIsWhole(files.fd, header)
    // The header of the first entry stays where blocks were removed; it looks whole if only that one was.
    if (files.is_pruned && header.position === 0 && header !== last && !is_whole) break
    read.push({ header, is_whole })
  }
  return read
}

/** The number of entries at the end that are not whole, or have a number that does not follow. */
function damagedAtEnd(read: readonly ReadEntry[]): number {
  const end = read.findIndex(({ header, is_whole }, i) => {
    const before = read[i + 1]?.header
    const before_that = read[i + 2]?.header
    const is_wrong =
      before && skips(before, header) && (!before_that || isNext(before_that, before))
    return is_whole && !is_wrong
  })
  return end < 0 ? read.length : end
}

/** The first of the entries that are not whole, or have a wrong number. */
function firstDamaged(kept: readonly ReadEntry[]): DamagedEntry | undefined {
  const damaged = kept.flatMap(({ header, is_whole }, i) => {
    const block_num = rightNumber(kept, i)
    const is_right = is_whole && block_num === header.block_num
    return is_right ? [] : [{ block_num, position: header.position }]
  })
  return damaged.at(-1)
}

/** The number of an entry's block. Where numbers are skipped, the entry is wrong that does not fit to its other neighbour. */
function rightNumber(kept: readonly ReadEntry[], i: number): number {
  const entry = kept[i]!.header
  const before = kept[i + 1]?.header
  const after = kept[i - 1]?.header
  const after_that = kept[i - 2]?.header
  if (after && skips(entry, after) && (!after_that || isNext(after, after_that))) {
    return after.block_num - 1
  }
  if (before && skips(before, entry) && after && !isNext(entry, after)) {
    return before.block_num + 1
  }
  return entry.block_num
}

function isNext(before: EntryHeader, after: EntryHeader): boolean {
  return after.block_num === before.block_num + 1
}

/** Whether there are blocks between those of two entries, the second of which was written next. */
function skips(before: EntryHeader, after: EntryHeader): boolean {
  return after.block_num > before.block_num + 1
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

/** The entry before those that were read, by the index, if its header or what is behind it cannot be read. */
function unreadableBefore(files: LogFiles, read: readonly ReadEntry[]): DamagedEntry | undefined {
  const entry = read.at(-1)?.header
  const is_begin = !entry || entry.position === 0 || files.is_pruned
  if (is_begin || entryBefore(files, entry)) return undefined
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
