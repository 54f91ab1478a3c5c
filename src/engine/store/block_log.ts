/**
 * The irreversible blocks in the reference's format, `blocks.log` and `blocks.index`, with a
 * checksum of each block in `blocks.check`.
 * spring: libraries/chain/{block_log.cpp, include/eosio/chain/block_log.hpp}
 *
 * Invariants:
 * - An entry of the log is [packed block][u64: position of the block]. The index has the position
 *   of block n at 8 * (n - first block). Both are written once and never changed. The only
 *   exceptions: before anything is appended, an incomplete entry at the end is cut off, and missing
 *   entries of the index are written again.
 * - `append` passes the bytes to the operating system, so a crash of the process does not lose
 *   them. Only after `sync` does a crash of the machine not lose them either. Data that depends on
 *   blocks and is itself synced requires that the log is synced first.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { ChainError, check, fail } from '../errors.ts'
import type { GenesisState } from '../protocol/genesis.ts'
import { BLOCKS } from './block_log_files.ts'
import { MAX_PREAMBLE, packPreamble, readPreamble } from './block_log_preamble.ts'
import type { LogStart, Preamble } from './block_log_preamble.ts'
import { BlockChecks } from './block_checks.ts'
import { findTail, positionsBefore, walkBack, wholeEntry } from './block_log_tail.ts'
import type { LogFile } from './block_log_tail.ts'
import {
  failAs,
  makeFolder,
  packPositions,
  readAt,
  readPosition,
  replaceFile,
  syncFile,
  syncFolder,
  writeAt,
} from './file.ts'
import { eachBlock, recentBlocks } from './recent_blocks.ts'
import { copyAside } from './set_aside.ts'

const LOG_NAME = `${BLOCKS}.log`

/** So many bytes at the end of a log are compared with their checksums when it is opened: less than a second. */
const CHECKED_BYTES = 256 * 1024 * 1024

/** The position in a packed block of the parent's number: the first bytes of the parent's id. */
const BLOCK_NUM_AT = 14

/**
 * The log of irreversible blocks. `append` passes a block to the operating system; a crash of the
 * process cannot lose it after that. Only `sync` protects against a power loss.
 */
export class BlockLog {
  readonly path: string
  private readonly given_genesis: GenesisState | undefined
  private fd = -1
  private index_fd = -1
  private preamble: Preamble | undefined
  private size = 0
  private count = 0
  /** Positions of the last blocks, when the index may not be written. */
  private unindexed: number[] = []
  private readonly read_only: boolean
  private readonly checks: BlockChecks
  /** Blocks that differ from their checksums, counted from 0, as of when the log was opened. */
  private damaged_slots: number[] = []
  /** The ends of log and index are as they shall be. */
  private is_mended = false
  /** Syncs in progress. */
  private syncs = 0
  /** Closes files that were in use by a sync when the log was closed. */
  private afterSyncs: (() => void) | undefined
  /** Bytes of an incomplete block at the end of the log when it was opened; they are cut off. */
  dropped_bytes = 0
  /** The number of a complete block after an incomplete one when the log was opened. */
  behind_block_num: number | undefined

  /** The number of the first of the last blocks that is damaged, as of when the log was opened. */
  get damaged_block_num(): number | undefined {
    const [slot] = this.damaged_slots
    return slot === undefined ? undefined : this.first_block_num + slot
  }

  private constructor(path: string, genesis: GenesisState | undefined, read_only: boolean) {
    this.path = path
    this.given_genesis = genesis
    this.read_only = read_only
    this.checks = new BlockChecks(this.besideLog('.check'))
  }

  /**
   * Opens the log in a folder; {@link mend} repairs its end. A new log starts with the first block
   * that is appended: block 1 if there is a genesis, otherwise the block after {@link begin}. The
   * last blocks, at most 256 MiB, are compared with their checksums now, and every block when it is
   * read.
   * @param name of the file, without its extension
   * @throws ChainError block_log_exception, block_log_unsupported_version
   */
  static open(folder: string, genesis?: GenesisState, name = BLOCKS): BlockLog {
    const log = new BlockLog(join(folder, `${name}.log`), genesis, false)
    try {
      makeFolder(folder)
      if (existsSync(log.path)) log.openFiles()
      log.checkRecentBlocks()
    } catch (error) {
      log.close()
      failAs('block_log_exception', `cannot open the blocks in ${folder}`, error)
    }
    return log
  }

  /**
   * Opens a log that is not the node's own (a file, or the folder of a blocks.log), to read it
   * only.
   * @throws ChainError block_log_not_found, block_log_exception
   */
  static openReadOnly(path: string): BlockLog {
    const is_folder = existsSync(path) && statSync(path).isDirectory()
    const log = new BlockLog(is_folder ? join(path, LOG_NAME) : path, undefined, true)
    check(existsSync(log.path), 'block_log_not_found', `there is no block log ${log.path}`)
    log.openFiles()
    check(log.preamble, 'block_log_exception', `the block log ${log.path} is empty`)
    return log
  }

  /** Of `blocks.log` it is `blocks.index`. */
  get index_path(): string {
    return this.besideLog('.index')
  }

  private besideLog(extension: string): string {
    return this.path.replace(/(\.log)?$/, extension)
  }

  /** The genesis in the log, or the one that was given. */
  get genesis(): GenesisState | undefined {
    return this.preamble?.genesis ?? this.given_genesis
  }

  /** Undefined while there is no log. */
  get chain_id(): Uint8Array | undefined {
    return this.preamble?.chain_id
  }

  /** 0 while there is no log. */
  get first_block_num(): number {
    return this.preamble?.first_block_num ?? 0
  }

  /** 0 while there is no block. */
  get head_block_num(): number {
    return this.count === 0 ? 0 : this.first_block_num + this.count - 1
  }

  /**
   * Creates an empty log atomically, because it is not possible to know to which chain an
   * incomplete preamble belongs.
   * @throws ChainError block_log_exception
   */
  begin(start: LogStart): void {
    check(!this.preamble, 'block_log_exception', 'the block log has begun already')
    const bytes = packPreamble(start)
    try {
      replaceFile(this.path, [bytes])
      this.fd = openSync(this.path, 'r+')
      this.index_fd = openSync(this.index_path, 'w+')
      this.checks.openForWriting(bytes)
      this.checks.truncate(0)
      syncFolder(dirname(this.path))
    } catch (error) {
      failAs('block_log_exception', `cannot begin ${this.path}`, error)
    }
    this.preamble = readPreamble(bytes, this.path)
    this.size = bytes.length
    this.count = 0
    this.is_mended = true
  }

  /**
   * Cuts off an incomplete entry at the end and completes the index. The first append does this
   * too.
   * @param keep_damaged copies a log that has complete blocks after its end, or damaged blocks.
   *   Damaged blocks are then refused when they are read, but no longer when the log is opened
   * @returns the path of the copy
   * @throws ChainError block_log_exception
   */
  mend(keep_damaged = false): string | undefined {
    if (this.is_mended || !this.preamble) return undefined
    let kept: string | undefined
    try {
      const is_damaged = this.behind_block_num !== undefined || this.damaged_slots.length > 0
      if (keep_damaged && is_damaged) kept = copyAside(this.path)
      if (this.index_fd < 0) this.index_fd = openSync(this.index_path, 'w+')
      ftruncateSync(this.fd, this.size)
      const { unindexed } = this
      writeAt(this.index_fd, 8 * (this.count - unindexed.length), packPositions(unindexed))
      ftruncateSync(this.index_fd, 8 * this.count)
      this.mendChecks(this.preamble, keep_damaged)
    } catch (error) {
      failAs('block_log_exception', `cannot write ${this.path}`, error)
    }
    this.unindexed = []
    this.is_mended = true
    return kept
  }

  private mendChecks({ length }: Preamble, keep_damaged: boolean): void {
    this.checks.openForWriting(readAt(this.fd, 0, length))
    this.checks.truncate(this.count)
    // A read that makes the index again comes here too, and must not hide the damage from the start.
    if (!keep_damaged) return
    for (const slot of this.damaged_slots) this.checks.writeDamaged(slot)
    this.damaged_slots = []
  }

  /**
   * Adds blocks after the last one. On return, the operating system has their bytes.
   * @param block_num of the first of them
   * @throws ChainError block_log_append_fail; an incomplete entry is then removed when the log is
   *   opened again
   */
  append(packed_blocks: readonly Uint8Array[], block_num: number): void {
    if (!this.preamble) {
      check(
        block_num === 1 && this.given_genesis,
        'block_log_append_fail',
        `a block log that begins with block ${block_num} must be told its chain first`,
      )
      this.begin({ genesis: this.given_genesis })
    }
    const expected = this.first_block_num + this.count
    check(
      block_num === expected,
      'block_log_append_fail',
      `block ${block_num} cannot be appended to the block log: block ${expected} is next`,
    )
    this.mend()
    const size = packed_blocks.reduce((sum, { length }) => sum + length + 8, 0)
    const entries = Buffer.allocUnsafe(size)
    const positions: number[] = []
    let at = 0
    for (const packed of packed_blocks) {
      positions.push(this.size + at)
      entries.set(packed, at)
      entries.writeBigUInt64LE(BigInt(this.size + at), at + packed.length)
      at += packed.length + 8
    }
    try {
      writeAt(this.fd, this.size, entries)
      writeAt(this.index_fd, 8 * this.count, packPositions(positions))
      this.checks.write(this.count, packed_blocks)
    } catch (error) {
      failAs('block_log_append_fail', `cannot write block ${block_num} to ${this.path}`, error)
    }
    this.size += size
    this.count += packed_blocks.length
  }

  /** The packed block with this number; undefined if the log does not have it.
   *  @throws block_log_exception when it is damaged */
  read(block_num: number): Uint8Array | undefined {
    const slot = block_num - this.first_block_num
    if (slot < 0 || slot >= this.count) return undefined
    let packed = this.blockAt(slot)
    if (packed === undefined) {
      this.refitIndex(slot)
      packed = this.blockAt(slot)
    }
    const result = packed && this.checks.compare(slot, packed)
    if (result === 'equal' || result === 'unknown') return packed
    return fail(
      'block_log_exception',
      `block ${block_num} of ${this.path} is damaged: put a copy back`,
    )
  }

  /** Compares the last blocks with their checksums, and makes those that are missing. */
  private checkRecentBlocks(): void {
    if (this.count === 0) return
    const { logFile: log, index_fd, count, unindexed } = this
    const recent = recentBlocks(log, { index_fd, count, unindexed }, CHECKED_BYTES)
    const compare = this.checks.reader(recent.slot, recent.positions.length)
    eachBlock(log, recent, (slot, found) => {
      const is_right = found !== undefined && this.hasNumber(slot, found)
      const packed = is_right ? found : this.blockByNeighbours(slot)
      const result = packed ? compare(slot, packed) : 'different'
      if (result === 'different') this.damaged_slots.push(slot)
      if (result === 'unknown') this.checks.write(slot, [packed!])
    })
  }

  /** The packed block where the index and the log do not agree; undefined when it is the log that is wrong. */
  private blockByNeighbours(slot: number): Buffer | undefined {
    try {
      const [begin, next] = this.positionsFrom(slot)
      const end = next ?? (slot + 1 < this.count ? this.positionOf(slot + 1) : this.size)
      return readAt(this.fd, begin!, end - begin! - 8)
    } catch (error) {
      if (error instanceof ChainError) return undefined
      throw error
    }
  }

  /** Undefined when the entry that the index leads to is not that block's. */
  private blockAt(slot: number): Uint8Array | undefined {
    const position = this.positionOf(slot)
    const end = slot + 1 < this.count ? this.positionOf(slot + 1) : this.size
    if (position < this.logFile.first_position || end <= position + 8 || end > this.size) {
      return undefined
    }
    const entry = readAt(this.fd, position, end - position)
    const packed = entry.subarray(0, -8)
    const is_right = Number(entry.readBigUInt64LE(packed.length)) === position
    return is_right && this.hasNumber(slot, packed) ? packed : undefined
  }

  private hasNumber(slot: number, packed: Buffer): boolean {
    if (packed.length < BLOCK_NUM_AT + 4) return false
    return packed.readUInt32BE(BLOCK_NUM_AT) + 1 === this.first_block_num + slot
  }

  /** Makes the entries of the index that a block needs again.
   *  @throws block_log_exception when it is the log that is damaged */
  private refitIndex(slot: number): void {
    const positions = this.positionsFrom(slot)
    if (this.read_only) fail('block_log_exception', `${this.index_path} does not fit the log`)
    this.mend()
    writeAt(this.index_fd, 8 * slot, packPositions(positions))
  }

  /**
   * The positions of a block and of the following blocks, up to one whose index entry is right.
   * @throws block_log_exception if the log itself is damaged
   */
  private positionsFrom(slot: number): number[] {
    const { logFile: log, first_block_num } = this
    let next = slot + 1
    const isRight = (at: number): boolean => {
      const position = this.positionOf(at)
      if (position < log.first_position || position >= this.size) return false
      return wholeEntry(log, position)?.last?.block_num === first_block_num + at
    }
    while (next < this.count && !isRight(next)) next++
    const end = next < this.count ? this.positionOf(next) : this.size
    return positionsBefore(log, first_block_num + slot, first_block_num + next, end)
  }

  private get logFile(): LogFile {
    const { fd, size, first_block_num, preamble } = this
    return { fd, size, first_position: preamble!.length, first_block_num }
  }

  /**
   * Resolves when all that was appended before is on disk.
   * @throws ChainError `block_log_exception`
   */
  async sync(): Promise<void> {
    const { fd, index_fd } = this
    if (fd < 0) return
    this.syncs++
    try {
      await syncFile(fd)
      if (index_fd >= 0) await syncFile(index_fd)
      await this.checks.sync()
    } catch (error) {
      failAs('block_log_exception', `cannot write ${this.path} to the disk`, error)
    } finally {
      this.syncs--
      if (this.syncs === 0) this.afterSyncs?.()
    }
  }

  /**
   * On return, all that was appended before is on the disk.
   * @throws Error of node:fs
   */
  syncNow(): void {
    for (const fd of [this.fd, this.index_fd]) if (fd >= 0) fsyncSync(fd)
  }

  /** Closes the files. Blocks cannot be read afterwards. */
  close(): void {
    const { fd, index_fd } = this
    const closeFiles = (): void => {
      this.afterSyncs = undefined
      for (const open of [fd, index_fd]) if (open >= 0) closeSync(open)
      this.checks.close()
    }
    // The system may give the number of a closed file to another one.
    if (this.syncs > 0) this.afterSyncs ??= closeFiles
    else closeFiles()
    this.fd = this.index_fd = -1
    this.count = 0
  }

  private positionOf(slot: number): number {
    const unindexed = slot - (this.count - this.unindexed.length)
    const position =
      unindexed >= 0 ? this.unindexed[unindexed] : readPosition(this.index_fd, 8 * slot)
    return position ?? fail('block_log_exception', `${this.index_path} is cut off, remove it`)
  }

  private openFiles(): void {
    const has_index = existsSync(this.index_path)
    this.fd = openSync(this.path, this.read_only ? 'r' : 'r+')
    if (has_index) this.index_fd = openSync(this.index_path, this.read_only ? 'r' : 'r+')
    const { size } = fstatSync(this.fd)
    // An empty file is a log that never got its preamble.
    if (size === 0) return this.close()
    const begin = readAt(this.fd, 0, MAX_PREAMBLE)
    const preamble = readPreamble(begin, this.path)
    this.checks.openReadOnly(begin.subarray(0, preamble.length))
    const { first_block_num } = preamble
    const log: LogFile = { fd: this.fd, size, first_position: preamble.length, first_block_num }
    const { end, last, behind } = findTail(log, this.index_fd < 0 ? undefined : this.index_fd)
    this.behind_block_num = behind
    this.preamble = preamble
    this.size = end
    this.count = last ? last.block_num - first_block_num + 1 : 0
    this.unindexed = last ? this.missingPositions(log, last) : []
    this.dropped_bytes = size - end
    this.is_mended = this.read_only
  }

  /** Positions that the index lacks or has wrong, at its end. */
  private missingPositions(log: LogFile, last: { position: number; block_num: number }): number[] {
    const missing = walkBack(log, last, (block_num) => {
      const slot = block_num - log.first_block_num
      return slot < 0 || this.index_fd < 0 ? undefined : readPosition(this.index_fd, 8 * slot)
    })
    check(missing.length <= this.count, 'block_log_exception', 'the block log is damaged')
    return missing
  }
}
