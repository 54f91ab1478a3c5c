import type { Log } from '../../log.ts'
import { closeSync, mkdirSync, openSync, readFileSync, readdirSync, renameSync } from 'node:fs'
import { rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { toHex } from '../../protocol/hex.ts'
import { MAGIC, packCodeFile, unpackCodeFile } from './code_file.ts'
import { countsDepth } from './prepared_code.ts'
import type { PreparationTask, PreparedCode } from './prepared_code.ts'
import type { PreparedCodeStore } from './preparer.ts'

const ENDING = '.code'
const TEMPORARY = '.tmp'

/**
 * Prepared codes as files of one folder, each named by the hash of its code and its form. Nothing
 * is lost with a file: what is missing, damaged or of another version is made again from the code.
 * So files are renamed to their names without being synced, and no failure of the disk is one of the node.
 * Where the folder holds more than it may, the files that were not used for longest are removed.
 */
export class DiskCodeStore implements PreparedCodeStore {
  private readonly folder: string
  private readonly max_bytes: number
  private readonly log: Log
  /** Total bytes of the files; undefined until the folder was read. */
  private bytes: number | undefined
  /** A write failed. It is reported once, and no further write is attempted. */
  private broken = false

  constructor(folder: string, max_bytes: number, log: Log) {
    this.folder = folder
    this.max_bytes = max_bytes
    this.log = log
  }

  read(task: PreparationTask): PreparedCode | undefined {
    const { code_hash, movable_memory, max_call_depth } = task
    const path = this.pathOf(code_hash, movable_memory)
    let file: Uint8Array
    try {
      file = readFileSync(path)
    } catch (error) {
      // No file is what a code that is new has.
      if (codeOf(error) !== 'ENOENT') this.fail('cannot read', error)
      return undefined
    }
    const prepared = unpackCodeFile(file, code_hash)
    if (typeof prepared === 'string') {
      if (prepared === 'damaged') this.log('warn', `${path} is damaged: it is made again`)
      this.attempt('cannot remove', () => this.remove(path, file.length))
      return undefined
    }
    // The limit of nested calls is another one now.
    if (prepared.form.count_depth !== countsDepth(prepared.facts, max_call_depth)) return undefined
    this.attempt('cannot mark', () => markUsed(path))
    return prepared
  }

  write(code_hash: Uint8Array, prepared: PreparedCode): void {
    if (this.broken) return
    const path = this.pathOf(code_hash, prepared.form.movable_memory)
    const file = packCodeFile(code_hash, prepared)
    if (file.length > this.max_bytes) return
    this.attempt('cannot write', () => {
      this.bytes ??= this.open()
      this.bytes -= sizeOf(path)
      writeFileSync(path + TEMPORARY, file)
      renameSync(path + TEMPORARY, path)
      this.bytes += file.length
      if (this.bytes > this.max_bytes) this.evict()
    })
  }

  /** Makes the folder, and removes what a stop in the middle of a write left. */
  private open(): number {
    mkdirSync(this.folder, { recursive: true })
    let bytes = 0
    for (const name of readdirSync(this.folder)) {
      const path = join(this.folder, name)
      if (name.endsWith(TEMPORARY)) rmSync(path, { force: true })
      else if (name.endsWith(ENDING)) bytes += sizeOf(path)
    }
    return bytes
  }

  private evict(): void {
    const files = readdirSync(this.folder)
      .filter((name) => name.endsWith(ENDING))
      .map((name) => join(this.folder, name))
      .map((path) => ({ path, stats: statSync(path, { throwIfNoEntry: false }) }))
      .sort((a, b) => (a.stats?.mtimeMs ?? 0) - (b.stats?.mtimeMs ?? 0))
    this.bytes = files.reduce((sum, { stats }) => sum + (stats?.size ?? 0), 0)
    for (const { path, stats } of files) {
      if (this.bytes <= this.max_bytes) return
      this.remove(path, stats?.size ?? 0)
    }
  }

  private remove(path: string, size: number): void {
    rmSync(path, { force: true })
    if (this.bytes !== undefined) this.bytes -= size
  }

  private pathOf(code_hash: Uint8Array, movable_memory: boolean): string {
    return join(this.folder, `${toHex(code_hash)}${movable_memory ? '.movable' : ''}${ENDING}`)
  }

  private attempt(what: string, act: () => void): void {
    try {
      act()
    } catch (error) {
      this.fail(what, error)
    }
  }

  private fail(what: string, error: unknown): void {
    if (codeOf(error) === undefined) throw error
    if (!this.broken) {
      const reason = (error as Error).message
      this.log('warn', `${what} prepared code, the node continues without storing it: ${reason}`)
    }
    this.broken = true
  }
}

/** Writes the first byte again, which dates the file by the clock of its disk. */
function markUsed(path: string): void {
  const file = openSync(path, 'r+')
  try {
    writeSync(file, MAGIC, 0, 1, 0)
  } finally {
    closeSync(file)
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}
