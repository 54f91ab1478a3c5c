/**
 * The accepted blocks after the irreversible ones, in order of acceptance: `reversible.log`. {@link
 * unpackReversible} defines the format.
 *
 * Invariants:
 * - When `append` returns, the records are on the disk, so a crash of the machine does not lose a
 *   block that is announced afterwards. If the caller chose so, they are only with the
 *   operating system, and a crash of the process does not lose them.
 * - Opening changes nothing. The first change cuts off an incomplete record at the end; nothing in
 *   it was announced.
 * - A damaged file is not opened, unless the caller accepts damage: then the complete records are
 *   used, and the file is kept under another name.
 * - `rewrite` replaces the file atomically: a crash leaves the old one or the new one.
 */
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { check } from '../errors.ts'
import { failAs, isSystemError, makeFolder, replaceFile, writeAt } from './file.ts'
import { MARK_SIZE, packRecords, packReversible, unpackReversible } from './reversible_records.ts'
import type { ReversibleContents, ReversibleRecord } from './reversible_records.ts'
import { setAside } from './set_aside.ts'
import { SyncThread } from './sync_thread.ts'

/** Options of the reversible log. */
export interface ReversibleLogOptions {
  /** Eight bytes that no sender of a transaction can know: what a new file has behind each record. */
  mark: Uint8Array
  /** Whether `append` syncs the file. Default true. */
  sync_each_block?: boolean
  /** Opens a damaged file too. Default false. */
  accept_damage?: boolean
  /** A text for the error that says how to proceed after damage. */
  way_out?: string
}

/**
 * The log of reversible blocks. When `append` returns, the records are on the disk, or with the
 * operating system if `sync_each_block` is off. Opening the log changes no file.
 */
export class ReversibleLog {
  readonly path: string
  /** The contents of the file when it was opened, without the damaged records. */
  readonly records: readonly ReversibleRecord[]
  /** Bytes of an incomplete record at its end. */
  readonly dropped_bytes: number
  /** The file did not exist, or was empty. */
  readonly is_missing: boolean
  /** The first damaged byte, if there is damage. */
  readonly damaged_at: number | undefined
  private readonly syncs_each_block: boolean
  private readonly mark: Uint8Array
  /** Whether `append` can continue the file, possibly after an incomplete end was cut off. */
  private readonly is_usable: boolean
  private fd = -1
  private sync_thread: SyncThread | undefined
  /** The position of the next record. */
  private size: number

  private constructor(folder: string, options: ReversibleLogOptions) {
    this.path = join(folder, 'reversible.log')
    this.syncs_each_block = options.sync_each_block ?? true
    const contents = readContents(this.path)
    this.is_missing = contents === undefined
    this.records = contents?.records ?? []
    this.dropped_bytes = contents?.torn_bytes ?? 0
    this.damaged_at = contents?.damaged_at
    this.mark = contents?.mark ?? options.mark
    this.is_usable = contents?.mark !== undefined && this.damaged_at === undefined
    this.size = contents?.end ?? 0
    check(
      this.damaged_at === undefined || options.accept_damage,
      'reversible_blocks_exception',
      `${this.path} is damaged at byte ${this.damaged_at}${options.way_out ?? ''}`,
    )
  }

  /**
   * Reads the log in a folder; nothing is changed.
   * @throws ChainError `reversible_blocks_exception`
   */
  static open(folder: string, options: ReversibleLogOptions): ReversibleLog {
    return reporting(`cannot open the blocks in ${folder}`, () => {
      makeFolder(folder)
      return new ReversibleLog(folder, options)
    })
  }

  /**
   * Prepares the file for writing, which otherwise the first change does: creates a missing file,
   * and cuts off an incomplete end.
   * @returns where a damaged file is kept; undefined if it was not damaged
   * @throws reversible_blocks_exception
   */
  mend(): string | undefined {
    if (this.fd >= 0) return undefined
    return reporting(`cannot write ${this.path}`, () => {
      const kept = this.damaged_at === undefined ? undefined : setAside(this.path)
      if (!this.is_usable) this.replace(this.records)
      else {
        this.fd = openSync(this.path, 'r+')
        ftruncateSync(this.fd, this.size)
        fsyncSync(this.fd)
        if (this.records.length > 0) this.writeMark()
      }
      return kept
    })
  }

  /**
   * Adds at least one record.
   * @param meanwhile does a small part of other work while the disk is waited for, and returns whether there was any
   * @throws ChainError `reversible_blocks_exception`; each record may then be there or not
   */
  append(records: readonly ReversibleRecord[], meanwhile?: () => boolean): void {
    this.mend()
    const bytes = packRecords(this.mark, records)
    reporting(`cannot write ${this.path}`, () => {
      writeAt(this.fd, this.size, bytes)
      if (this.syncs_each_block) this.sync(meanwhile)
      this.size += bytes.length
      this.writeMark()
    })
  }

  /**
   * Replaces the contents atomically. After an error nothing may be appended, because it is not
   * known which of the two files exists after a power loss.
   * @throws ChainError reversible_blocks_exception
   */
  rewrite(records: readonly ReversibleRecord[]): void {
    this.mend()
    reporting(`cannot write ${this.path}`, () => this.replace(records))
  }

  /** Closes the file. */
  close(): void {
    void this.sync_thread?.close()
    this.sync_thread = undefined
    if (this.fd >= 0) closeSync(this.fd)
    this.fd = -1
  }

  private sync(meanwhile: (() => boolean) | undefined): void {
    if (meanwhile !== undefined) {
      this.sync_thread ??= new SyncThread()
      return this.sync_thread.sync(this.fd, meanwhile)
    }
    // It takes memory.
    void this.sync_thread?.close()
    this.sync_thread = undefined
    fsyncSync(this.fd)
  }

  private replace(records: readonly ReversibleRecord[]): void {
    this.size = replaceFile(this.path, packReversible(this.mark, records))
    this.close()
    this.fd = openSync(this.path, 'r+')
  }

  /** The next sync also writes this to the disk. */
  private writeMark(): void {
    writeAt(this.fd, this.size, this.mark)
    this.size += MARK_SIZE
  }
}

function readContents(path: string): ReversibleContents | undefined {
  try {
    return unpackReversible(readFileSync(path), path)
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Does what may be refused by the system, and says what it was then. */
function reporting<T>(what: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    failAs('reversible_blocks_exception', what, error)
  }
}
