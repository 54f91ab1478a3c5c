/**
 * The bytes of history logs. An entry is a header (magic, id of the block, size of what follows), the sizes of
 * the payload, the payload as a zlib stream, and the position of the entry. Numbers are little-endian.
 * The index has the position of each block's entry.
 * spring: libraries/state_history/include/eosio/state_history/log.hpp
 */
import { inflateSync } from 'node:zlib'
import { N } from '../../protocol/name.ts'
import { readAt } from '../../store/file.ts'

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

/** The magic of a log's first entry, which tells whether blocks were removed from the log. */
export function packMagic(is_pruned: boolean): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(is_pruned ? MAGIC | PRUNED : MAGIC)
  return bytes
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
    if ((error as { code?: string }).code?.startsWith('Z_') === true) return false
    throw error
  }
}

/**
 * Packs an entry. The payload is not compressed, as in the reference: it becomes a zlib stream of stored blocks.
 * @param blocks_in_log ends a pruned log
 */
export function packEntry(
  block_id: Uint8Array,
  payload: Uint8Array,
  position: number,
  { is_first_of_pruned, blocks_in_log }: { is_first_of_pruned: boolean; blocks_in_log?: number },
): Buffer {
  const stored_blocks = Math.max(1, Math.ceil(payload.length / STORED_BLOCK))
  const payload_size = SIZES + 2 + 5 * stored_blocks + payload.length + 4
  const trailer = blocks_in_log === undefined ? 0 : TRAILER
  const bytes = Buffer.allocUnsafe(HEADER + payload_size + SUFFIX + trailer)
  bytes.set(packMagic(is_first_of_pruned))
  bytes.set(block_id, 8)
  let at = bytes.writeBigUInt64LE(BigInt(payload_size), 40)
  at = bytes.writeUInt32LE(WITH_PLAIN_SIZE, at)
  at = bytes.writeBigUInt64LE(BigInt(payload.length), at)
  // Deflate with a window of 32 KiB, level 0.
  at = bytes.writeUInt16BE(0x7801, at)
  for (let i = 0; i < stored_blocks; i++) {
    const part = payload.subarray(i * STORED_BLOCK, (i + 1) * STORED_BLOCK)
    at = bytes.writeUInt8(i + 1 === stored_blocks ? 1 : 0, at)
    at = bytes.writeUInt16LE(part.length, at)
    at = bytes.writeUInt16LE(part.length ^ 0xffff, at)
    bytes.set(part, at)
    at += part.length
  }
  at = bytes.writeUInt32BE(adler32(payload), at)
  at = bytes.writeBigUInt64LE(BigInt(position), at)
  if (blocks_in_log !== undefined) bytes.writeUInt32LE(blocks_in_log, at)
  return bytes
}

/** Sums of so many bytes stay within 32 bits. RFC 1950 */
const ADLER_RUN = 3800
const ADLER_MODULUS = 65521

function adler32(bytes: Uint8Array): number {
  let a = 1
  let b = 0
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(at + ADLER_RUN, bytes.length)
    for (; at < end; at++) {
      a += bytes[at] as number
      b += a
    }
    a %= ADLER_MODULUS
    b %= ADLER_MODULUS
  }
  return ((b << 16) | a) >>> 0
}
