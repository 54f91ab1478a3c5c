/**
 * The accepted blocks after the irreversible ones, in order of acceptance: `reversible.log`.
 *
 * The file is [magic u32][version u32], then records of [length u32][crc32 u32][packed block], numbers
 * little-endian; the checksum is of the length and the block.
 *
 * Invariants:
 * - `append` hands the record to the operating system before it returns, so a block that is announced
 *   afterwards outlives the process. Whether it outlives the machine at once is the caller's choice.
 * - A record that is cut off or damaged ends the file: what follows is dropped when it is opened.
 * - `rewrite` replaces the file as a whole: a crash leaves the old one or the new one.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { check } from '../errors.ts'
import { readAt, syncFolder, writeAt } from './file.ts'

const MAGIC = 0x4c565250
const VERSION = 1
const FILE_HEADER = 8
const RECORD_HEADER = 8

export interface ReversibleLogOptions {
  /** Sync each block to the disk itself before it is announced. Default false. */
  sync_each_block?: boolean
}

export class ReversibleLog {
  readonly path: string
  /** What the file held when it was opened. */
  readonly blocks: readonly Uint8Array[]
  private readonly folder: string
  private readonly sync: boolean
  private fd: number
  private size: number

  private constructor(folder: string, options: ReversibleLogOptions) {
    this.folder = folder
    this.sync = options.sync_each_block ?? false
    this.path = join(folder, 'reversible.log')
    const is_new = !existsSync(this.path)
    this.fd = openSync(this.path, is_new ? 'w+' : 'r+')
    const { blocks, size } = this.readAll()
    this.blocks = blocks
    this.size = size
    ftruncateSync(this.fd, size)
    if (is_new) syncFolder(folder)
  }

  /** Opens the log in a folder, or makes one. Errors: `reversible_blocks_exception`. */
  static open(folder: string, options: ReversibleLogOptions = {}): ReversibleLog {
    mkdirSync(folder, { recursive: true })
    return new ReversibleLog(folder, options)
  }

  append(packed_block: Uint8Array): void {
    const record = packRecord(packed_block)
    writeAt(this.fd, this.size, record)
    if (this.sync) fsyncSync(this.fd)
    this.size += record.length
  }

  /** Replaces the contents, all or nothing. */
  rewrite(packed_blocks: readonly Uint8Array[]): void {
    const temporary = `${this.path}.new`
    const fd = openSync(temporary, 'w+')
    let size = writeHeader(fd)
    for (const block of packed_blocks) {
      const record = packRecord(block)
      writeAt(fd, size, record)
      size += record.length
    }
    fsyncSync(fd)
    renameSync(temporary, this.path)
    syncFolder(this.folder)
    closeSync(this.fd)
    this.fd = fd
    this.size = size
  }

  close(): void {
    if (this.fd >= 0) closeSync(this.fd)
    this.fd = -1
  }

  /** Whole records, and where they end. A file without a whole header begins anew. */
  private readAll(): { blocks: Uint8Array[]; size: number } {
    const bytes = readAt(this.fd, 0, fstatSync(this.fd).size)
    if (bytes.length < FILE_HEADER) return { blocks: [], size: writeHeader(this.fd) }
    check(
      bytes.readUInt32LE(0) === MAGIC,
      'reversible_blocks_exception',
      `${this.path} is not a log of reversible blocks`,
    )
    const version = bytes.readUInt32LE(4)
    check(
      version === VERSION,
      'reversible_blocks_exception',
      `${this.path} has version ${version}; this program reads version ${VERSION}`,
    )
    const blocks: Uint8Array[] = []
    let at = FILE_HEADER
    for (;;) {
      const record = recordAt(bytes, at)
      if (record === undefined) return { blocks, size: at }
      blocks.push(record)
      at += RECORD_HEADER + record.length
    }
  }
}

function writeHeader(fd: number): number {
  const header = Buffer.alloc(FILE_HEADER)
  header.writeUInt32LE(MAGIC, 0)
  header.writeUInt32LE(VERSION, 4)
  writeAt(fd, 0, header)
  return FILE_HEADER
}

function packRecord(block: Uint8Array): Buffer {
  const record = Buffer.allocUnsafe(RECORD_HEADER + block.length)
  record.writeUInt32LE(block.length, 0)
  record.set(block, RECORD_HEADER)
  record.writeUInt32LE(checksum(record.subarray(0, 4), block), 4)
  return record
}

/** The block of a whole record; undefined where it is cut off or damaged. */
function recordAt(bytes: Buffer, at: number): Uint8Array | undefined {
  if (at + RECORD_HEADER > bytes.length) return undefined
  const end = at + RECORD_HEADER + bytes.readUInt32LE(at)
  if (end > bytes.length) return undefined
  const block = bytes.subarray(at + RECORD_HEADER, end)
  const expected = bytes.readUInt32LE(at + 4)
  return checksum(bytes.subarray(at, at + 4), block) === expected ? block : undefined
}

function checksum(length: Uint8Array, block: Uint8Array): number {
  return crc32(block, crc32(length))
}
