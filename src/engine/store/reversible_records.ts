/**
 * The format of `reversible.log`.
 *
 * The file is [magic u32][version u32][mark, 8 bytes][crc32 u32 of these], then records of [length
 * u32][crc32 u32][packed block][mark]. Numbers are little-endian. The checksum covers the length
 * and the block. The highest bit of the length says that the block was not executed yet.
 *
 * A record is written and synced first, its mark after that. So a bad record with the mark anywhere
 * after it was complete once: it is damaged. A bad record without a mark after it is the result of
 * an interrupted write. Of records that are synced together, the last one has the mark, and the others have its
 * complement in its place, which says where a record ends, and not that it was complete. The mark differs from file
 * to file, so no block can contain it, or its complement, by intent.
 * Version 1 has no marks: a bad record is damaged if a complete one is found after it.
 */
import { crc32 } from 'node:zlib'
import { check } from '../errors.ts'

/** A block in the file. */
export interface ReversibleRecord {
  packed: Uint8Array
  /** False: the block was received, and a finalizer of this node voted on it, but it was not executed. */
  executed: boolean
}

/** The contents of a file. */
export interface ReversibleContents {
  /** Undefined in a file without marks, or when the header is damaged. */
  mark: Uint8Array | undefined
  /** All complete records in order, also those after damage. */
  records: ReversibleRecord[]
  /** The end of the last complete record, without its mark. */
  end: number
  /** Bytes at the end of a record whose writing was interrupted. */
  torn_bytes: number
  /** The first byte of what is damaged; undefined when nothing is. */
  damaged_at: number | undefined
}

const MAGIC = 0x4c565250
const VERSION = 2
/** Bytes of the mark that follows a complete record. */
export const MARK_SIZE = 8
const HEADER_SIZE = 20
const HEADER_SIZE_V1 = 8
const RECORD_HEADER = 8
const NOT_EXECUTED = 0x8000_0000
/**
 * The position in a packed block of the parent's id, whose first four bytes are the parent's
 * number.
 */
const PREVIOUS_AT = 14
/**
 * The maximum difference between the number of a block after damage and that of the block before
 * it.
 */
const NUMBERS = 100_000

/** The bytes of a whole file. */
export function* packReversible(
  mark: Uint8Array,
  records: readonly ReversibleRecord[],
): Generator<Uint8Array> {
  const header = Buffer.alloc(HEADER_SIZE)
  header.writeUInt32LE(MAGIC, 0)
  header.writeUInt32LE(VERSION, 4)
  header.set(mark, 8)
  header.writeUInt32LE(crc32(header.subarray(0, 16)), 16)
  yield header
  for (const record of records) {
    yield packRecord(record)
    yield mark
  }
}

/**
 * Records that are written and synced together, without the mark of the last one: a mark must not be on the disk
 * before its record is.
 */
export function packRecords(mark: Uint8Array, records: readonly ReversibleRecord[]): Buffer {
  const between = complement(mark)
  const parts = records.flatMap((record) => [between, packRecord(record)])
  return Buffer.concat(parts.slice(1))
}

function complement(mark: Uint8Array): Uint8Array {
  return mark.map((byte) => ~byte)
}

function packRecord({ packed, executed }: ReversibleRecord): Buffer {
  const record = Buffer.allocUnsafe(RECORD_HEADER + packed.length)
  record.writeUInt32LE((packed.length | (executed ? 0 : NOT_EXECUTED)) >>> 0, 0)
  record.set(packed, RECORD_HEADER)
  record.writeUInt32LE(checksum(record.subarray(0, 4), packed), 4)
  return record
}

/**
 * Reads a whole file; undefined when it is empty. A file with another header is damaged from its first byte, with the
 * complete records that follow.
 * @throws reversible_blocks_exception for a file of a newer program
 */
export function unpackReversible(bytes: Buffer, path: string): ReversibleContents | undefined {
  if (bytes.length === 0) return undefined
  if (bytes.length >= HEADER_SIZE_V1 && bytes.readUInt32LE(0) === MAGIC) {
    const version = bytes.readUInt32LE(4)
    if (version === 1) return readVersion1(bytes)
    const is_whole =
      bytes.length >= HEADER_SIZE && bytes.readUInt32LE(16) === crc32(bytes.subarray(0, 16))
    check(
      !is_whole || version === VERSION,
      'reversible_blocks_exception',
      `${path} has version ${version}; this program reads versions 1 and ${VERSION}`,
    )
    if (is_whole) return readRecords(bytes, bytes.subarray(8, 16))
  }
  return { ...readRecords(bytes, undefined), damaged_at: 0 }
}

/** @param mark undefined when it is not known, since the header is damaged */
function readRecords(bytes: Buffer, mark: Uint8Array | undefined): ReversibleContents {
  const records: ReversibleRecord[] = []
  let damaged_at: number | undefined
  let torn_bytes = 0
  let end = Math.min(HEADER_SIZE, bytes.length)
  let at = end
  while (at < bytes.length) {
    const record = recordAt(bytes, at)
    if (record !== undefined) {
      records.push(record)
      end = at + RECORD_HEADER + record.packed.length
      // A mark with a wrong byte is harmless: the following record shows whether it is damaged.
      at = end + MARK_SIZE
      continue
    }
    const next = mark === undefined ? -1 : bytes.indexOf(mark, at)
    if (next < 0) {
      torn_bytes = bytes.length - at
      break
    }
    damaged_at ??= at
    const within = bytes.subarray(0, next).indexOf(complement(mark!), at)
    const stop = within < 0 ? next : within
    at = recordBefore(bytes, stop, at) ?? stop + MARK_SIZE
  }
  return { mark: mark?.slice(), records, end, torn_bytes, damaged_at }
}

/**
 * The start of the record that ends at `end`, if it is after `from`: the mark before it may be
 * damaged.
 */
function recordBefore(bytes: Buffer, end: number, from: number): number | undefined {
  for (let at = from + 1; at < end - RECORD_HEADER; at++) {
    const length = bytes.readUInt32LE(at) & ~NOT_EXECUTED
    if (length === end - at - RECORD_HEADER && recordAt(bytes, at)) return at
  }
  return undefined
}

function readVersion1(bytes: Buffer): ReversibleContents {
  const records: ReversibleRecord[] = []
  let damaged_at: number | undefined
  let end = HEADER_SIZE_V1
  let torn_bytes = 0
  while (end < bytes.length) {
    const record = recordAt(bytes, end)
    if (record === undefined) {
      const next = behindDamage(bytes, end, records.at(-1)?.packed)
      if (next === undefined) {
        torn_bytes = bytes.length - end
        break
      }
      damaged_at ??= end
      end = next
      continue
    }
    records.push(record)
    end += RECORD_HEADER + record.packed.length
  }
  return { mark: undefined, records, end, torn_bytes, damaged_at }
}

/**
 * The position of the next complete record of a file without marks. It looks for block numbers near
 * that of `before`, because computing the checksum at every position would take too long.
 */
function behindDamage(
  bytes: Buffer,
  from: number,
  before: Uint8Array | undefined,
): number | undefined {
  if (before === undefined) return undefined
  const expected = Buffer.from(before).readUInt32BE(PREVIOUS_AT)
  const last = bytes.length - RECORD_HEADER - PREVIOUS_AT - 4
  for (let at = from + 1; at <= last; at++) {
    const found = bytes.readUInt32BE(at + RECORD_HEADER + PREVIOUS_AT)
    if (Math.abs(found - expected) <= NUMBERS && recordAt(bytes, at)) return at
  }
  return undefined
}

/** A complete record; undefined if it is truncated or damaged. */
function recordAt(bytes: Buffer, at: number): ReversibleRecord | undefined {
  if (at + RECORD_HEADER > bytes.length) return undefined
  const word = bytes.readUInt32LE(at)
  const end = at + RECORD_HEADER + (word & ~NOT_EXECUTED)
  if (end > bytes.length || end === at + RECORD_HEADER) return undefined
  const packed = bytes.subarray(at + RECORD_HEADER, end)
  const expected = bytes.readUInt32LE(at + 4)
  if (checksum(bytes.subarray(at, at + 4), packed) !== expected) return undefined
  return { packed, executed: word < NOT_EXECUTED }
}

function checksum(length: Uint8Array, packed: Uint8Array): number {
  return crc32(packed, crc32(length))
}
