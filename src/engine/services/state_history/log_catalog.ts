/**
 * A history log that may be split: the head log, to which blocks are written, and retained logs with the blocks
 * before it. Their names end with their first and last block.
 * spring: libraries/state_history/include/eosio/state_history/log_catalog.hpp
 */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { check } from '../../errors.ts'
import { bytesEqual } from '../../protocol/hex.ts'
import { makeFolder, syncFolder } from '../../store/file.ts'
import { HistoryLog } from './history_log.ts'
import type { BlockRange, HistoryBlock, HistoryLogOptions } from './history_log.ts'
import type { LogEntry } from './log_entry.ts'
import { blockNumOfId } from './log_format.ts'

/** How a log is split. Absolute folders. */
export interface SplitOptions {
  readonly stride: number
  readonly max_retained_files: number
  readonly retained_dir: string
  /** Absent: logs beyond the number are removed. */
  readonly archive_dir?: string | undefined
}

/** A log of blocks before the head log. It is opened when it is read. */
interface RetainedLog {
  readonly stem: string
  readonly range: BlockRange
  /** Bytes of the log and its index. */
  readonly bytes: number
  log: HistoryLog | undefined
  /** Grows with each use of any log. */
  last_used: number
}

/** Retained logs that stay open. */
const MAX_OPEN = 5
const EXTENSIONS = ['log', 'index'] as const

/** All logs of one kind of history, as one. */
export class LogCatalog {
  private readonly stem: string
  private readonly options: HistoryLogOptions
  private readonly split: SplitOptions | undefined
  private head: HistoryLog
  /** In the order of their blocks. */
  private retained: RetainedLog[] = []
  private uses = 0
  /** Whether a block has come since the logs were opened that they have a place for. */
  private is_following = false
  /** Whether blocks have come before it that they no longer have. */
  private has_passed = false

  /**
   * Opens the logs of a name in a folder.
   * @throws ChainError plugin_exception if a log cannot be used, or blocks are missing between them
   */
  constructor(folder: string, name: string, options: HistoryLogOptions, split?: SplitOptions) {
    this.stem = join(folder, name)
    this.options = options
    this.split = split
    makeFolder(folder)
    this.head = HistoryLog.open(this.stem, options)
    if (split) this.openRetained(split, name)
  }

  /** `trace_history`, for example. */
  get name(): string {
    return basename(this.stem)
  }

  /** The blocks in all logs: from `begin` to before `end`. */
  get range(): BlockRange {
    const first = this.retained[0]?.range.begin
    const last = this.retained.at(-1)?.range.end
    if (this.head.is_empty) return { begin: first ?? 0, end: last ?? 0 }
    const { begin, end } = this.head.range
    return { begin: first ?? begin, end }
  }

  /** Whether no log has a block. */
  get is_empty(): boolean {
    return this.head.is_empty && this.retained.length === 0
  }

  /** Bytes of all logs and their indexes. */
  get bytes(): number {
    return this.retained.reduce((sum, { bytes }) => sum + bytes, this.head.bytes)
  }

  /** The id of a block; undefined if no log has it. */
  blockId(block_num: number): Uint8Array | undefined {
    return this.logOf(block_num).blockId(block_num)
  }

  /**
   * The entry of a block; undefined if no log has it.
   * @throws ChainError plugin_exception if it is damaged, or of another id
   */
  entry(block_num: number, id: Uint8Array): LogEntry | undefined {
    return this.logOf(block_num).entry(block_num, id)
  }

  /**
   * Writes a block, unless it is there already; see {@link HistoryLog.append}. After a crash, blocks come again that
   * are older than the first one that is kept: they are not written again. A fork that goes back so far removes all
   * blocks.
   * @param pack makes the payload, in parts
   */
  append(block: HistoryBlock, pack: (is_first: boolean) => readonly Uint8Array[]): void {
    const block_num = blockNumOfId(block.id)
    this.head.replaceDamaged(block_num)
    if (this.passesOver(block, block_num)) return
    if (this.split || this.options.retain_blocks === undefined) this.makeRoom(block_num)
    if (this.retained.length > 0) {
      const known = this.blockId(block_num)
      if (known && bytesEqual(known, block.id)) return
      this.returnTo(block_num)
    }
    const { is_empty } = this
    this.head.append(block, () => pack(is_empty))
    if (this.split && block_num % this.split.stride === 0) this.rotate(this.split)
  }

  /** @throws ChainError plugin_exception if the head log has a damaged block that did not come again */
  checkWhole(): void {
    this.head.checkWhole()
  }

  /** Removes all blocks. */
  clear(): void {
    if (this.is_empty) return
    for (const { stem, log } of this.retained) {
      log?.close()
      removeFiles(stem)
    }
    this.retained = []
    this.head.close()
    removeFiles(this.stem)
    this.head = HistoryLog.open(this.stem, this.options)
  }

  /** Resolves when everything that was written is on the disk. */
  async sync(): Promise<void> {
    await this.head.sync()
  }

  /** Closes all files. */
  close(): void {
    this.head.close()
    for (const { log } of this.retained) log?.close()
  }

  /**
   * Whether a block is applied again at the start that is older than the first one that is kept.
   * @throws ChainError plugin_exception if the first block that is kept is not that of the chain
   */
  private passesOver({ id }: HistoryBlock, block_num: number): boolean {
    if (this.is_following) return false
    const { begin } = this.range
    if (!this.is_empty && block_num < begin) {
      if (!this.has_passed) {
        this.options.log('info', `${this.name}: blocks before ${begin} are not kept`)
      }
      this.has_passed = true
      return true
    }
    this.is_following = true
    const known = this.has_passed ? this.blockId(block_num) : undefined
    const fits = known === undefined || bytesEqual(known, id)
    check(fits, 'plugin_exception', `${this.name}.log is of another chain: block ${begin} differs`)
    return false
  }

  /** A fork may go back to a block before the first one that is kept: then none is valid. */
  private makeRoom(block_num: number): void {
    const { begin } = this.range
    if (this.is_empty || block_num >= begin) return
    const reason = `a fork goes back to block ${block_num}, before the first block ${begin}`
    this.options.log('warn', `${this.name}: ${reason}: its blocks are removed`)
    this.clear()
  }

  /** The log that has a block; the head log for those that no log has. */
  private logOf(block_num: number): HistoryLog {
    const found = this.retained.find(
      ({ range }) => block_num >= range.begin && block_num < range.end,
    )
    if (!found) return this.head
    found.log ??= this.openComplete(found.stem)
    found.last_used = ++this.uses
    const open = this.retained.filter(({ log }) => log !== undefined)
    if (open.length > MAX_OPEN) {
      const oldest = open.reduce((a, b) => (a.last_used < b.last_used ? a : b))
      oldest.log!.close()
      oldest.log = undefined
    }
    return found.log
  }

  /** Opens a retained log. @throws ChainError plugin_exception if its end is damaged */
  private openComplete(stem: string): HistoryLog {
    const log = HistoryLog.open(stem, { log: this.options.log, is_complete: true })
    try {
      log.checkWhole()
      return log
    } catch (error) {
      log.close()
      throw error
    }
  }

  private openRetained({ retained_dir, archive_dir }: SplitOptions, name: string): void {
    makeFolder(retained_dir)
    if (archive_dir !== undefined) makeFolder(archive_dir)
    const pattern = new RegExp(`^${name}-\\d+-\\d+\\.log$`)
    for (const file of readdirSync(retained_dir)) {
      if (!pattern.test(file)) continue
      const stem = join(retained_dir, file.slice(0, -'.log'.length))
      const log = this.openComplete(stem)
      const { range, bytes, is_empty } = log
      log.close()
      if (!is_empty) this.retained.push({ stem, range, bytes, log: undefined, last_used: 0 })
    }
    this.retained.sort((a, b) => a.range.begin - b.range.begin)
    this.removeMovedHead()
    this.checkHoles()
  }

  /** A log has its old and its new name if the power failed between the syncs of the two folders. */
  private removeMovedHead(): void {
    const last = this.retained.at(-1)
    if (!last || this.head.is_empty) return
    const { begin, end } = last.range
    if (this.head.range.begin !== begin || this.head.range.end !== end) return
    const [id, moved_id] = [this.head, this.logOf(end - 1)].map((log) => log.blockId(end - 1))
    if (!id || !moved_id || !bytesEqual(id, moved_id)) return
    this.head.close()
    removeFiles(this.stem)
    this.head = HistoryLog.open(this.stem, this.options)
  }

  private checkHoles(): void {
    this.retained.forEach(({ stem, range }, i) => {
      const next = this.retained[i + 1]
      const follower = next?.range ?? this.head.range
      if (!next && this.head.is_empty) return
      const what = next ? `${next.stem}.log has range` : 'head log has range'
      check(
        range.end === follower.begin,
        'plugin_exception',
        `retained log file ${stem}.log has block range ${range.begin}-${range.end - 1} but ${what} ` +
          `${follower.begin}-${follower.end - 1} which results in a hole`,
      )
    })
  }

  /** A fork goes back to a block before the head log: retained logs become the head log again. */
  private returnTo(block_num: number): void {
    for (;;) {
      const last = this.retained.at(-1)
      if (!last) return
      const is_before = this.head.is_empty
        ? block_num < last.range.end
        : block_num < this.head.range.begin
      if (!is_before) return
      last.log?.close()
      this.head.close()
      removeFiles(this.stem)
      moveFiles(last.stem, this.stem)
      this.retained.pop()
      this.head = HistoryLog.open(this.stem, this.options)
    }
  }

  /** The head log becomes a retained one, and the oldest of too many is archived or removed. */
  private rotate(split: SplitOptions): void {
    const { range, bytes } = this.head
    const stem = join(split.retained_dir, `${this.name}-${range.begin}-${range.end - 1}`)
    this.head.syncNow()
    this.head.close()
    moveFiles(this.stem, stem)
    this.retained.push({ stem, range, bytes, log: undefined, last_used: 0 })
    this.head = HistoryLog.open(this.stem, this.options)
    while (this.retained.length > split.max_retained_files) {
      const oldest = this.retained.shift()!
      oldest.log?.close()
      if (split.archive_dir === undefined) removeFiles(oldest.stem)
      else moveFiles(oldest.stem, join(split.archive_dir, basename(oldest.stem)))
    }
  }
}

/** Renames a log and its index. Where the new name exists already, it has these blocks: the old one is removed. */
function moveFiles(from: string, to: string): void {
  for (const extension of EXTENSIONS) {
    const [old_path, new_path] = [`${from}.${extension}`, `${to}.${extension}`]
    if (existsSync(new_path)) rmSync(old_path)
    else renameSync(old_path, new_path)
  }
  for (const folder of new Set([dirname(to), dirname(from)])) syncFolder(folder)
}

function removeFiles(stem: string): void {
  for (const extension of EXTENSIONS) rmSync(`${stem}.${extension}`, { force: true })
}
