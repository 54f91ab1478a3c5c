/**
 * The accepted blocks after the irreversible ones, in order of acceptance: `reversible.log`.
 *
 * The file is [magic u32][version u32], then records of [length u32][crc32 u32][packed block], numbers
 * little-endian; the checksum is of the length and the block.
 *
 * Invariants:
 * - When `append` returns, the record is on the disk itself, so a block that is announced afterwards
 *   outlives the machine; or, if the caller wants it so, it is with the operating system, and outlives
 *   the process.
 * - A record that is cut off or damaged ends the file: what follows is dropped when it is opened.
 * - `rewrite` replaces the file as a whole: a crash leaves the old one or the new one.
 */
import { closeSync, existsSync, fstatSync, fsyncSync, ftruncateSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { check } from '../errors.ts'
import { failAs, makeFolder, readAt, replaceFile, writeAt } from './file.ts'

const MAGIC = 0x4c565250
const VERSION = 1
const FILE_HEADER = 8
const RECORD_HEADER = 8

export interface ReversibleLogOptions {
  /** Whether `append` waits for the disk itself. Default true. */
  sync_each_block?: boolean
}

export class ReversibleLog {
  readonly path: string
  /** What the file held when it was opened. */
  readonly blocks: readonly Uint8Array[]
  /** Bytes at its end that were no whole record, and are dropped. */
  readonly dropped_bytes: number
  private readonly sync: boolean
  private fd: number
  private size: number

  private constructor(folder: string, options: ReversibleLogOptions) {
    this.sync = options.sync_each_block ?? true
    this.path = join(folder, 'reversible.log')
    if (!existsSync(this.path)) replaceFile(this.path, [fileHeader()])
    this.fd = openSync(this.path, 'r+')
    const { blocks, size, dropped_bytes } = this.readAll()
    this.blocks = blocks
    this.size = size
    this.dropped_bytes = dropped_bytes
    ftruncateSync(this.fd, size)
  }

  /** Opens the log in a folder, or makes one. Errors: `reversible_blocks_exception`. */
  static open(folder: string, options: ReversibleLogOptions = {}): ReversibleLog {
    try {
      makeFolder(folder)
      return new ReversibleLog(folder, options)
    } catch (error) {
      failAs('reversible_blocks_exception', `cannot open the blocks in ${folder}`, error)
    }
  }

  /** Errors: `reversible_blocks_exception`; the record may then be there or not. */
  append(packed_block: Uint8Array): void {
    const record = packRecord(packed_block)
    try {
      writeAt(this.fd, this.size, record)
      if (this.sync) fsyncSync(this.fd)
    } catch (error) {
      failAs('reversible_blocks_exception', `cannot write ${this.path}`, error)
    }
    this.size += record.length
  }

  /** Replaces the contents, all or nothing. Errors: `reversible_blocks_exception`; nothing may be
   *  appended then, since it is not known which of the two files is there after a power cut. */
  rewrite(packed_blocks: readonly Uint8Array[]): void {
    try {
      this.size = replaceFile(this.path, packFile(packed_blocks))
      closeSync(this.fd)
      this.fd = openSync(this.path, 'r+')
    } catch (error) {
      failAs('reversible_blocks_exception', `cannot write ${this.path}`, error)
    }
  }

  close(): void {
    if (this.fd >= 0) closeSync(this.fd)
    this.fd = -1
  }

  /** Whole records, and where they end. A file without a whole header begins anew. */
  private readAll(): { blocks: Uint8Array[]; size: number; dropped_bytes: number } {
    const bytes = readAt(this.fd, 0, fstatSync(this.fd).size)
    if (bytes.length < FILE_HEADER) {
      writeAt(this.fd, 0, fileHeader())
      return { blocks: [], size: FILE_HEADER, dropped_bytes: 0 }
    }
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
      if (record === undefined) return { blocks, size: at, dropped_bytes: bytes.length - at }
      blocks.push(record)
      at += RECORD_HEADER + record.length
    }
  }
}

function fileHeader(): Buffer {
  const header = Buffer.alloc(FILE_HEADER)
  header.writeUInt32LE(MAGIC, 0)
  header.writeUInt32LE(VERSION, 4)
  return header
}

function* packFile(packed_blocks: readonly Uint8Array[]): Generator<Buffer> {
  yield fileHeader()
  for (const block of packed_blocks) yield packRecord(block)
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
