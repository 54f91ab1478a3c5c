/**
 * Every key of the state store. The first byte says what a record is.
 *
 * | key                          | value                                                         |
 * | ---------------------------- | ------------------------------------------------------------- |
 * | `v`                          | u32: version of this layout                                   |
 * | `h`                          | head: see packHead                                            |
 * | `c`                          | check of the head, all pages and segments (contents_check.ts) |
 * | `p` table u8, lower bound    | page: packed rows of a table, in key order                    |
 * | `s` sequence number u64      | segment: packed changes (state/changes.ts), not in pages yet  |
 *
 * Numbers in keys are big-endian, so that bytes sort as numbers; in values little-endian.
 */
import { Reader } from '../protocol/reader.ts'
import { Writer } from '../protocol/writer.ts'
import type { StoredHead } from './store.ts'

/** Version of this layout. A store with another one is refused. */
export const STORE_VERSION = 2

const VERSION = 0x76
const HEAD = 0x68
const CHECK = 0x63
const PAGE = 0x70
const SEGMENT = 0x73

/** Key of the version of the layout. */
export const VERSION_KEY = Buffer.from([VERSION])
/** Key of the stored head. */
export const HEAD_KEY = Buffer.from([HEAD])
/** Key of the check of the whole contents. */
export const CHECK_KEY = Buffer.from([CHECK])

/** Bounds of all page and all segment keys, for iterators. */
export const PAGES = { gte: Buffer.from([PAGE]), lt: Buffer.from([PAGE + 1]) }
/** Bounds of all segment keys, for iterators. */
export const SEGMENTS = { gte: Buffer.from([SEGMENT]), lt: Buffer.from([SEGMENT + 1]) }

/** Key of the page with the rows of `table` from `bound` on, up to the next page's bound. */
export function pageKey(table: number, bound: Uint8Array): Buffer {
  const key = Buffer.alloc(2 + bound.length)
  key[0] = PAGE
  key[1] = table
  key.set(bound, 2)
  return key
}

/** Table and bound of a page's key. */
export function parsePageKey(key: Buffer): { table: number; bound: Buffer } {
  return { table: key[1] as number, bound: key.subarray(2) }
}

/** The store key of a segment. */
export function segmentKey(sequence: number): Buffer {
  const key = Buffer.alloc(9)
  key[0] = SEGMENT
  key.writeBigUInt64BE(BigInt(sequence), 1)
  return key
}

/** The sequence number in a store key of {@link segmentKey}. */
export function parseSegmentKey(key: Buffer): number {
  return Number(key.readBigUInt64BE(1))
}

/** Head of the stored state and the next ids of the object tables. */
export interface HeadRecord extends StoredHead {
  next_ids: readonly (readonly [number, number])[]
}

/** Packs the head record of the store. */
export function packHead(head: HeadRecord): Buffer {
  const w = new Writer()
  w.u32(head.block_num)
  w.checksum256(head.block_id)
  w.array(head.next_ids, (out, [table, next_id]) => {
    out.u8(table)
    out.u64(BigInt(next_id))
  })
  w.u32(head.head.length)
  w.raw(head.head)
  return Buffer.from(w.bytes())
}

/** Reads the head record of the store. */
export function unpackHead(bytes: Uint8Array): HeadRecord {
  const r = new Reader(bytes)
  const block_num = r.u32()
  const block_id = r.checksum256()
  const next_ids = r.array((from) => [from.u8(), Number(from.u64())] as const)
  return { block_num, block_id, next_ids, head: r.bytes(r.u32()) }
}

/** Packs the version of the store's format. */
export function packVersion(version: number): Buffer {
  const value = Buffer.alloc(4)
  value.writeUInt32LE(version)
  return value
}
