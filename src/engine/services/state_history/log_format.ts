/**
 * The bytes of history logs. An entry is a header (magic, id of the block, size of what follows), the sizes of
 * the payload, the payload as a zlib stream, and the position of the entry. Numbers are little-endian.
 * The index has the position of each block's entry.
 * spring: libraries/state_history/include/eosio/state_history/log.hpp
 */
import { inflateSync } from 'node:zlib'
import { N } from '../../protocol/name.ts'
import { isZlibError } from '../../protocol/zlib_error.ts'
import { readAt } from '../../store/file.ts'
import { adler32 } from './adler32.ts'

/** Bytes of magic, id and size. */
export const HEADER = 48
/** Bytes of the sizes before the payload: a mark of this form, and the size of the plain payload. */
const SIZES = 12
/** Bytes of the position after the payload. */
export const SUFFIX = 8
/** Bytes of the number of blocks at the end of a pruned log. */
export const TRAILER = 4

const MAGIC = N('ship')
const VERSION_BITS = 0xffffn
const PRUNED = 1n << 16n
/** `SIZES` follow the header; smaller entries of old versions have only four bytes there. */
const WITH_PLAIN_SIZE = 1
const OLD_SIZES = 4

/** Most bytes of a stored block of a zlib stream, as the reference writes them. */
const STORED_BLOCK = 32768

/** The header of an entry. */
export interface EntryHeader {
  readonly position: number
  readonly block_id: Uint8Array
  readonly block_num: number
  readonly payload_size: number
  /** Position after the entry. */
  readonly end: number
  /** The first entry of a log from which old blocks were removed. */
  readonly is_pruned: boolean
}

/** The place of a payload in its file. */
export interface PayloadPlace {
  readonly position: number
  /** Bytes of the zlib stream. */
  readonly size: number
  /** Bytes of the payload; old versions did not write them. */
  readonly plain_size: number | undefined
}

/** The number of a block, from its id. */
export function blockNumOfId(id: Uint8Array): number {
  return Buffer.from(id.buffer, id.byteOffset, 4).readUInt32BE()
}

/** The header at a position; undefined if there is none. `unsupported` if its version is not known. */
export function readHeader(fd: number, position: number): EntryHeader | 'unsupported' | undefined {
  const bytes = readAt(fd, position, HEADER)
  if (bytes.length < HEADER) return undefined
  const magic = bytes.readBigUInt64LE()
  if ((magic & 0xffff_ffff_0000_0000n) !== MAGIC) return undefined
  if ((magic & VERSION_BITS) !== 0n) return 'unsupported'
  const payload_size = Number(bytes.readBigUInt64LE(40))
  const block_id = new Uint8Array(bytes.subarray(8, 40))
  return {
    position,
    block_id,
    block_num: blockNumOfId(block_id),
    payload_size,
    end: position + HEADER + payload_size + SUFFIX,
    is_pruned: (magic & PRUNED) !== 0n,
  }
}

/** The entry at a position, if all of it is before `limit` and it ends with its position. */
export function readWhole(fd: number, position: number, limit: number): EntryHeader | undefined {
  if (!(position >= 0 && position + HEADER + SUFFIX <= limit)) return undefined
  const header = readHeader(fd, position)
  if (header === undefined || header === 'unsupported' || header.end > limit) return undefined
  return readPositionBefore(fd, header.end) === position ? header : undefined
}

/** The position that ends the entry before `end`. */
export function readPositionBefore(fd: number, end: number): number {
  return Number(readAt(fd, end - SUFFIX, SUFFIX).readBigUInt64LE())
}

const MAGIC_BYTES = magicBytes(MAGIC)
const PRUNED_BYTES = magicBytes(MAGIC | PRUNED)

function magicBytes(magic: bigint): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(magic)
  return bytes
}

/** The magic of a log's first entry, which says whether blocks were removed from the log. */
export function packMagic(is_pruned: boolean): Uint8Array {
  return is_pruned ? PRUNED_BYTES : MAGIC_BYTES
}

/** Whether bytes can be the begin of a log. */
export function mayBeginLog(bytes: Uint8Array): boolean {
  const part = bytes.subarray(0, 8)
  return [false, true].some((is_pruned) =>
    packMagic(is_pruned)
      .subarray(0, part.length)
      .every((byte, i) => byte === part[i]),
  )
}

/** The place of an entry's payload. */
export function payloadPlace(fd: number, { position, payload_size }: EntryHeader): PayloadPlace {
  const sizes = readAt(fd, position + HEADER, SIZES)
  const is_new = sizes.readUInt32LE() === WITH_PLAIN_SIZE
  const before = is_new ? SIZES : OLD_SIZES
  return {
    position: position + HEADER + before,
    size: payload_size - before,
    plain_size: is_new ? Number(sizes.readBigUInt64LE(4)) : undefined,
  }
}

/** Whether the payload of an entry is a whole zlib stream with the right checksum. */
export function payloadIsWhole(fd: number, header: EntryHeader): boolean {
  const { position, size, plain_size } = payloadPlace(fd, header)
  try {
    const plain = inflateSync(readAt(fd, position, size))
    return plain_size === undefined || plain.length === plain_size
  } catch (error) {
    if (isZlibError(error)) return false
    throw error
  }
}

/** Entries up to this size are made in one buffer: the system need not find the memory of each. */
const KEPT_ENTRY = 1024 * 1024
const entry_buffer = Buffer.alloc(KEPT_ENTRY)

/**
 * Packs an entry. The payload is not compressed, as in the reference: it becomes a zlib stream of stored blocks.
 * Valid until the next call.
 * @param payload its parts, one after the other
 * @param blocks_in_log ends a pruned log
 */
export function packEntry(
  block_id: Uint8Array,
  payload: readonly Uint8Array[],
  position: number,
  { is_first_of_pruned, blocks_in_log }: { is_first_of_pruned: boolean; blocks_in_log?: number },
): Buffer {
  const plain_size = payload.reduce((sum, { length }) => sum + length, 0)
  const stored_blocks = Math.max(1, Math.ceil(plain_size / STORED_BLOCK))
  const payload_size = SIZES + 2 + 5 * stored_blocks + plain_size + 4
  const trailer = blocks_in_log === undefined ? 0 : TRAILER
  const size = HEADER + payload_size + SUFFIX + trailer
  const bytes = size <= KEPT_ENTRY ? entry_buffer.subarray(0, size) : Buffer.allocUnsafe(size)
  bytes.set(packMagic(is_first_of_pruned))
  bytes.set(block_id, 8)
  let at = bytes.writeBigUInt64LE(BigInt(payload_size), 40)
  at = bytes.writeUInt32LE(WITH_PLAIN_SIZE, at)
  at = bytes.writeBigUInt64LE(BigInt(plain_size), at)
  // Deflate with a window of 32 KiB, level 0.
  at = bytes.writeUInt16BE(0x7801, at)
  at = packStored(bytes, at, payload, plain_size)
  at = bytes.writeUInt32BE(payload.reduce(adler32, 1), at)
  at = bytes.writeBigUInt64LE(BigInt(position), at)
  if (blocks_in_log !== undefined) bytes.writeUInt32LE(blocks_in_log, at)
  return bytes
}

/** Writes the parts as stored blocks; answers the position after them. RFC 1951, 3.2.4 */
function packStored(
  bytes: Buffer,
  start: number,
  parts: readonly Uint8Array[],
  size: number,
): number {
  let at = start
  let left = size
  let left_of_block = 0
  const beginBlock = (): void => {
    left_of_block = Math.min(left, STORED_BLOCK)
    at = bytes.writeUInt8(left_of_block === left ? 1 : 0, at)
    at = bytes.writeUInt16LE(left_of_block, at)
    at = bytes.writeUInt16LE(left_of_block ^ 0xffff, at)
  }
  if (size === 0) beginBlock()
  for (const part of parts) {
    for (let from = 0; from < part.length;) {
      if (left_of_block === 0) beginBlock()
      const count = Math.min(left_of_block, part.length - from)
      bytes.set(part.subarray(from, from + count), at)
      from += count
      at += count
      left -= count
      left_of_block -= count
    }
  }
  return at
}
