/** Storage of packed blocks, on disk or, for tests and temporary chains, in memory. */
import { check } from '../../errors.ts'
import { sha256 } from '../../crypto/hash.ts'
import { Writer } from '../../protocol/writer.ts'
import type { BlockLogFiles } from '../../store/block_log_files.ts'
import { ReversibleLog } from '../../store/reversible_log.ts'
import { MARK_SIZE } from '../../store/reversible_records.ts'
import type { ReversibleRecord } from '../../store/reversible_records.ts'
import { SplitBlockLog } from '../../store/split_block_log.ts'
import type { GenesisState } from '../../protocol/genesis.ts'

/** The irreversible blocks. Numbers are 0 while it is empty. */
export interface BlockArchive {
  /** The file that blocks are appended to; undefined if they are in memory. */
  readonly path: string | undefined
  readonly first_block_num: number
  readonly head_block_num: number
  /** Bytes at its end that were no whole block when it was opened. */
  readonly dropped_bytes: number
  /** The number of a complete block among these bytes. */
  readonly behind_block_num: number | undefined
  /** The number of a damaged block with complete blocks before and after it. */
  readonly damaged_block_num: number | undefined
  /** Starts an empty archive of a known chain with a block after the first. */
  begin(start: { chain_id: Uint8Array; first_block_num: number }): void
  /**
   * Cuts off an incomplete end and completes the index; until then an opened archive changes no
   * file. Returns the path of a copy if one of damaged contents was requested.
   */
  mend(keep_damaged: boolean): string | undefined
  /** Adds blocks from that number on after the last one; they are with the operating system on return. */
  append(packed_blocks: readonly Uint8Array[], block_num: number): void
  read(block_num: number): Uint8Array | undefined
  /** Removes blocks that need not be kept; those after the block that the stored state is at stay. */
  discard(stored_block_num: number): void
  /** Resolves when all that was appended is on disk. */
  sync(): Promise<void>
  close(): void
}

/** A packed block, and whether it was executed. */
export type JournalRecord = ReversibleRecord

/** The accepted blocks after the irreversible ones, in order of acceptance. */
export interface BlockJournal {
  /** Its contents when it was opened. */
  readonly records: readonly JournalRecord[]
  /** Bytes at its end that were no whole block when it was opened. */
  readonly dropped_bytes: number
  /** The first damaged byte, if it is damaged. */
  readonly damaged_at: number | undefined
  /** Prepares it for writing. Returns the path of damaged contents, if there were any. */
  mend(): string | undefined
  /** The records are on the disk on return, unless records are never synced. `meanwhile` does a small part of other work
   *  while the disk is waited for, and returns whether there was any. */
  append(records: readonly JournalRecord[], meanwhile?: () => boolean): void
  /** Replaces the contents, all or nothing. */
  rewrite(records: readonly JournalRecord[]): void
  close(): void
}

/** The block files of a chain, and what the log says about the chain. */
export interface BlockFiles {
  archive: BlockArchive
  journal: BlockJournal
  /** The genesis of the log, or the given one. */
  genesis: GenesisState | undefined
  /** Undefined when there is no log yet. */
  chain_id: Uint8Array | undefined
}

/** Options for the block log and the reversible log. */
export interface BlockFilesOptions {
  /** Absent: everything is in memory. */
  blocks_dir: string | undefined
  block_log: BlockLogFiles | undefined
  genesis: GenesisState | undefined
  /** Whether a block is synced to the disk before it is announced. */
  sync_each_block: boolean
  /** Opens a damaged reversible log too, up to its last complete record. */
  accept_damage: boolean
  /** The text for errors that says how to proceed after damage. */
  way_out: string
  /** Microseconds since 1970; from it comes what senders of transactions cannot know. */
  now_us: number
}

/** Opens the files in a folder, which is made if need be. Nothing in it is changed before `mend`. */
export function openBlockFiles({
  blocks_dir,
  block_log = {},
  genesis,
  now_us,
  ...options
}: BlockFilesOptions): BlockFiles {
  if (blocks_dir === undefined) {
    const archive = new MemoryArchive()
    return { archive, journal: new MemoryJournal(), genesis, chain_id: undefined }
  }
  const archive = SplitBlockLog.open(blocks_dir, block_log, genesis)
  const journal = ReversibleLog.open(blocks_dir, { ...options, mark: markOf(now_us) })
  return { archive, journal, genesis: archive.genesis, chain_id: archive.chain_id }
}

function markOf(now_us: number): Uint8Array {
  const w = new Writer(8)
  w.u64(BigInt(Math.floor(now_us)))
  return sha256(w.view()).slice(0, MARK_SIZE)
}

/** Irreversible blocks in memory. */
export class MemoryArchive implements BlockArchive {
  private readonly blocks: Uint8Array[] = []
  readonly path = undefined
  readonly behind_block_num = undefined
  readonly damaged_block_num = undefined
  readonly dropped_bytes = 0
  first_block_num = 0

  begin(start: { first_block_num: number }): void {
    this.first_block_num = start.first_block_num
  }

  get head_block_num(): number {
    return this.blocks.length === 0 ? 0 : this.first_block_num + this.blocks.length - 1
  }

  /** @throws ChainError block_log_append_fail if it does not follow the last block */
  append(packed_blocks: readonly Uint8Array[], block_num: number): void {
    if (this.first_block_num === 0) this.first_block_num = block_num
    check(
      block_num === this.first_block_num + this.blocks.length,
      'block_log_append_fail',
      `block ${block_num} does not follow block ${this.head_block_num}`,
    )
    this.blocks.push(...packed_blocks)
  }

  read(block_num: number): Uint8Array | undefined {
    return this.blocks[block_num - this.first_block_num]
  }

  mend(): undefined {}

  discard(): void {}

  sync(): Promise<void> {
    return Promise.resolve()
  }

  close(): void {}
}

/** Accepted blocks in memory: of no use after the process, and of no need. */
export class MemoryJournal implements BlockJournal {
  readonly records: readonly JournalRecord[] = []
  readonly dropped_bytes = 0
  readonly damaged_at = undefined
  mend(): undefined {}
  append(): void {}
  rewrite(): void {}
  close(): void {}
}
