/**
 * One history log: a file of entries and an index, in the reference's format.
 *
 * Invariants:
 * - Entries are only appended. A fork appends its blocks again; the index then has their new positions, and ends
 *   with the last appended block. So an entry can be read while others are written.
 * - An entry, with the trailer of a pruned log, is one write; then the index is written. When a log is opened,
 *   an incomplete entry at its end is cut off, and the index is completed.
 * - After a power loss an entry may be damaged that whole ones follow. The chain applies its block again, and then it
 *   is written again. Where the chain does not, it is damage: blocks after it are refused, and the file stays as it is.
 * spring: libraries/state_history/include/eosio/state_history/log.hpp
 */
import { closeSync, existsSync, fstatSync, fsyncSync, ftruncateSync, openSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { check, fail } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { bytesEqual } from '../../protocol/hex.ts'
import {
  failAs,
  packPositions,
  readAt,
  readPosition,
  syncFile,
  syncFolder,
  writeAt,
} from '../../store/file.ts'
import { LogEntry } from './log_entry.ts'
import {
  HEADER,
  TRAILER,
  blockNumOfId,
  mayBeginLog,
  packEntry,
  packMagic,
  payloadPlace,
  readHeader,
  type EntryHeader,
} from './log_format.ts'
import { punchHole } from './punch_hole.ts'
import {
  entryBefore,
  findBegin,
  findEnd,
  readTrailer,
  wrongIndexEntries,
  type DamagedEntry,
  type LogFiles,
} from './log_repair.ts'
import { writeUnpruned } from './unprune_log.ts'

/** Old blocks are removed when the log crosses a multiple of so many bytes. spring: prune_config */
const PRUNE_STEP = 4 * 1024 * 1024

/** The entries in so many bytes at the end are read when a log is opened; fewer of one that is complete. */
const CHECKED_BYTES = 32 * 1024 * 1024
const CHECKED_BYTES_OF_COMPLETE = 1024 * 1024

/** Bytes of the blocks by which the system counts the space of a file. */
const DISK_BLOCK = 512

/** A block that is written. */
export interface HistoryBlock {
  readonly id: Uint8Array
  readonly previous: Uint8Array
}

/** Options of one log of state history. */
export interface HistoryLogOptions {
  /** Old blocks beyond this number are removed; all are kept if absent. */
  readonly retain_blocks?: number | undefined
  /** Old blocks are removed when the log crosses a multiple of so many bytes; 4 MiB if absent. */
  readonly prune_step?: number | undefined
  /** The log was on the disk before others were begun: nothing is cut off at its end. */
  readonly is_complete?: boolean
  /** The id of a block that is not in this log, where another log has it. */
  readonly otherBlockId?: (block_num: number) => Uint8Array | undefined
  readonly log: Log
}

/** A range of blocks; `end` is the number after the last one. Both are 0 if there is none. */
export interface BlockRange {
  readonly begin: number
  readonly end: number
}

/** A file of history entries with its index. */
export class HistoryLog {
  /** Path without `.log`. */
  readonly stem: string
  private readonly options: HistoryLogOptions
  private readonly fd: number
  private readonly index_fd: number
  private size = 0
  /** The first block that can be read, the first one of the file, and the one after the last. */
  private begin_block = 0
  private first_block = 0
  private end_block = 0
  private last_block_id: Uint8Array = new Uint8Array(32)
  /** The file says that blocks may have been removed from it, and ends with a trailer. */
  private is_pruned = false
  /** A block whose entry is damaged, with whole ones behind it. */
  private damaged: DamagedEntry | undefined
  private is_dirty = false
  /** The end of removed blocks whose space is not yet given back. */
  private removed_until = 0
  /** Syncs under way: files are closed after them. */
  private syncs = 0
  private is_closed = false
  /** Whether the files are closed; their numbers may be those of other files then. */
  private are_closed = false

  private constructor(stem: string, options: HistoryLogOptions) {
    this.stem = stem
    this.options = options
    this.fd = openFile(`${stem}.log`)
    try {
      this.index_fd = openFile(`${stem}.index`)
    } catch (error) {
      closeSync(this.fd)
      throw error
    }
  }

  /**
   * Opens a log, and makes it if it is absent. Its end is repaired, and blocks are removed or put together if
   * `retain_blocks` requires it.
   * @throws ChainError plugin_exception if it is damaged before its end, or cannot be used
   */
  static open(stem: string, options: HistoryLogOptions): HistoryLog {
    try {
      let log = HistoryLog.load(stem, options)
      if (options.retain_blocks === undefined && log.is_pruned) {
        log.unprune()
        log = HistoryLog.load(stem, options)
      } else if (options.retain_blocks !== undefined && !log.is_empty) log.startPruning()
      return log
    } catch (error) {
      failAs('plugin_exception', `cannot open ${stem}.log`, error)
    }
  }

  private static load(stem: string, options: HistoryLogOptions): HistoryLog {
    const log = new HistoryLog(stem, options)
    try {
      log.load()
    } catch (error) {
      log.close()
      throw error
    }
    return log
  }

  /** The name of the file in its folder. */
  get name(): string {
    return `${this.stem}.log`
  }

  /** The blocks in the log: from `begin` to before `end`. */
  get range(): BlockRange {
    return { begin: this.begin_block, end: this.end_block }
  }

  /** Whether the log has no block. */
  get is_empty(): boolean {
    return this.begin_block === this.end_block
  }

  /** Bytes of the log and its index. Removed blocks whose space was given back do not count. */
  get bytes(): number {
    const { size, blocks } = fstatSync(this.fd)
    const log_bytes = this.is_pruned ? Math.min(size, DISK_BLOCK * blocks) : size
    return log_bytes + 8 * (this.end_block - this.first_block)
  }

  /** The id of a block; undefined if the log does not have it. */
  blockId(block_num: number): Uint8Array | undefined {
    if (!this.has(block_num)) return undefined
    return this.headerOf(block_num).block_id
  }

  /**
   * The entry of a block; undefined if the log does not have it.
   * @throws ChainError plugin_exception if it is damaged, or of another id
   */
  entry(block_num: number, id: Uint8Array): LogEntry | undefined {
    if (!this.has(block_num)) return undefined
    const header = this.headerOf(block_num)
    const what = `block ${block_num} of ${this.name}`
    check(
      bytesEqual(header.block_id, id),
      'plugin_exception',
      `${what} is damaged: its id is wrong`,
    )
    return new LogEntry(this.name, this.fd, payloadPlace(this.fd, header), what)
  }

  /**
   * Writes the entry of a block, unless it has it already. On return the operating system has its bytes.
   * @param pack makes the payload, in parts
   * @throws ChainError plugin_exception if the block does not follow those of the log; errors of the system
   */
  append({ id, previous }: HistoryBlock, pack: () => readonly Uint8Array[]): void {
    const block_num = blockNumOfId(id)
    this.replaceDamaged(block_num)
    if (this.check(block_num, id, previous)) return
    // A fork goes back to a block before it, so it does not count any more.
    this.damaged = undefined
    const { size, is_empty } = this
    const is_pruned = this.options.retain_blocks !== undefined
    const position = is_pruned && !is_empty ? size - TRAILER : size
    const is_reset = is_empty || block_num < this.begin_block
    const begin = is_reset ? block_num : this.begin_block
    const first_block = is_empty ? block_num : this.first_block
    const bytes = packEntry(id, pack(), position, {
      is_first_of_pruned: is_pruned && is_empty,
      ...(is_pruned ? { blocks_in_log: block_num + 1 - begin } : {}),
    })
    this.is_dirty = true
    writeAt(this.fd, position, bytes)
    writeAt(this.index_fd, 8 * (block_num - first_block), packPositions([position]))
    // A shorter fork: later blocks are no longer there.
    if (block_num + 1 < this.end_block) {
      ftruncateSync(this.index_fd, 8 * (block_num + 1 - first_block))
    }
    this.size = position + bytes.length
    this.first_block = first_block
    this.begin_block = begin
    this.end_block = block_num + 1
    this.last_block_id = id.slice()
    this.is_pruned = is_pruned
    const { prune_step = PRUNE_STEP } = this.options
    const step = (at: number): number => Math.floor(at / prune_step)
    if (is_pruned && step(position) !== step(this.size)) this.prune()
  }

  /** Resolves when everything that was written is on the disk. */
  async sync(): Promise<void> {
    if (!this.is_dirty) return
    this.is_dirty = false
    this.syncs++
    try {
      const { removed_until } = this
      await syncFile(this.fd)
      await syncFile(this.index_fd)
      // The file says first that these blocks are gone: a power cut must not leave blocks of zeros.
      if (removed_until > 0) {
        if (removed_until === this.removed_until) this.removed_until = 0
        await punchHole(this.name, HEADER, removed_until, this.options.log)
      }
    } finally {
      this.syncs--
      if (this.is_closed) this.closeFiles()
    }
  }

  /** As {@link sync}, without returning meanwhile. */
  syncNow(): void {
    if (!this.is_dirty) return
    this.is_dirty = false
    fsyncSync(this.fd)
    fsyncSync(this.index_fd)
  }

  /** Closes the files; a closed log opens none again. */
  close(): void {
    this.is_closed = true
    this.closeFiles()
  }

  private closeFiles(): void {
    if (this.syncs > 0 || this.are_closed) return
    this.are_closed = true
    closeSync(this.fd)
    closeSync(this.index_fd)
  }

  /** @throws ChainError plugin_exception if an entry is damaged that whole ones follow */
  checkWhole(): void {
    const { damaged, name } = this
    if (damaged === undefined) return
    fail('plugin_exception', damageText(`block ${damaged.block_num} of ${name}`, name))
  }

  /**
   * Removes a damaged entry, and what follows it, before its block is written again.
   * @throws ChainError plugin_exception for a block behind it
   */
  replaceDamaged(block_num: number): void {
    const { damaged, fd, index_fd, first_block, is_pruned } = this
    if (damaged === undefined || block_num < damaged.block_num) return
    if (block_num > damaged.block_num) this.checkWhole()
    this.damaged = undefined
    const before = entryBefore({ fd }, damaged)
    const is_first = before === undefined || before.block_num < this.begin_block
    this.options.log('warn', `block ${block_num} of ${this.name} was damaged: it is written again`)
    this.truncate(is_first ? 0 : damaged.position)
    this.is_pruned = is_pruned && !is_first
    this.begin_block = is_first ? 0 : this.begin_block
    this.first_block = is_first ? 0 : first_block
    this.end_block = is_first ? 0 : damaged.block_num
    this.last_block_id = before?.block_id ?? new Uint8Array(32)
    if (is_first) return
    ftruncateSync(index_fd, 8 * (damaged.block_num - first_block))
    if (is_pruned) this.writeTrailer()
  }

  private has(block_num: number): boolean {
    return block_num >= this.begin_block && block_num < this.end_block
  }

  private headerOf(block_num: number): EntryHeader {
    const position = readPosition(this.index_fd, 8 * (block_num - this.first_block))
    const header = position === undefined ? undefined : readHeader(this.fd, position)
    if (header === undefined || header === 'unsupported' || header.block_num !== block_num) {
      fail(
        'plugin_exception',
        `block ${block_num} of ${this.name} is damaged, or ${basename(this.stem)}.index is: remove the ` +
          `index, or put ${this.name} back`,
      )
    }
    return header
  }

  /** Checks that a block follows the others; true if the log has it already. */
  private check(block_num: number, id: Uint8Array, previous: Uint8Array): boolean {
    const { end_block, begin_block, first_block, is_empty, name } = this
    if (!is_empty) {
      check(block_num <= end_block, 'plugin_exception', skipText(block_num, end_block, name))
    }
    check(
      block_num >= first_block,
      'plugin_exception',
      `block ${block_num} is before start block ${begin_block} of ${name}`,
    )
    const is_next = !is_empty && block_num === end_block
    const before = is_next
      ? this.last_block_id
      : (this.blockId(block_num - 1) ?? this.options.otherBlockId?.(block_num - 1))
    const fits = before === undefined || bytesEqual(before, previous)
    check(fits, 'plugin_exception', `missed a fork change in ${name}`)
    if (is_next) return false
    const known = this.blockId(block_num)
    if (known && bytesEqual(known, id)) return true
    check(
      is_empty || block_num > 2,
      'plugin_exception',
      `existing ship log with ${end_block - begin_block} blocks when starting from genesis block ` +
        `${block_num}`,
    )
    return false
  }

  private load(): void {
    this.size = fstatSync(this.fd).size
    const first = readHeader(this.fd, 0)
    check(first !== 'unsupported', 'plugin_exception', `${this.name} has an unsupported version`)
    if (!first) {
      const is_ours = this.size < HEADER && mayBeginLog(readAt(this.fd, 0, this.size))
      check(is_ours, 'plugin_exception', `${this.name} is corrupted and cannot be repaired`)
      return this.truncate(0)
    }
    const files: LogFiles = {
      fd: this.fd,
      index_fd: this.index_fd,
      size: this.size,
      first_block_num: first.block_num,
      is_pruned: first.is_pruned,
      checked_bytes: this.options.is_complete ? CHECKED_BYTES_OF_COMPLETE : CHECKED_BYTES,
    }
    const { last, damaged } = findEnd(files)
    const is_readable = last !== undefined || damaged === undefined
    check(is_readable, 'plugin_exception', damageText(`the end of ${this.name}`, this.name))
    if (!last) return this.cutAfter(0, 0)
    this.damaged = damaged
    this.is_pruned = first.is_pruned
    const count = first.is_pruned ? readTrailer(files, last) : undefined
    const is_whole = first.is_pruned ? count !== undefined : last.end === this.size
    this.first_block = first.block_num
    this.begin_block = !first.is_pruned
      ? first.block_num
      : count !== undefined
        ? last.block_num + 1 - count
        : findBegin(files, last)
    this.end_block = last.block_num + 1
    this.last_block_id = last.block_id
    if (!is_whole) {
      this.cutAfter(last.block_num, last.end)
      if (first.is_pruned) this.writeTrailer()
    }
    // Without the number of a damaged block it is not known which places are whose.
    if (!damaged) this.completeIndex(wrongIndexEntries(files, last, this.begin_block))
  }

  /** @throws ChainError plugin_exception if the log is complete: then its end is damaged */
  private cutAfter(block_num: number, end: number): void {
    const { name, options } = this
    check(!options.is_complete, 'plugin_exception', damageText(`the end of ${name}`, name))
    options.log(
      'warn',
      `${name} ended with an incomplete block: it was cut after block ${block_num}`,
    )
    this.truncate(end)
  }

  private completeIndex(wrong: ReadonlyMap<number, number>): void {
    for (const [block_num, position] of wrong) {
      writeAt(this.index_fd, 8 * (block_num - this.first_block), packPositions([position]))
    }
    const size = 8 * (this.end_block - this.first_block)
    if (fstatSync(this.index_fd).size !== size) ftruncateSync(this.index_fd, size)
  }

  private truncate(size: number): void {
    ftruncateSync(this.fd, size)
    if (size === 0) ftruncateSync(this.index_fd, 0)
    this.size = size
    this.is_dirty = true
  }

  /** The log keeps only the last blocks from now on. */
  private startPruning(): void {
    if (!this.is_pruned) {
      // An end that is not an entry is cut off, so the mark comes last.
      this.writeTrailer()
      writeAt(this.fd, 0, packMagic(true))
      this.is_pruned = true
    }
    this.prune()
  }

  /** Puts the blocks together that are left, and closes the log: it must be opened again. */
  private unprune(): void {
    try {
      if (this.begin_block > this.first_block) {
        this.options.log('info', `${this.name}: the space of removed blocks is released`)
        return writeUnpruned(this.stem, this.fd, this.entries())
      }
      // An end that is not an entry is cut off, so the mark comes first.
      writeAt(this.fd, 0, packMagic(false))
      ftruncateSync(this.fd, this.size - TRAILER)
    } finally {
      this.close()
    }
  }

  private *entries(): Generator<EntryHeader> {
    for (let n = this.begin_block; n < this.end_block; n++) yield this.headerOf(n)
  }

  private writeTrailer(): void {
    const bytes = Buffer.alloc(TRAILER)
    bytes.writeUInt32LE(this.end_block - this.begin_block)
    writeAt(this.fd, this.size, bytes)
    this.size += TRAILER
    this.is_dirty = true
  }

  private prune(): void {
    const { retain_blocks = Infinity, log } = this.options
    if (this.end_block - this.begin_block <= retain_blocks) return
    const begin = this.end_block - retain_blocks
    const position = readPosition(this.index_fd, 8 * (begin - this.first_block))!
    this.begin_block = begin
    this.size -= TRAILER
    this.writeTrailer()
    if (position > HEADER) this.removed_until = position
    log('info', `${this.name} pruned to blocks ${begin}-${this.end_block - 1}`)
  }
}

/** Why a block cannot be written to a log that does not have the blocks before it. */
export function skipText(block_num: number, end: number, name: string): string {
  const what = `block ${block_num} skips over block ${end} in ${name}`
  return `${what}: put ${name} back, or start once with --delete-state-history`
}

/** What to do where a log is damaged. */
export function damageText(what: string, name: string): string {
  return `${what} is damaged: put ${name} back, or start once with --delete-state-history`
}

function openFile(path: string): number {
  if (existsSync(path)) return openSync(path, 'r+')
  const fd = openSync(path, 'w+')
  syncFolder(dirname(path))
  return fd
}
