import { unpackSignedBlock } from '../../protocol/block.ts'
import type { SignedBlock } from '../../protocol/block.ts'
import { Reader } from '../../protocol/reader.ts'

/** Blocks that are kept, and bytes of packed blocks. An unpacked block takes several times as much. */
const MAX_BLOCKS = 128
const MAX_BYTES = 2 * 1024 * 1024

/** Unpacked blocks by a key; the last ones that were read are kept. */
export class KeptBlocks<Key> {
  /** The one that was not read for the longest time first. */
  private readonly kept = new Map<Key, { block: SignedBlock; size: number }>()
  private size = 0

  /** The block of a key, which never changes; undefined if `read` gives no bytes. */
  get(key: Key, read: () => Uint8Array | undefined): SignedBlock | undefined {
    const kept = this.kept.get(key)
    if (kept) {
      this.kept.delete(key)
      this.kept.set(key, kept)
      return kept.block
    }
    const packed = read()
    if (!packed) return undefined
    const block = unpackSignedBlock(new Reader(packed))
    this.keep(key, block, packed.length)
    return block
  }

  private keep(key: Key, block: SignedBlock, size: number): void {
    if (size > MAX_BYTES) return
    this.kept.set(key, { block, size })
    this.size += size
    for (const [oldest, { size }] of this.kept) {
      if (this.kept.size <= MAX_BLOCKS && this.size <= MAX_BYTES) break
      this.kept.delete(oldest)
      this.size -= size
    }
  }
}
