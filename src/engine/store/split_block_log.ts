/**
 * The log of irreversible blocks, which may be split: the current log, to which blocks are appended, and retained
 * logs with the blocks before it. Their names end with their first and last block.
 * spring: libraries/chain/block_log.cpp (partitioned_block_log), include/eosio/chain/log_catalog.hpp
 *
 * Invariants:
 * - The logs follow each other without a gap. A retained log is never written.
 * - A log is removed only after the stored state has its last block: until then a start needs its blocks.
 */
import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { check } from '../errors.ts'
import type { GenesisState } from '../protocol/genesis.ts'
import { bytesEqual } from '../protocol/hex.ts'
import { BlockLog } from './block_log.ts'
import {
  BLOCKS,
  EXTENSIONS,
  RECENT,
  keepsNone,
  retainedLogs,
  type BlockLogFiles,
  type RetainedRange,
} from './block_log_files.ts'
import type { LogStart } from './block_log_preamble.ts'
import { failAs, makeFolder, syncFolder } from './file.ts'

/** A log of blocks before the current log. It is opened when it is read. */
interface RetainedLog extends RetainedRange {
  log: BlockLog | undefined
  /** Grows with each use of any log. */
  last_used: number
}

/** Retained logs that stay open. */
const MAX_OPEN = 5

/** The blocks of all logs as one archive; see {@link BlockLog} for what is on the disk when. */
export class SplitBlockLog {
  private readonly folder: string
  private readonly files: BlockLogFiles
  private current: BlockLog
  /** In the order of their blocks. */
  private retained: RetainedLog[] = []
  private uses = 0

  private constructor(folder: string, files: BlockLogFiles, current: BlockLog) {
    this.folder = folder
    this.files = files
    this.current = current
  }

  /**
   * Opens the logs in a folder; {@link mend} repairs the end of the current one.
   * @param folder of the current log
   * @throws ChainError block_log_exception if a log cannot be used, or blocks are missing between them
   */
  static open(folder: string, files: BlockLogFiles, genesis?: GenesisState): SplitBlockLog {
    const stems = [BLOCKS, RECENT].filter((stem) => existsSync(join(folder, `${stem}.log`)))
    check(
      stems.length < 2,
      'block_log_exception',
      `${folder} has ${stems.join('.log and ')}.log: remove the one that is not of this chain`,
    )
    const stem = stems[0] ?? nameOf(files)
    const log = new SplitBlockLog(folder, files, BlockLog.open(folder, genesis, stem))
    try {
      log.openRetained()
    } catch (error) {
      log.close()
      failAs('block_log_exception', `cannot open the blocks in ${folder}`, error)
    }
    return log
  }

  /** The current log. */
  get path(): string {
    return this.current.path
  }

  /** The genesis in the first log, or the one that was given. */
  get genesis(): GenesisState | undefined {
    const [first] = this.retained
    return first ? this.opened(first).genesis : this.current.genesis
  }

  /** Undefined while there is no log. */
  get chain_id(): Uint8Array | undefined {
    const last = this.retained.at(-1)
    return this.current.chain_id ?? (last && this.opened(last).chain_id)
  }

  /** 0 while there is no log. */
  get first_block_num(): number {
    return this.retained[0]?.first ?? this.current.first_block_num
  }

  /** 0 while there is no block. */
  get head_block_num(): number {
    return this.current.head_block_num || (this.retained.at(-1)?.last ?? 0)
  }

  /** As of the current log when it was opened. */
  get dropped_bytes(): number {
    return this.current.dropped_bytes
  }

  /** As of the current log when it was opened. */
  get behind_block_num(): number | undefined {
    return this.current.behind_block_num
  }

  /** As of the current log when it was opened. */
  get damaged_block_num(): number | undefined {
    return this.current.damaged_block_num
  }

  /** As {@link BlockLog.begin}. */
  begin(start: LogStart): void {
    this.current.begin(start)
  }

  /**
   * Makes the current log ready for blocks, under the name that it has from now on; see {@link BlockLog.mend}.
   * @throws ChainError block_log_exception
   */
  mend(keep_damaged = false): string | undefined {
    const kept = this.current.mend(keep_damaged)
    try {
      this.removeMoved()
      this.renameCurrent()
    } catch (error) {
      failAs('block_log_exception', `cannot write ${this.path}`, error)
    }
    const last = this.retained.at(-1)
    if (last && this.current.chain_id === undefined) {
      this.begin({ chain_id: this.opened(last).chain_id!, first_block_num: last.last + 1 })
    }
    return kept
  }

  /** Adds blocks after the last one; see {@link BlockLog.append}. */
  append(packed_blocks: readonly Uint8Array[], block_num: number): void {
    const { stride } = this.files
    if (stride === undefined) return this.current.append(packed_blocks, block_num)
    let rest = packed_blocks
    while (rest.length > 0) {
      const last = Math.ceil(block_num / stride) * stride
      const part = rest.slice(0, last - block_num + 1)
      this.current.append(part, block_num)
      block_num += part.length
      rest = rest.slice(part.length)
      if (block_num > last) this.split()
    }
  }

  /** The packed block with this number; undefined if no log has it.
   *  @throws block_log_exception when it is damaged */
  read(block_num: number): Uint8Array | undefined {
    const found = this.retained.find(({ first, last }) => block_num >= first && block_num <= last)
    return (found ? this.opened(found) : this.current).read(block_num)
  }

  /**
   * Removes or archives retained logs that are too many or too old, as the files say.
   * @param stored_block_num the block that the stored state is at: later blocks stay
   * @throws ChainError block_log_exception
   */
  discard(stored_block_num: number): void {
    for (;;) {
      const [oldest] = this.retained
      if (!oldest || oldest.last > stored_block_num || !this.isSurplus(oldest)) return
      oldest.log?.close()
      const { archive_dir } = this.files
      try {
        if (archive_dir === undefined) removeFiles(oldest.stem)
        else moveFiles(oldest.stem, join(archive_dir, basename(oldest.stem)))
      } catch (error) {
        failAs('block_log_exception', `cannot remove ${oldest.stem}.log`, error)
      }
      this.retained.shift()
    }
  }

  /** Resolves when all that was appended before is on disk. */
  sync(): Promise<void> {
    return this.current.sync()
  }

  /** Closes the files. Blocks cannot be read afterwards. */
  close(): void {
    this.current.close()
    for (const { log } of this.retained) log?.close()
    this.retained = []
  }

  private isSurplus({ last }: RetainedLog): boolean {
    const { max_retained_files = Infinity, keep_blocks = Infinity } = this.files
    return this.retained.length > max_retained_files || last <= this.head_block_num - keep_blocks
  }

  private openRetained(): void {
    const { retained_dir } = this.files
    this.retained = retainedLogs(retained_dir ?? this.folder).map((range) => ({
      ...range,
      log: undefined,
      last_used: 0,
    }))
    const { chain_id } = this.current
    this.retained.forEach((log, i) => {
      const next =
        this.retained[i + 1]?.first ?? (this.isMoved() ? 0 : this.current.first_block_num)
      check(
        next === 0 || next === log.last + 1,
        'block_log_exception',
        `${log.stem}.log ends at block ${log.last}, but the next log begins with block ${next}: ` +
          'put the missing log back, or move this one to another folder',
      )
      const opened = this.opened(log)
      check(
        opened.first_block_num === log.first && opened.head_block_num === log.last,
        'block_log_exception',
        `${log.stem}.log has blocks ${opened.first_block_num} to ${opened.head_block_num}`,
      )
      check(
        chain_id === undefined || bytesEqual(opened.chain_id!, chain_id),
        'block_log_exception',
        `${log.stem}.log is of another chain than ${this.path}`,
      )
    })
  }

  /** A log has its old and its new name if the power failed between the syncs of the two folders. */
  private isMoved(): boolean {
    const last = this.retained.at(-1)
    const { first_block_num, head_block_num } = this.current
    return last !== undefined && last.first === first_block_num && last.last === head_block_num
  }

  private removeMoved(): void {
    if (!this.isMoved()) return
    this.current.close()
    removeFiles(join(this.folder, basename(this.path, '.log')))
    this.current = BlockLog.open(this.folder, undefined, nameOf(this.files))
  }

  /** The log of a node that kept no blocks becomes that of one that does, and the other way around. */
  private renameCurrent(): void {
    const name = nameOf(this.files)
    if (basename(this.path) === `${name}.log` || !existsSync(this.path)) return
    const { genesis, path } = this.current
    this.current.close()
    moveFiles(path.slice(0, -'.log'.length), join(this.folder, name))
    this.current = BlockLog.open(this.folder, genesis, name)
    this.current.mend()
  }

  /** The current log becomes a retained one. */
  private split(): void {
    const { first_block_num: first, head_block_num: last, chain_id } = this.current
    const { retained_dir = this.folder } = this.files
    const name = nameOf(this.files)
    const stem = join(retained_dir, `${name}-${first}-${last}`)
    try {
      this.current.syncNow()
      this.current.close()
      makeFolder(retained_dir)
      moveFiles(join(this.folder, name), stem)
    } catch (error) {
      failAs('block_log_append_fail', `cannot split ${this.path}`, error)
    }
    this.retained.push({ stem, first, last, log: undefined, last_used: 0 })
    this.current = BlockLog.open(this.folder, undefined, name)
    this.current.begin({ chain_id: chain_id!, first_block_num: last + 1 })
  }

  private opened(retained: RetainedLog): BlockLog {
    retained.log ??= BlockLog.openReadOnly(`${retained.stem}.log`)
    retained.last_used = ++this.uses
    const open = this.retained.filter(({ log }) => log !== undefined)
    if (open.length > MAX_OPEN) {
      const oldest = open.reduce((a, b) => (a.last_used < b.last_used ? a : b))
      oldest.log!.close()
      oldest.log = undefined
    }
    return retained.log
  }
}

function nameOf(files: BlockLogFiles): string {
  return keepsNone(files) ? RECENT : BLOCKS
}

/**
 * Renames a log and what is beside it, the log last: what is beside it can be made again. Where the new name exists
 * already with these blocks, the old one is removed.
 * @throws ChainError block_log_exception if the new name has something else
 */
function moveFiles(from: string, to: string): void {
  makeFolder(dirname(to))
  const [log, existing] = [`${from}.log`, `${to}.log`]
  check(
    !existsSync(existing) || statSync(existing).size === statSync(log).size,
    'block_log_exception',
    `${existing} exists, and is not the same as ${log}: move it to another folder`,
  )
  for (const extension of EXTENSIONS) {
    const [old_path, new_path] = [`${from}.${extension}`, `${to}.${extension}`]
    if (!existsSync(old_path)) continue
    if (extension === 'log' && existsSync(new_path)) rmSync(old_path)
    else renameSync(old_path, new_path)
  }
  for (const folder of new Set([dirname(to), dirname(from)])) syncFolder(folder)
}

function removeFiles(stem: string): void {
  for (const extension of EXTENSIONS.toReversed()) rmSync(`${stem}.${extension}`, { force: true })
  syncFolder(dirname(stem))
}
