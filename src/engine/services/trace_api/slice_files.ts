/**
 * The files of trace slices. A slice has the blocks of a range of numbers: their traces, an index of them, and
 * the ids of their transactions.
 * spring: plugins/trace_api_plugin/store_provider.cpp
 */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The kinds of files of a slice. */
export type SliceFile = 'trace' | 'index' | 'trx_id' | 'compressed'

const PREFIXES: Record<SliceFile, string> = {
  trace: 'trace_',
  index: 'trace_index_',
  trx_id: 'trace_trx_id_',
  compressed: 'trace_',
}
const NAME = /^(trace_|trace_index_|trace_trx_id_)(\d{10})-(\d{10})\.(log|clog)$/

/** Numbers of blocks; `end` is the one after the last. */
export interface SliceRange {
  readonly begin: number
  readonly end: number
}

/** Whether a number is that of a block in a range. There is no block 0. */
export function isIn({ begin, end }: SliceRange, block_num: number): boolean {
  return block_num > 0 && block_num >= begin && block_num < end
}

/** Any block. */
export const ANY_BLOCK: SliceRange = { begin: 1, end: 2 ** 32 }

/** A file of a folder of slices, and its bytes as far as this program knows. */
export interface FoundSlice {
  readonly kind: SliceFile
  readonly slice: number
  readonly path: string
  bytes: number
}

/**
 * The files of a folder: their names, and their bytes in all. There may be a hundred thousand, so the folder is read
 * once; what this program then changes is counted. What others change is known after the next start.
 */
export class SliceFolder {
  readonly folder: string
  /** Blocks of a slice. */
  readonly stride: number
  private readonly found: Map<string, FoundSlice>
  private total: number

  /** @throws Error of node:fs if the folder is there and cannot be read */
  constructor(folder: string, stride: number) {
    this.folder = folder
    this.stride = stride
    const files = existsSync(folder) ? this.list() : []
    this.found = new Map(files.map((file) => [file.path, file]))
    this.total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** The number of the slice that has a block. */
  sliceOf(block_num: number): number {
    return Math.floor(block_num / this.stride)
  }

  /** The blocks that a slice may have: the first one, and the one after the last. */
  rangeOf(slice: number): SliceRange {
    const begin = slice * this.stride
    return { begin, end: begin + this.stride }
  }

  /**
   * The path of a file.
   * @param slice number of the first block divided by the stride
   */
  path(kind: SliceFile, slice: number): string {
    const first = slice * this.stride
    const digits = (block_num: number): string => String(block_num >>> 0).padStart(10, '0')
    const extension = kind === 'compressed' ? 'clog' : 'log'
    const range = `${digits(first)}-${digits(first + this.stride)}`
    return join(this.folder, `${PREFIXES[kind]}${range}.${extension}`)
  }

  /** The files of the folder, those that were made last at the end. Those of another stride are not found by their blocks. */
  files(): readonly FoundSlice[] {
    return [...this.found.values()]
  }

  /** Bytes of all files. */
  get bytes(): number {
    return this.total
  }

  /** A file was made. */
  made(kind: SliceFile, slice: number): void {
    const path = this.path(kind, slice)
    if (!this.found.has(path)) this.found.set(path, { kind, slice, path, bytes: 0 })
    this.resized(path, sizeOf(path))
  }

  /** A file was written to, or cut. */
  resized(path: string, bytes: number): void {
    const file = this.found.get(path)
    // It was removed while its slice was open.
    if (!file) return
    this.total += bytes - file.bytes
    file.bytes = bytes
  }

  /** Removes a file, which may be gone already. */
  remove({ path }: FoundSlice): void {
    rmSync(path, { force: true })
    this.resized(path, 0)
    this.found.delete(path)
  }

  private list(): FoundSlice[] {
    return readdirSync(this.folder)
      .sort()
      .flatMap((name) => {
        const [, prefix, first, , extension] = NAME.exec(name) ?? []
        if (prefix === undefined) return []
        const kind =
          extension === 'clog'
            ? 'compressed'
            : prefix === PREFIXES.trace
              ? 'trace'
              : prefix === PREFIXES.index
                ? 'index'
                : 'trx_id'
        const slice = Number(first) / this.stride
        const path = join(this.folder, name)
        return [{ kind, slice, path, bytes: sizeOf(path) }]
      })
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
