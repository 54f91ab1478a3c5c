/**
 * Looks blocks and transactions up in trace slices.
 * spring: plugins/trace_api_plugin/store_provider.cpp (get_block, get_trx_block_number)
 */
import { closeSync, existsSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import type { Clock } from '../../clock.ts'
import { ChainError, fail } from '../../errors.ts'
import { isSystemError } from '../../store/file.ts'
import { bytesEqual } from '../../protocol/hex.ts'
import { Reader } from '../../protocol/reader.ts'
import { AtMost, type AtMostLimits } from './at_most.ts'
import { plainBytes } from './compressed_slice.ts'
import { readTrace, readTraceFrom } from './read_trace.ts'
import type { FoundSlice, SliceFolder } from './slice_files.ts'
import { SliceIndex, isOfTrxIds } from './slice_index.ts'
import { ID, unpackEntry, type SliceEntry, type TracedBlock } from './trace_format.ts'
import type { TraceWriter } from './trace_writer.ts'

/** Bytes of a file that are searched at once, and of one whose entries are read: these take longer. */
const SEARCHED = 1024 * 1024
const PIECE = 64 * 1024
/**
 * Of searches, each of which may read all files, and of reads of compressed blocks, each of which takes megabytes. The
 * threads that read are also those that sync blocks.
 */
const LIMITS: AtMostLimits = { most: 2, max_waiting: 256, max_wait_s: 10 }
/** Indexes of slices that are kept. */
const MAX_INDEXES = 8

/** The slices of a folder, as far as they are read. */
export class TraceReader {
  private readonly writer: TraceWriter
  private readonly slices: SliceFolder
  /** Of slices that nothing is written to, the last used one at the end. */
  private readonly indexes = new Map<number, SliceIndex>()
  private readonly searches: AtMost
  private readonly inflations: AtMost

  constructor(writer: TraceWriter, clock: Clock) {
    this.searches = new AtMost('searches of transactions', LIMITS, clock)
    this.inflations = new AtMost('reads of compressed traces', LIMITS, clock)
    this.writer = writer
    this.slices = writer.slices
  }

  /**
   * The trace of a block, and whether it is irreversible; undefined if there is none.
   * @throws ChainError plugin_exception if the files are damaged; BusyError
   */
  async block(
    block_num: number,
  ): Promise<{ block: TracedBlock; is_irreversible: boolean } | undefined> {
    const slice = this.slices.sliceOf(block_num)
    const index = this.writer.openIndex(slice) ?? this.indexOf(slice)
    const known = index?.get(block_num)
    if (!known) return undefined
    const block = await this.read(slice, known.offset, index!.endOf(known.offset))
    if (block?.number !== block_num || !bytesEqual(block.id, known.id)) {
      fail('plugin_exception', `the trace of block ${block_num} is damaged`)
    }
    return { block, is_irreversible: index!.isIrreversible(block_num) }
  }

  /**
   * The number of the block that has a transaction; undefined if no slice has it.
   * @throws ChainError plugin_exception if the files are damaged; BusyError
   */
  blockOf(trx_id: Uint8Array): Promise<number | undefined> {
    return this.searches.run(() => this.searchAll(trx_id))
  }

  private async searchAll(trx_id: Uint8Array): Promise<number | undefined> {
    const blocks = new Set<number>()
    const files = this.slices.files().filter(({ kind }) => kind === 'trx_id')
    files.sort((a, b) => b.slice - a.slice)
    for (const file of files) {
      await this.search(file, file === files[0], trx_id, blocks)
      if (blocks.size > 0) return Math.max(...blocks)
    }
    return undefined
  }

  /** Forgets what is known of slices that were removed. */
  forget(): void {
    this.indexes.clear()
  }

  /**
   * Adds the blocks of a file that have a transaction. A block that a fork replaced is left out.
   * @param is_last an entry at the end may be incomplete until the next block is written
   * @throws ChainError plugin_exception if the file is damaged
   */
  private async search(
    { path, slice }: FoundSlice,
    is_last: boolean,
    trx_id: Uint8Array,
    blocks: Set<number>,
  ): Promise<void> {
    const file = await opened(path)
    if (!file) return
    const range = this.slices.rangeOf(slice)
    const may_grow = is_last || this.writer.openIndex(slice) !== undefined
    try {
      if (!(await hasBytes(file, trx_id))) return
      for await (const entry of entriesOf(file, may_grow, path)) {
        if (!isOfTrxIds(entry, range)) damaged(path)
        if (entry.kind === 'trxs') {
          if (hasId(entry.ids, trx_id)) blocks.add(entry.block_num)
          else blocks.delete(entry.block_num)
        } else if (entry.kind === 'lib' && blocks.size > 0) {
          if (entry.lib >= Math.max(...blocks)) return
        }
      }
    } finally {
      await file.close()
    }
  }

  /** @param end a damaged trace is not looked for after this */
  private async read(slice: number, offset: number, end: number): Promise<TracedBlock | undefined> {
    const path = this.slices.path('trace', slice)
    if (!existsSync(path)) {
      const compressed = this.slices.path('compressed', slice)
      return this.inflations.run(() => readTraceFrom(plainBytes(compressed, offset), end - offset))
    }
    const fd = openSync(path, 'r')
    try {
      return readTrace(fd, offset, Math.min(end, fstatSync(fd).size))?.block
    } finally {
      closeSync(fd)
    }
  }

  private indexOf(slice: number): SliceIndex | undefined {
    const known = this.indexes.get(slice)
    this.indexes.delete(slice)
    const index = known ?? this.readIndex(slice)
    if (index) this.indexes.set(slice, index)
    const [oldest] = this.indexes.keys()
    if (this.indexes.size > MAX_INDEXES) this.indexes.delete(oldest!)
    return index
  }

  private readIndex(slice: number): SliceIndex | undefined {
    const path = this.slices.path('index', slice)
    if (!existsSync(path)) return undefined
    return SliceIndex.read(readFileSync(path), path, this.slices.rangeOf(slice))
  }
}

/** Opens a file; undefined if it was removed meanwhile. */
async function opened(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Whether a file has these bytes anywhere: few files have to be read entry by entry. */
async function hasBytes(file: FileHandle, wanted: Uint8Array): Promise<boolean> {
  const kept = wanted.length - 1
  const bytes = Buffer.alloc(kept + SEARCHED)
  // What ends one piece may begin what is wanted.
  for (let at = 0, before = 0; ;) {
    const { bytesRead } = await file.read(bytes, before, SEARCHED, at)
    if (bytesRead === 0) return false
    at += bytesRead
    const end = before + bytesRead
    if (bytes.subarray(0, end).indexOf(wanted) >= 0) return true
    const start = Math.max(0, end - kept)
    bytes.copyWithin(0, start, end)
    before = end - start
  }
}

/** The entries of a file. Reading waits for the disk between pieces, so that other tasks run. */
async function* entriesOf(
  file: FileHandle,
  may_grow: boolean,
  path: string,
): AsyncGenerator<SliceEntry> {
  let rest: Buffer = Buffer.alloc(0)
  for (let at = 0; ;) {
    const piece = Buffer.allocUnsafe(PIECE)
    const { bytesRead } = await file.read(piece, 0, PIECE, at)
    if (bytesRead === 0) {
      if (rest.length > 0 && !may_grow) damaged(path)
      return
    }
    at += bytesRead
    const bytes = Buffer.concat([rest, piece.subarray(0, bytesRead)])
    const r = new Reader(bytes)
    let end = 0
    for (;;) {
      const entry = r.remaining() > 0 ? nextEntry(r, path) : undefined
      if (!entry) break
      end = bytes.length - r.remaining()
      yield entry
    }
    rest = bytes.subarray(end)
  }
}

/** The next entry; undefined if it is not whole. */
function nextEntry(r: Reader, path: string): SliceEntry | undefined {
  try {
    return unpackEntry(r)
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    if (error.is('out_of_range_exception')) return undefined
    return damaged(path)
  }
}

function damaged(path: string): never {
  fail('plugin_exception', `${path} is damaged`)
}

/** Whether one of the ids, which follow each other, is the id. */
function hasId(ids: Uint8Array, id: Uint8Array): boolean {
  const bytes = Buffer.from(ids.buffer, ids.byteOffset, ids.byteLength)
  for (let at = bytes.indexOf(id); at >= 0; at = bytes.indexOf(id, at + 1)) {
    if (at % ID === 0) return true
  }
  return false
}
