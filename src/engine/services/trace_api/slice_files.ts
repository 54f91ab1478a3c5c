/**
 * The files of trace slices. A slice has the blocks of a range of numbers: their traces, an index of them, and
 * the ids of their transactions.
 * spring: plugins/trace_api_plugin/store_provider.cpp
 */
import { readdirSync, statSync } from 'node:fs'
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

/** Any block. */
export const ANY_BLOCK: SliceRange = { begin: 1, end: 2 ** 32 }

/** A file of a folder of slices. */
export interface FoundSlice {
  readonly kind: SliceFile
  readonly slice: number
  readonly path: string
}

/** Names the files of a folder. */
export class SliceFolder {
  readonly folder: string
  /** Blocks of a slice. */
  readonly stride: number
  /** There may be a hundred thousand: they are listed once, and again when some have come or gone. */
  private listed: readonly FoundSlice[] | undefined
  /** Sizes of the files of slices that nothing is written to. */
  private readonly sizes = new Map<string, number>()

  constructor(folder: string, stride: number) {
    this.folder = folder
    this.stride = stride
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

  path(kind: SliceFile, slice: number): string {
    const first = slice * this.stride
    const digits = (block_num: number): string => String(block_num >>> 0).padStart(10, '0')
    const extension = kind === 'compressed' ? 'clog' : 'log'
    const range = `${digits(first)}-${digits(first + this.stride)}`
    return join(this.folder, `${PREFIXES[kind]}${range}.${extension}`)
  }

  /** The files of the folder, by name. Those of another stride are not found by their blocks. */
  files(): readonly FoundSlice[] {
    return (this.listed ??= this.list())
  }

  /** This program made files, or removed some. */
  changed(): void {
    this.listed = undefined
  }

  /** Bytes of all files. @param isOpen whether a slice is written to */
  bytes(isOpen: (slice: number) => boolean): number {
    const { sizes } = this
    const files = this.files()
    if (sizes.size > files.length) sizes.clear()
    const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0
    let sum = 0
    for (const { path, slice } of files) {
      if (isOpen(slice)) sizes.delete(path)
      else if (!sizes.has(path)) sizes.set(path, sizeOf(path))
      sum += sizes.get(path) ?? sizeOf(path)
    }
    return sum
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
        return [{ kind, slice, path: join(this.folder, name) }]
      })
  }
}
