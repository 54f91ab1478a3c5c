import { ChainError, fail } from '../../errors.ts'
import { blockNumFromId } from '../../protocol/block.ts'
import { Reader } from '../../protocol/reader.ts'
import { ANY_BLOCK, isIn, type SliceRange } from './slice_files.ts'
import {
  BLOCK_ENTRY,
  ENTRY_BLOCK,
  ENTRY_LIB,
  ID,
  LIB_ENTRY,
  unpackEntry,
  type SliceEntry,
} from './trace_format.ts'

/** Version of the index, and the bytes that tell it. */
export const INDEX_VERSION = 1
/** Bytes of the version at the start of an index. */
export const INDEX_HEADER = 4

/** Where the trace of a block is. */
export interface IndexedBlock {
  readonly id: Uint8Array
  readonly offset: number
}

/** An entry with the position after it. */
export interface PlacedEntry {
  readonly entry: SliceEntry
  readonly end: number
}

/** What the index of a slice says: the last entry of a block counts, up to the one that makes it irreversible. */
export class SliceIndex {
  /**
   * Reads an index file. An incomplete entry at its end is left out.
   * @throws ChainError plugin_exception for another version, or if it is damaged
   */
  static read(bytes: Buffer, path: string, range = ANY_BLOCK): SliceIndex {
    const index = new SliceIndex()
    if (bytes.length < INDEX_HEADER) return index
    checkVersion(bytes, path)
    let at = INDEX_HEADER
    for (; at < bytes.length; at += bytes[at] === ENTRY_BLOCK ? BLOCK_ENTRY : LIB_ENTRY) {
      const left = bytes.length - at
      if (bytes[at] === ENTRY_BLOCK && left >= BLOCK_ENTRY) {
        const number = bytes.readUInt32LE(at + 1 + ID)
        if (!isIn(range, number) || bytes.readUInt32BE(at + 1) !== number) break
        const offset = Number(bytes.readBigUInt64LE(at + 1 + ID + 4))
        index.addBlock(number, { id: bytes.subarray(at + 1, at + 1 + ID), offset })
      } else if (bytes[at] === ENTRY_LIB && left >= LIB_ENTRY) {
        const lib = bytes.readUInt32LE(at + 1)
        if (!isIn(range, lib)) break
        index.lib = Math.max(index.lib, lib)
      } else break
    }
    // Fewer bytes may be an entry that was not written to its end.
    if (bytes.length - at >= BLOCK_ENTRY) fail('plugin_exception', `${path} is damaged`)
    return index
  }

  /** The last irreversible block in the index. */
  lib = 0
  private readonly blocks = new Map<number, IndexedBlock>()
  /** Of all traces in the file, also those that others replaced. */
  private readonly offsets: number[] = []

  /** The place of a block's trace; undefined if there is none. */
  get(block_num: number): IndexedBlock | undefined {
    return this.blocks.get(block_num)
  }

  /** Where the trace at an offset ends at the latest: where the next one begins. Infinity for the last one. */
  endOf(offset: number): number {
    return this.offsets.reduce(
      (end, other) => (other > offset ? Math.min(end, other) : end),
      Infinity,
    )
  }

  /** Whether the index says that the block is irreversible. */
  isIrreversible(block_num: number): boolean {
    return this.lib >= block_num
  }

  /**
   * Takes an entry as it is read or written. A later block of the same number replaces an earlier one until it is
   * irreversible.
   */
  add(entry: SliceEntry): void {
    if (entry.kind === 'lib') this.lib = Math.max(this.lib, entry.lib)
    else if (entry.kind === 'block') {
      this.addBlock(entry.number, { id: entry.id.slice(), offset: entry.offset })
    }
  }

  private addBlock(number: number, place: IndexedBlock): void {
    this.offsets.push(place.offset)
    if (number > this.lib) this.blocks.set(number, place)
  }
}

/**
 * The entries of an index file up to the first one that is incomplete or damaged.
 * @throws ChainError plugin_exception for another version
 */
export function indexEntries(bytes: Uint8Array, path: string, range = ANY_BLOCK): PlacedEntry[] {
  if (bytes.length < INDEX_HEADER) return []
  checkVersion(bytes, path)
  return entriesFrom(bytes, INDEX_HEADER, (entry) => isOfIndex(entry, range))
}

/** The entries of a file of transaction ids up to the first one that is incomplete or damaged. */
export function trxIdEntries(bytes: Uint8Array, range = ANY_BLOCK): PlacedEntry[] {
  return entriesFrom(bytes, 0, (entry) => isOfTrxIds(entry, range))
}

/** Whether an entry may be in the index of a slice: the id of a block begins with its number. */
function isOfIndex(entry: SliceEntry, range: SliceRange): boolean {
  if (entry.kind === 'lib') return isIn(range, entry.lib)
  if (entry.kind !== 'block' || !isIn(range, entry.number)) return false
  return blockNumFromId(entry.id) === entry.number
}

/** Whether an entry may be among the transaction ids of a slice. */
export function isOfTrxIds(entry: SliceEntry, range: SliceRange): boolean {
  if (entry.kind === 'block') return false
  return isIn(range, entry.kind === 'lib' ? entry.lib : entry.block_num)
}

function entriesFrom(
  bytes: Uint8Array,
  start: number,
  isRight: (entry: SliceEntry) => boolean,
): PlacedEntry[] {
  const r = new Reader(bytes.subarray(start))
  const entries: PlacedEntry[] = []
  while (r.remaining() > 0) {
    try {
      const entry = unpackEntry(r)
      if (!isRight(entry)) break
      entries.push({ entry, end: bytes.length - r.remaining() })
    } catch (error) {
      if (error instanceof ChainError) break
      throw error
    }
  }
  return entries
}

function checkVersion(bytes: Uint8Array, path: string): void {
  const version = new Reader(bytes).u32()
  if (version !== INDEX_VERSION) {
    fail(
      'plugin_exception',
      `Old slice file with version: ${version} is in directory, only supporting version: ` +
        `${INDEX_VERSION}: ${path}; remove it and its slice`,
    )
  }
}
