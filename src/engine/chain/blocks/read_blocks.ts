import type { SignedBlock } from '../../protocol/block.ts'
import type { BlockArchive } from '../storage/block_files.ts'
import { KeptBlocks } from './kept_blocks.ts'

/** What reads packed blocks by their numbers. */
export type ReadableLog = Pick<BlockArchive, 'read'>

/** Reads irreversible blocks, and keeps the last ones that were read: they never change. */
export class ReadBlocks {
  private static readonly by_log = new WeakMap<ReadableLog, ReadBlocks>()
  private readonly log: ReadableLog
  private readonly kept = new KeptBlocks<number>()

  constructor(log: ReadableLog) {
    this.log = log
  }

  /** The reader of a log, one for each. */
  static of(log: ReadableLog): ReadBlocks {
    let blocks = ReadBlocks.by_log.get(log)
    if (!blocks) ReadBlocks.by_log.set(log, (blocks = new ReadBlocks(log)))
    return blocks
  }

  /** The block with this number, or undefined if the log does not have it. */
  read(block_num: number): SignedBlock | undefined {
    return this.kept.get(block_num, () => this.log.read(block_num))
  }
}
