import { unpackSignedBlock } from '../../protocol/block.ts'
import type { SignedBlock } from '../../protocol/block.ts'
import { Reader } from '../../protocol/reader.ts'
import type { BlockArchive } from '../storage/block_files.ts'

/** Blocks that are kept, and bytes of packed blocks. An unpacked block takes several times as much. */
const MAX_BLOCKS = 128
const MAX_BYTES = 2 * 1024 * 1024

/** Reads irreversible blocks, and keeps the last ones that were read: they never change. */
export class ReadBlocks {
  private static readonly by_log = new WeakMap<BlockArchive, ReadBlocks>()
  private readonly log: Pick<BlockArchive, 'read'>
  /** The one that was not read for the longest time first. */
  private readonly kept = new Map<number, { block: SignedBlock; size: number }>()
  private size = 0

  constructor(log: Pick<BlockArchive, 'read'>) {
    this.log = log
  }

  /** The reader of a log, one for each. */
  static of(log: BlockArchive): ReadBlocks {
    let blocks = ReadBlocks.by_log.get(log)
    if (!blocks) ReadBlocks.by_log.set(log, (blocks = new ReadBlocks(log)))
    return blocks
  }

  /** The block with this number, or undefined if the log does not have it. */
  read(block_num: number): SignedBlock | undefined {
    const kept = this.kept.get(block_num)
    if (kept) {
      this.kept.delete(block_num)
      this.kept.set(block_num, kept)
      return kept.block
    }
    const packed = this.log.read(block_num)
    if (!packed) return undefined
    const block = unpackSignedBlock(new Reader(packed))
    this.keep(block_num, block, packed.length)
    return block
  }

  private keep(block_num: number, block: SignedBlock, size: number): void {
    if (size > MAX_BYTES) return
    this.kept.set(block_num, { block, size })
    this.size += size
    for (const [oldest, { size }] of this.kept) {
      if (this.kept.size <= MAX_BLOCKS && this.size <= MAX_BYTES) break
      this.kept.delete(oldest)
      this.size -= size
    }
  }
}
