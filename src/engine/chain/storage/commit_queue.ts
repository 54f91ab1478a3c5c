import type { Store, StoreCommit } from '../../store/store.ts'
import type { ChangeSet } from '../../state/changes.ts'

/** The number of records that may wait for the store before callers should wait. */
const DEFAULT_MAX_RECORDS = 500_000

/** A step that waits. */
export type QueuedStep = Pick<StoreCommit, 'block_num' | 'block_id'> & {
  /** Packs the head; not called if a later step comes before this one is written. */
  packHead: () => Uint8Array
}

/**
 * Writes steps of the stored state to the store, in order and one at a time. Steps that wait are
 * merged, so the number of blocks cannot make the store fall behind.
 */
export class CommitQueue {
  private readonly store: Store
  private readonly max_records: number
  /** Called before each step; what must be on disk before the rows are. */
  private readonly before: () => Promise<void>
  private readonly onFailure: (error: unknown) => void
  private waiting: { step: QueuedStep; changes: ChangeSet[] } | undefined
  private waiting_records = 0
  private working: Promise<void> | undefined
  private failure: { error: unknown } | undefined
  private committed = 0

  constructor(
    store: Store,
    before: () => Promise<void>,
    onFailure: (error: unknown) => void,
    max_records: number | undefined,
  ) {
    this.store = store
    this.before = before
    this.onFailure = onFailure
    this.max_records = max_records ?? DEFAULT_MAX_RECORDS
  }

  /** Records that wait. */
  get backlog(): number {
    return this.waiting_records
  }

  /** The last block whose rows this queue wrote to the store; 0 if there is none. */
  get committed_block_num(): number {
    return this.committed
  }

  /**
   * Queues a step.
   * @throws ChainError the failure of an earlier step: the node must stop then
   */
  push(step: QueuedStep, changes: ChangeSet): void {
    this.check()
    this.waiting_records += changes.count
    if (this.waiting) {
      this.waiting.step = step
      this.waiting.changes.push(changes)
    } else {
      this.waiting = { step, changes: [changes] }
    }
    this.working ??= this.work()
  }

  /** Resolves when few enough records wait. */
  async settled(): Promise<void> {
    while (this.waiting_records > this.max_records && this.working) await this.working
    this.check()
  }

  /** Resolves when the store has everything. */
  async drained(): Promise<void> {
    while (this.working) await this.working
    this.check()
  }

  private check(): void {
    if (this.failure) throw this.failure.error
  }

  private async work(): Promise<void> {
    try {
      while (this.waiting) {
        const { step, changes } = this.waiting
        const { block_num, block_id } = step
        const head = step.packHead()
        this.waiting = undefined
        this.waiting_records = 0
        await this.before()
        await this.store.commit({ block_num, block_id, head, changes })
        this.committed = block_num
      }
    } catch (error) {
      this.failure = { error }
      this.onFailure(error)
    } finally {
      this.working = undefined
    }
  }
}
