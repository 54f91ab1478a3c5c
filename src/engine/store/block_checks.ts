/**
 * The checksums of the blocks of a block log, in a file beside it: `blocks.check`. The format of
 * the log itself is the reference's, which has no checksums.
 *
 * The file is [magic u32][version u32][crc32 of the log's preamble u32][its complement u32], then
 * for each block of the log, in order, [crc32 of the packed block u32][its complement u32]. Numbers
 * are little-endian. An entry that is missing, or whose halves do not match, says nothing about its
 * block, so damage to this file or its loss is harmless. A file of another log is not used.
 */
import { closeSync, existsSync, fstatSync, ftruncateSync, openSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { readAt, syncFile, writeAt } from './file.ts'

const MAGIC = 0x4b434850
const VERSION = 1
const HEADER_BYTES = 16
const ENTRY_BYTES = 8
const DAMAGED = Buffer.alloc(ENTRY_BYTES, 0xff)

/** Whether a block is the one whose checksum was written; damaged: it was not, and that is known. */
export type CheckResult = 'equal' | 'different' | 'damaged' | 'unknown'

/**
 * The file of checksums beside a block log. Missing or damaged entries say nothing about their
 * blocks, so the loss of this file is harmless.
 */
export class BlockChecks {
  private readonly path: string
  private fd = -1
  private is_writable = false
  /** Entries by the slot of the first that were written before the file was open for writing. */
  private readonly waiting = new Map<number, Buffer>()

  /** @param path of the file of checksums, which may be missing */
  constructor(path: string) {
    this.path = path
  }

  /** Opens the file for a log with this preamble, to read it only. */
  openReadOnly(preamble: Uint8Array): void {
    if (!existsSync(this.path)) return
    this.fd = openSync(this.path, 'r')
    if (!readAt(this.fd, 0, HEADER_BYTES).equals(header(preamble))) this.close()
  }

  /** Opens the file for writing. Creates it if it is missing or belongs to another log. */
  openForWriting(preamble: Uint8Array): void {
    this.close()
    this.fd = openSync(this.path, existsSync(this.path) ? 'r+' : 'w+')
    this.is_writable = true
    if (!readAt(this.fd, 0, HEADER_BYTES).equals(header(preamble))) {
      ftruncateSync(this.fd, 0)
      writeAt(this.fd, 0, header(preamble))
    }
    for (const [slot, entry] of this.waiting) writeAt(this.fd, positionOf(slot), entry)
    this.waiting.clear()
  }

  /** Compares a packed block with what was written for it; `slot` counts the blocks of the log from 0. */
  compare(slot: number, packed: Uint8Array): CheckResult {
    return this.reader(slot, 1)(slot, packed)
  }

  /** Compares blocks from `slot` on, `count` at most, whose checksums are read at once. */
  reader(slot: number, count: number): (slot: number, packed: Uint8Array) => CheckResult {
    const entries =
      this.fd < 0 ? Buffer.alloc(0) : readAt(this.fd, positionOf(slot), ENTRY_BYTES * count)
    return (other, packed) => {
      const at = ENTRY_BYTES * (other - slot)
      if (at + ENTRY_BYTES > entries.length) return 'unknown'
      const entry = entries.subarray(at, at + ENTRY_BYTES)
      if (entry.equals(DAMAGED)) return 'damaged'
      const sum = entry.readUInt32LE(0)
      if (sum !== ~entry.readUInt32LE(4) >>> 0) return 'unknown'
      return sum === crc32(packed) ? 'equal' : 'different'
    }
  }

  /** Writes the checksums of packed blocks from `slot` on, as soon as the file is open for writing. */
  write(slot: number, packed_blocks: readonly Uint8Array[]): void {
    this.writeEntries(slot, Buffer.concat(packed_blocks.map((packed) => pair(crc32(packed)))))
  }

  /** Writes that a block is damaged, as soon as the file is open for writing. */
  writeDamaged(slot: number): void {
    this.writeEntries(slot, DAMAGED)
  }

  private writeEntries(slot: number, entries: Buffer): void {
    if (this.is_writable) writeAt(this.fd, positionOf(slot), entries)
    else this.waiting.set(slot, entries)
  }

  /** Forgets the checksums of all blocks but the first `count` ones. */
  truncate(count: number): void {
    if (fstatSync(this.fd).size > positionOf(count)) ftruncateSync(this.fd, positionOf(count))
  }

  /** Resolves when what was written is on the disk. */
  async sync(): Promise<void> {
    if (this.fd >= 0) await syncFile(this.fd)
  }

  /** Closes the file. */
  close(): void {
    if (this.fd >= 0) closeSync(this.fd)
    this.fd = -1
    this.is_writable = false
  }
}

function positionOf(slot: number): number {
  return HEADER_BYTES + ENTRY_BYTES * slot
}

function header(preamble: Uint8Array): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt32LE(MAGIC, 0)
  bytes.writeUInt32LE(VERSION, 4)
  return Buffer.concat([bytes, pair(crc32(preamble))])
}

/** A checksum and its complement: bytes that were never written are not such a pair. */
function pair(sum: number): Buffer {
  const bytes = Buffer.allocUnsafe(ENTRY_BYTES)
  bytes.writeUInt32LE(sum, 0)
  bytes.writeUInt32LE(~sum >>> 0, 4)
  return bytes
}
