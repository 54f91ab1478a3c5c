/**
 * Writes blocks to trace slices. A block that is there already is not written again, so blocks that are applied again
 * at a start, or by a replay, leave no second entry. The ends of the last slices are repaired when the folder is opened.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
} from 'node:fs'
import type { AppliedBlock, AppliedTransaction, StartedBlock } from '../../chain/chain_events.ts'
import type { BlockState } from '../../chain/headers/block_state.ts'
import { check, fail } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { bytesEqual } from '../../protocol/hex.ts'
import { Writer } from '../../protocol/writer.ts'
import { makeFolder, syncFile, syncFolder, writeAt } from '../../store/file.ts'
import { CollectedTransactions } from './collected_transactions.ts'
import { isIn, SliceFolder, type SliceFile, type SliceRange } from './slice_files.ts'
import {
  INDEX_HEADER,
  INDEX_VERSION,
  SliceIndex,
  indexEntries,
  trxIdEntries,
  type PlacedEntry,
} from './slice_index.ts'
import { packBlock, packBlockEntry, packLibEntry, packTrxsEntry } from './trace_format.ts'
import { readTrace } from './read_trace.ts'

/** A file to which entries are appended. */
interface AppendedFile {
  readonly path: string
  readonly fd: number
  /** With what waits. */
  size: number
  /** The last entries, which are not in the file yet. */
  readonly waiting: Writer
  is_dirty: boolean
}

/** A slice that is written to. */
interface OpenSlice {
  readonly number: number
  readonly index: SliceIndex
  readonly files: Record<Exclude<SliceFile, 'compressed'>, AppendedFile>
}

/** More bytes than this do not wait. */
const MAX_WAITING = 1 << 16
/** Bytes of a buffer at first, and of the largest one that an open slice keeps. */
const BUFFER = 1 << 12
const KEPT_BUFFER = 1 << 20

/** Slices that are open: that of the head, and that of the last irreversible block. */
const MAX_OPEN = 2

/** The slices of a folder, as far as blocks are written to them. */
export class TraceWriter {
  readonly slices: SliceFolder
  private readonly log: Log
  private readonly collected = new CollectedTransactions()
  private readonly open = new Map<number, OpenSlice>()
  /** The index of the compressed slice that was used last. */
  private compressed: { readonly number: number; readonly index: SliceIndex } | undefined
  /** The last sync that was begun. No file is closed before it has ended. */
  private last_sync: Promise<void> = Promise.resolve()

  /** @throws Error of node:fs if the folder cannot be made */
  constructor(slices: SliceFolder, log: Log) {
    this.slices = slices
    this.log = log
    makeFolder(slices.folder)
  }

  /** A block is started. */
  begin(started: StartedBlock): void {
    this.collected.begin(started)
  }

  /** Collects a transaction of the block that was started. */
  collect(applied: AppliedTransaction): void {
    this.collected.add(applied)
  }

  /**
   * Writes the block that was started; nothing if the slice has it already. Until {@link flush}, it may be in memory
   * alone.
   * @throws ChainError plugin_exception if the slices are of another chain; errors of the system
   */
  append(applied: AppliedBlock): void {
    const { block, transaction_count } = applied
    const { block_num, id } = block
    const number = this.slices.sliceOf(block_num)
    const compressed = this.compressedIndex(number)
    if (compressed) return void this.has(compressed, block, true)
    const slice = this.slice(number, block_num)
    if (this.has(slice.index, block, slice.index.isIrreversible(block_num))) return
    const { ids, ...traced } = this.collected.list(transaction_count, block_num)
    // All transactions of the block, also those that are not traced, without onblock.
    const input = ids.slice(ids.length - block.transactions.length)
    this.write(slice, 'trx_id', (w) => packTrxsEntry(w, input, block_num))
    const offset = slice.files.trace.size
    this.write(slice, 'trace', (w) => packBlock(w, applied, traced))
    this.write(slice, 'index', (w) => packBlockEntry(w, id, block_num, offset))
    slice.index.add({ kind: 'block', id, number: block_num, offset })
  }

  /**
   * Writes which block is irreversible; as {@link append}.
   * @param next the block that the chain applies next
   * @throws ChainError plugin_exception if blocks before that one are damaged; errors of the system
   */
  appendLib(lib: number, next: number): void {
    const number = this.slices.sliceOf(lib)
    if (this.compressedIndex(number)) return
    const slice = this.slice(number, Math.min(next, this.slices.rangeOf(number).end))
    if (slice.index.lib >= lib) return
    for (const kind of ['index', 'trx_id'] as const) {
      this.write(slice, kind, (w) => packLibEntry(w, lib))
    }
    slice.index.add({ kind: 'lib', lib })
  }

  /** The index of a slice that is open; what it has is in the files then. @throws errors of the system */
  openIndex(number: number): SliceIndex | undefined {
    const slice = this.open.get(number)
    if (slice) flushSlice(slice)
    return slice?.index
  }

  /** Writes what waits: the blocks of many appends at once. @throws errors of the system */
  flush(): void {
    for (const slice of this.open.values()) flushSlice(slice)
  }

  /** Resolves when everything that was written is on the disk. */
  sync(): Promise<void> {
    const sync = this.last_sync.then(() => this.syncFiles())
    // Its error is that of its caller alone.
    this.last_sync = sync.catch(() => undefined)
    return sync
  }

  /** Closes the files when the syncs that were begun have ended. */
  async close(): Promise<void> {
    await this.last_sync
    for (const slice of this.open.values()) closeSlice(slice)
    this.open.clear()
  }

  private async syncFiles(): Promise<void> {
    for (const slice of [...this.open.values()]) {
      for (const file of Object.values(slice.files)) {
        if (!file.is_dirty) continue
        file.is_dirty = false
        // Blocks may have come while another file was synced.
        flushSlice(slice)
        await syncFile(file.fd)
      }
    }
  }

  private write(slice: OpenSlice, kind: keyof OpenSlice['files'], pack: (w: Writer) => void): void {
    const file = slice.files[kind]
    const { waiting } = file
    const before = waiting.length
    file.is_dirty = true
    pack(waiting)
    file.size += waiting.length - before
    this.slices.resized(file.path, file.size)
    if (waiting.length > MAX_WAITING) flushSlice(slice)
  }

  /**
   * Whether a slice has a block, or has no place for it.
   * @throws ChainError plugin_exception if another block of this number is final
   */
  private has(index: SliceIndex, { block_num, id }: BlockState, is_final: boolean): boolean {
    const known = index.get(block_num)
    if (known && !bytesEqual(known.id, id) && is_final) {
      fail(
        'plugin_exception',
        `the traces in ${this.slices.folder} are of another chain: block ${block_num} differs; ` +
          'delete this folder',
      )
    }
    return is_final || (known !== undefined && bytesEqual(known.id, id))
  }

  /** The index of a slice that is compressed: all its blocks are final, and it is not written to. */
  private compressedIndex(number: number): SliceIndex | undefined {
    if (this.open.has(number)) return undefined
    if (this.compressed?.number === number) return this.compressed.index
    const { slices } = this
    if (!existsSync(slices.path('compressed', number))) return undefined
    const index = new SliceIndex()
    const path = slices.path('index', number)
    // The index is the first file of a slice that is removed.
    const range = slices.rangeOf(number)
    const entries = existsSync(path) ? indexEntries(readFileSync(path), path, range) : []
    for (const { entry } of entries) index.add(entry)
    this.compressed = { number, index }
    return index
  }

  /** @param next the block that comes: the chain has those before it, and does not apply them again */
  private slice(number: number, next: number): OpenSlice {
    const known = this.open.get(number)
    if (known) return known
    // Before the new one is opened, which may be older than those that are open.
    if (this.open.size >= MAX_OPEN) this.closeOldest()
    const slice = this.openSlice(number, next)
    this.open.set(number, slice)
    return slice
  }

  private closeOldest(): void {
    const oldest = this.open.get(Math.min(...this.open.keys()))!
    this.open.delete(oldest.number)
    flushSlice(oldest)
    for (const file of Object.values(oldest.files)) {
      if (file.is_dirty) fsyncSync(file.fd)
      file.is_dirty = false
    }
    // A sync that runs may use the files.
    this.last_sync = this.last_sync.then(() => closeSlice(oldest))
  }

  private openSlice(number: number, next: number): OpenSlice {
    const { slices } = this
    const trace = openFile(slices.path('trace', number))
    const index_file = openFile(slices.path('index', number))
    const trx_id = openFile(slices.path('trx_id', number))
    const files = { trace, index: index_file, trx_id }
    try {
      // The files are synced later, which does not keep their names.
      if (Object.values(files).some(({ is_dirty }) => is_dirty)) {
        syncFolder(slices.folder)
      }
      for (const kind of ['trace', 'index', 'trx_id'] as const) slices.made(kind, number)
      const index = this.repair(number, files, next)
      return { number, index, files }
    } catch (error) {
      for (const { fd } of Object.values(files)) closeSync(fd)
      throw error
    }
  }

  /**
   * Cuts off what is incomplete at the ends of the files, and reads the index.
   * @throws ChainError plugin_exception if blocks would be lost that do not come again; the files stay as they are
   */
  private repair(
    number: number,
    { trace, index: file, trx_id }: OpenSlice['files'],
    next: number,
  ): SliceIndex {
    const { slices } = this
    const range = slices.rangeOf(number)
    const path = slices.path('index', number)
    const trx_path = slices.path('trx_id', number)
    const entries = indexEntries(readFileSync(path), path, range)
    const ids = trxIdEntries(readFileSync(trx_path), range)
    // A block is written to the ids first, then to the traces, then to the index.
    const first = Math.min(
      ...[blocksOf(ids)[0], firstTraced(trace, range), blocksOf(entries)[0]].map(
        (block_num) => block_num ?? next,
      ),
    )
    keepWithIds(entries, ids, next)
    const trace_end = keepWhole(entries, trace)
    const end = entries.at(-1)?.end ?? INDEX_HEADER
    const ids_end = ids.at(-1)?.end ?? 0
    const is_cut = file.size > Math.max(end, INDEX_HEADER) || trace.size > trace_end
    this.checkKept(is_cut, blocksOf(entries).at(-1) ?? first - 1, next, path)
    this.checkKept(trx_id.size > ids_end, blocksOf(ids).at(-1) ?? first - 1, next, trx_path)
    if (file.size < INDEX_HEADER) {
      file.size = INDEX_HEADER
      slices.resized(path, file.size)
      writeAt(file.fd, 0, Uint8Array.of(INDEX_VERSION, 0, 0, 0))
    }
    this.cut(file, end, path)
    this.cut(trace, trace_end, slices.path('trace', number))
    this.cut(trx_id, ids_end, trx_path)
    const index = new SliceIndex()
    for (const { entry } of entries) index.add(entry)
    return index
  }

  /**
   * @param kept the last block that a cut leaves
   * @throws ChainError plugin_exception if blocks are cut that do not come again
   */
  private checkKept(is_cut: boolean, kept: number, next: number, path: string): void {
    check(
      !is_cut || kept + 1 >= next,
      'plugin_exception',
      `the traces in ${this.slices.folder} are damaged after block ${kept}: put ${path} and its ` +
        'slice back, or delete this folder',
    )
  }

  private cut(file: AppendedFile, size: number, path: string): void {
    if (file.size <= size) return
    this.log('warn', `${path}: ${file.size - size} bytes of an incomplete block are cut off`)
    ftruncateSync(file.fd, size)
    file.size = size
    this.slices.resized(path, size)
    file.is_dirty = true
  }
}

/** Numbers of the blocks that entries are of. */
function blocksOf(entries: readonly PlacedEntry[]): number[] {
  return entries.flatMap(({ entry }) => {
    if (entry.kind === 'lib') return []
    return entry.kind === 'block' ? [entry.number] : [entry.block_num]
  })
}

/** Number of the block whose trace begins the file; undefined if there is none, or if it is damaged. */
function firstTraced({ fd, size }: AppendedFile, range: SliceRange): number | undefined {
  const number = readTrace(fd, 0, size)?.block.number
  return number !== undefined && isIn(range, number) ? number : undefined
}

/** Removes the entries of blocks that come again, from the first one on whose transactions' ids a power loss took. */
function keepWithIds(entries: PlacedEntry[], ids: readonly PlacedEntry[], next: number): void {
  const with_ids = new Set(blocksOf(ids))
  const lost = entries.findIndex(
    ({ entry }) => entry.kind === 'block' && entry.number >= next && !with_ids.has(entry.number),
  )
  if (lost >= 0) entries.length = lost
}

/** So many whole blocks at the end of a slice are read when it is opened. */
const CHECKED_BLOCKS = 64

/**
 * Removes the entries from the first one on whose trace is not whole, of the last blocks: those before it are whole, as
 * many as are read.
 * @returns the end of the last whole trace
 */
function keepWhole(entries: PlacedEntry[], { fd, size }: AppendedFile): number {
  let end: number | undefined
  let left = CHECKED_BLOCKS
  /** Where the trace after the present one begins: nothing is read beyond it. */
  let next = size
  for (let i = entries.length - 1; i >= 0 && left > 0; i--) {
    const { entry } = entries[i]!
    if (entry.kind !== 'block') continue
    const found = readTrace(fd, entry.offset, next > entry.offset ? Math.min(next, size) : size)
    next = entry.offset
    if (found && bytesEqual(found.block.id, entry.id)) {
      end ??= found.end
      left--
    } else {
      entries.length = i
      end = undefined
      // A power loss may leave the index with any number of blocks whose traces are lost.
      left = CHECKED_BLOCKS
    }
  }
  return end ?? 0
}

function closeSlice({ files }: OpenSlice): void {
  for (const { fd } of Object.values(files)) closeSync(fd)
}

function openFile(path: string): AppendedFile {
  const is_new = !existsSync(path)
  const fd = openSync(path, is_new ? 'w+' : 'r+')
  const waiting = new Writer(BUFFER, KEPT_BUFFER)
  return { path, fd, size: fstatSync(fd).size, waiting, is_dirty: is_new }
}

/** A block is in the ids first, then in the traces, then in the index: a kill may come between. */
function flushSlice({ files }: OpenSlice): void {
  for (const file of [files.trx_id, files.trace, files.index]) flushFile(file)
}

function flushFile({ fd, size, waiting }: AppendedFile): void {
  if (waiting.length === 0) return
  writeAt(fd, size - waiting.length, waiting.view())
  waiting.reset()
}

/** Deletes all slices of a folder. */
export function removeSlices(slices: SliceFolder): void {
  const files = slices.files()
  if (files.length === 0) return
  for (const file of files) slices.remove(file)
  syncFolder(slices.folder)
}
