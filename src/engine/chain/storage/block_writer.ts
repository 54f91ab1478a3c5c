import assert from 'node:assert'
import type { BlockArchive, BlockJournal, JournalRecord } from './block_files.ts'
import type { Store } from '../../store/store.ts'
import { packStored } from '../headers/packed_head.ts'
import type { BlockState } from '../headers/block_state.ts'
import { CommitQueue } from './commit_queue.ts'
import type { ForkDatabase } from '../forks/fork_database.ts'

/** Rewrite the reversible journal when it holds this many bytes of blocks that are in the log. */
const COMPACT_BYTES = 16 * 1024 * 1024

/** Blocks of so many bytes are written to the log at once. */
const MAX_GROUP_BYTES = 1024 * 1024

/** A block that goes to the journal. */
interface Accepted {
  block: BlockState
  executed: boolean
}

/** Waits for the block's signatures. */
function recordOf({ block, executed }: Accepted): JournalRecord {
  return { packed: block.packed_block, executed }
}

/**
 * Writes blocks: accepted ones to the reversible log, irreversible ones to the block log, and their
 * rows to the store.
 *
 * Invariants: a block is in the reversible log before it is announced, in the block log before its
 * rows are in the store, and always in one of the two logs. So the store and the logs together
 * always give the last announced state. After a failed write, nothing more is written: the node
 * ends, and the next start continues from the files.
 */
export class BlockWriter {
  readonly log: BlockArchive
  private readonly journal: BlockJournal
  private readonly queue: CommitQueue
  private readonly store: Store
  /** The block that the stored state was at; 0 if there was none. */
  private readonly opened_at: number
  /** Ids of the blocks in the journal. */
  private readonly journaled = new Set<string>()
  /** Accepted blocks that {@link inOneSync} writes at its end; undefined outside of it. */
  private held: Accepted[] | undefined
  private readonly syncs_blocks: boolean
  private stale_bytes = 0
  private readonly onFailure: (error: unknown) => void
  private failure: { error: unknown } | undefined

  constructor(
    log: BlockArchive,
    journal: BlockJournal,
    store: Store,
    options: {
      max_records?: number | undefined
      /** A block in the reversible log is on the disk. */
      syncs_blocks: boolean
      /** Other files that must be synced before rows are stored. */
      beforeStoring?: () => Promise<void>
      onFailure: (error: unknown) => void
    },
  ) {
    this.log = log
    this.journal = journal
    this.store = store
    this.opened_at = store.head?.block_num ?? 0
    this.syncs_blocks = options.syncs_blocks
    this.onFailure = options.onFailure
    const before = async (): Promise<void> => {
      await log.sync()
      await options.beforeStoring?.()
    }
    this.queue = new CommitQueue(store, before, options.onFailure, options.max_records)
  }

  /** Marks a block that the journal held at start-up. */
  journalHolds(block: BlockState): void {
    this.journaled.add(block.key)
  }

  /** Writes an accepted block to the journal, once; or one that finalizers vote on before it is
   *  executed. */
  accept(block: BlockState, executed = true): void {
    if (this.journaled.has(block.key)) return
    if (this.held) this.held.push({ block, executed })
    else this.write(() => this.journal.append([recordOf({ block, executed })]))
    this.journaled.add(block.key)
  }

  /**
   * Does work, and writes the blocks that it accepts to the journal at its end instead of one by one. A block whose
   * signature cannot be made counts as a failed write, because it is the head already.
   * @param meanwhile as of {@link BlockJournal}
   */
  inOneSync<T>(work: () => T, meanwhile?: () => boolean): T {
    this.held = []
    try {
      return work()
    } finally {
      const { held } = this
      this.held = undefined
      if (held.length > 0) this.write(() => this.journal.append(held.map(recordOf), meanwhile))
    }
  }

  /** Writes irreversible blocks to the log, unless they are there. They follow each other. */
  logIrreversible(blocks: readonly BlockState[]): void {
    this.write(() => {
      const { head_block_num } = this.log
      let group: Uint8Array[] = []
      let size = 0
      for (const block of blocks) {
        if (block.block_num <= head_block_num) continue
        group.push(block.packed_block)
        size += block.packed_block.length
        if (size < MAX_GROUP_BYTES && block !== blocks.at(-1)) continue
        this.log.append(group, block.block_num - group.length + 1)
        group = []
        size = 0
      }
    })
  }

  /**
   * Queues the rows of an irreversible block, which is in the log.
   * @param head the last block in the reversible log, or in the block log
   */
  irreversible(block: BlockState, head: BlockState): void {
    const { block_num, id, changes } = block
    assert(changes, `rows of block ${block_num} are missing`)
    const announced = this.syncs_blocks ? head.id : undefined
    const packHead = (): Uint8Array => packStored(block, announced)
    this.queue.push({ block_num, block_id: id, packHead }, changes)
    block.changes = undefined
    if (this.journaled.delete(block.key)) this.stale_bytes += block.packed_block.length
  }

  /**
   * Removes irreversible and forked-out blocks from the reversible log when there are many, and
   * when the store has reached them: then the last announced block in the store is on the root's
   * branch. Removes old blocks from the block log too, if they need not be kept.
   */
  compact(forks: ForkDatabase): void {
    this.write(() => this.log.discard(this.queue.committed_block_num || this.opened_at))
    if (this.stale_bytes < COMPACT_BYTES) return
    if (this.queue.committed_block_num >= forks.root.block_num) this.rewriteJournal(forks)
  }

  /** Makes the journal hold the reversible blocks alone; the others must be on disk in the log. */
  rewriteJournal(forks: ForkDatabase): void {
    const keep = forks
      .ascending()
      .filter((block) => block.validated || this.journaled.has(block.key))
    this.write(() =>
      this.journal.rewrite(
        keep.map(({ packed_block: packed, validated: executed }) => ({ packed, executed })),
      ),
    )
    if (this.held) this.held = []
    this.journaled.clear()
    for (const block of keep) this.journaled.add(block.key)
    this.stale_bytes = 0
  }

  /**
   * Records in the state that no block after this head was announced: later blocks are lost.
   * @param root the block of the stored state, as it is already written
   */
  async forgetAnnounced(root: BlockState, head: BlockState): Promise<void> {
    const { block_num, id: block_id } = root
    await this.queue.drained()
    await this.store.commit({ block_num, block_id, head: packStored(root, head.id), changes: [] })
  }

  /** Resolves when the store is near enough behind. */
  settled(): Promise<void> {
    return this.queue.settled()
  }

  /** Resolves when the store has every irreversible block's rows. */
  drained(): Promise<void> {
    return this.queue.drained()
  }

  /**
   * Writes everything out and releases files and store.
   * @throws ChainError the reason why something could not be written
   */
  async close(): Promise<void> {
    try {
      await this.queue.drained()
      this.check()
    } finally {
      this.journal.close()
      this.log.close()
      await this.store.close()
    }
  }

  /** Something else that belongs to the blocks could not be written: from now on nothing is. */
  fail(error: unknown): void {
    this.failure ??= { error }
    this.onFailure(error)
  }

  private check(): void {
    if (this.failure) throw this.failure.error
  }

  private write(work: () => void): void {
    this.check()
    try {
      work()
    } catch (error) {
      this.failure = { error }
      this.onFailure(error)
      throw error
    }
  }
}
