/** Where packed blocks are kept, on disk or, for tests and throw-away chains, in memory. */
import { check } from '../errors.ts'
import { BlockLog } from '../store/block_log.ts'
import { ReversibleLog } from '../store/reversible_log.ts'
import type { GenesisState } from '../protocol/genesis.ts'

/** The irreversible blocks. Numbers are 0 while it is empty. */
export interface BlockArchive {
  readonly first_block_num: number
  readonly head_block_num: number
  /** Bytes at its end that were no whole block when it was opened. */
  readonly dropped_bytes: number
  /** Makes an empty archive of a known chain begin with a later block than the first. */
  begin(start: { chain_id: Uint8Array; first_block_num: number }): void
  /** Adds the block after the last one; it is with the operating system on return. */
  append(packed_block: Uint8Array, block_num: number): void
  read(block_num: number): Uint8Array | undefined
  /** Resolves when all that was appended is on disk. */
  sync(): Promise<void>
  close(): void
}

/** The accepted blocks after the irreversible ones, in order of acceptance. */
export interface BlockJournal {
  /** What it held when it was opened. */
  readonly blocks: readonly Uint8Array[]
  /** Bytes at its end that were no whole block when it was opened. */
  readonly dropped_bytes: number
  append(packed_block: Uint8Array): void
  /** Replaces the contents, all or nothing. */
  rewrite(packed_blocks: readonly Uint8Array[]): void
  close(): void
}

/** The block files of a chain, and what the log says about the chain. */
export interface BlockFiles {
  archive: BlockArchive
  journal: BlockJournal
  /** The genesis that the log begins with, or the one that was given. */
  genesis: GenesisState | undefined
  /** Undefined when there is no log yet. */
  chain_id: Uint8Array | undefined
}

/** Opens the files in a folder, which is made if need be; without a folder all is in memory.
 *  @param sync_each_block whether a block is on the disk itself before it is announced */
export function openBlockFiles(
  blocks_dir: string | undefined,
  genesis: GenesisState | undefined,
  sync_each_block: boolean,
): BlockFiles {
  if (blocks_dir === undefined) {
    const archive = new MemoryArchive()
    return { archive, journal: new MemoryJournal(), genesis, chain_id: undefined }
  }
  const archive = BlockLog.open(blocks_dir, genesis)
  const journal = ReversibleLog.open(blocks_dir, { sync_each_block })
  return { archive, journal, genesis: archive.genesis, chain_id: archive.chain_id }
}

/** Irreversible blocks in memory. */
export class MemoryArchive implements BlockArchive {
  private readonly blocks: Uint8Array[] = []
  readonly dropped_bytes = 0
  first_block_num = 0

  begin(start: { first_block_num: number }): void {
    this.first_block_num = start.first_block_num
  }

  get head_block_num(): number {
    return this.blocks.length === 0 ? 0 : this.first_block_num + this.blocks.length - 1
  }

  append(packed_block: Uint8Array, block_num: number): void {
    if (this.first_block_num === 0) this.first_block_num = block_num
    check(
      block_num === this.first_block_num + this.blocks.length,
      'block_log_append_fail',
      `block ${block_num} does not follow block ${this.head_block_num}`,
    )
    this.blocks.push(packed_block)
  }

  read(block_num: number): Uint8Array | undefined {
    return this.blocks[block_num - this.first_block_num]
  }

  sync(): Promise<void> {
    return Promise.resolve()
  }

  close(): void {}
}

/** Accepted blocks in memory: of no use after the process, and of no need. */
export class MemoryJournal implements BlockJournal {
  readonly blocks: readonly Uint8Array[] = []
  readonly dropped_bytes = 0
  append(): void {}
  rewrite(): void {}
  close(): void {}
}
