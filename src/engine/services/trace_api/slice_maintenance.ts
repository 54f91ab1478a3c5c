import { existsSync } from 'node:fs'
import type { Log } from '../../log.ts'
import { syncFolder } from '../../store/file.ts'
import { compressFile } from './compressed_slice.ts'
import type { FoundSlice, SliceFolder } from './slice_files.ts'

/** How long slices are kept, and how long uncompressed, in blocks before the last irreversible one. */
export interface Retention {
  /** Undefined: for ever. */
  readonly kept_blocks: number | undefined
  /** Undefined: for ever. */
  readonly uncompressed_blocks: number | undefined
}

/** The last slices to remove and to compress; -1: none. */
interface Bounds {
  removed: number
  compressed: number
}

/**
 * Removes and compresses old slices, one task at a time, when more blocks are irreversible. Files are compressed on other
 * threads. A failure is logged, and tried again with the next slice.
 * spring: plugins/trace_api_plugin/store_provider.cpp (run_maintenance_tasks)
 */
export class SliceMaintenance {
  private readonly slices: SliceFolder
  private readonly retention: Retention
  private readonly onRemoved: () => void
  private readonly log: Log
  private lib = 0
  /** The last slices that were removed and compressed. */
  private done: Bounds = { removed: -1, compressed: -1 }
  private working: Promise<void> | undefined
  private is_stopped = false

  constructor(slices: SliceFolder, retention: Retention, onRemoved: () => void, log: Log) {
    this.slices = slices
    this.retention = retention
    this.onRemoved = onRemoved
    this.log = log
  }

  /** The last irreversible block. */
  setLib(lib: number): void {
    this.lib = lib
    if (this.working || this.is_stopped || !this.isDue()) return
    this.working = this.work()
      .catch((error: unknown) => {
        this.done = this.bounds()
        this.log('error', `old traces could not be removed or compressed: ${String(error)}`)
      })
      .finally(() => (this.working = undefined))
  }

  /** Resolves when no slice is being removed or compressed. */
  async settled(): Promise<void> {
    await this.working
  }

  /** Ends after the present file. */
  async stop(): Promise<void> {
    this.is_stopped = true
    await this.working
  }

  private async work(): Promise<void> {
    while (!this.is_stopped && this.isDue()) {
      const { removed, compressed } = this.bounds()
      // Not in the middle of a block.
      await new Promise((resolve) => setImmediate(resolve))
      const files = this.slices.files()
      this.remove(files.filter(({ slice }) => slice <= removed))
      for (const file of files) {
        const { kind, slice, path } = file
        if (this.is_stopped) return
        if (kind !== 'trace' || slice <= removed || slice > compressed) continue
        if (existsSync(path)) {
          await compressFile(path, this.slices.path('compressed', slice))
          this.slices.made('compressed', slice)
        }
        this.slices.remove(file)
      }
      this.done = { removed, compressed }
    }
  }

  private isDue(): boolean {
    const { removed, compressed } = this.bounds()
    return removed > this.done.removed || compressed > this.done.compressed
  }

  private bounds(): Bounds {
    const { kept_blocks, uncompressed_blocks } = this.retention
    const is_compressed = kept_blocks === undefined || (uncompressed_blocks ?? 0) < kept_blocks
    return {
      removed: this.before(kept_blocks),
      compressed: is_compressed ? this.before(uncompressed_blocks) : -1,
    }
  }

  /** The last slice whose blocks are so many before the last irreversible one; -1 if there is none. */
  private before(blocks: number | undefined): number {
    if (blocks === undefined) return -1
    const last = this.lib - blocks - this.slices.stride
    return last < 0 ? -1 : this.slices.sliceOf(last)
  }

  private remove(files: readonly FoundSlice[]): void {
    if (files.length === 0) return
    // The index first, so that no reader finds a block without its trace.
    const first = files.filter(({ kind }) => kind === 'index')
    const others = files.filter(({ kind }) => kind !== 'index')
    for (const file of [...first, ...others]) this.slices.remove(file)
    syncFolder(this.slices.folder)
    this.onRemoved()
  }
}
