import { ChainError, fail } from '../../errors.ts'
import { Reader } from '../../protocol/reader.ts'
import { unpackEntry, type SliceEntry } from './trace_format.ts'

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
  /** The last irreversible block that the index tells of. */
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

  isIrreversible(block_num: number): boolean {
    return this.lib >= block_num
  }

  add(entry: SliceEntry): void {
    if (entry.kind === 'block') this.offsets.push(entry.offset)
    if (entry.kind === 'lib') this.lib = Math.max(this.lib, entry.lib)
    else if (entry.kind === 'block' && entry.number > this.lib) {
      this.blocks.set(entry.number, { id: entry.id.slice(), offset: entry.offset })
    }
  }
}

/**
 * The whole entries of an index file; an incomplete one at the end is left out.
 * @throws ChainError plugin_exception for another version
 */
export function indexEntries(bytes: Uint8Array, path: string): PlacedEntry[] {
  if (bytes.length < INDEX_HEADER) return []
  const version = new Reader(bytes).u32()
  if (version !== INDEX_VERSION) {
    fail(
      'plugin_exception',
      `Old slice file with version: ${version} is in directory, only supporting version: ` +
        `${INDEX_VERSION}: ${path}; remove it and its slice`,
    )
  }
  return wholeEntries(bytes.subarray(INDEX_HEADER)).map(({ entry, end }) => ({
    entry,
    end: end + INDEX_HEADER,
  }))
}

/** The whole entries of a file without header. */
export function wholeEntries(bytes: Uint8Array): PlacedEntry[] {
  const r = new Reader(bytes)
  const entries: PlacedEntry[] = []
  while (r.remaining() > 0) {
    try {
      const entry = unpackEntry(r)
      entries.push({ entry, end: bytes.length - r.remaining() })
    } catch (error) {
      if (error instanceof ChainError) break
      throw error
    }
  }
  return entries
}
