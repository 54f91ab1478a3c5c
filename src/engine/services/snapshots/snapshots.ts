/**
 * Makes snapshots while the chain continues: a view of the state is taken between two blocks,
 * written in pieces, and announced when its block is irreversible.
 * spring: libraries/chain/snapshot_scheduler.cpp (create_snapshot, on_irreversible_block)
 */
import type { Log } from '../../log.ts'
import type { BlockState } from '../../chain/headers/block_state.ts'
import type { Chain } from '../../chain/chain.ts'
import { ChainError, check, fail } from '../../errors.ts'
import { bytesEqual, toHex } from '../../protocol/hex.ts'
import { slotToUs, timePointToString } from '../../protocol/time.ts'
import { CURRENT_VERSION } from '../../snapshot/format.ts'
import type { SnapshotSource } from '../../snapshot/source.ts'
import { writeSnapshot } from '../../snapshot/write_snapshot.ts'
import { SnapshotFiles } from './snapshot_files.ts'

/** The description of a snapshot for clients. */
export interface SnapshotInformation {
  head_block_id: string
  head_block_num: number
  head_block_time: string
  version: number
  /** Path of the file. */
  snapshot_name: string
}

/** The description of the block of a snapshot. */
type Fate = 'reversible' | 'irreversible' | 'forked out' | 'taken as it is'

/** The options of a snapshot. */
export interface CreateOptions {
  onPending?: (information: SnapshotInformation) => void
  allow_reversible?: boolean
}

/** A snapshot from the view of its state to the name that it keeps. */
interface Task {
  readonly block: BlockState
  readonly files: SnapshotFiles
  fate: Fate
  /** Resolves once the fate is known. */
  readonly settled: Promise<void>
  settle(): void
  readonly done: Promise<SnapshotInformation>
}

const NO_FOLDER = 'this node keeps nothing on disk: there is no folder for snapshots'

/**
 * Makes snapshots while the chain continues. One file is written at a time. A file gets its final
 * name when its block is irreversible, and is removed if its block leaves the chain.
 */
export class Snapshots {
  private readonly chain: Chain
  private readonly folder: string | undefined
  private readonly log: Log
  private readonly tasks = new Map<string, Task>()
  /** The end of the snapshot that is being written: one is written at a time. */
  private writing: Promise<unknown> = Promise.resolve()
  private stopping = false

  constructor(chain: Chain, folder: string | undefined, log: Log) {
    this.chain = chain
    this.folder = folder
    this.log = log
  }

  /**
   * Makes a snapshot of the state after the head; there must be no pending block. Resolves when it
   * is announced. Concurrent requests for the same block get the same answer.
   * @param options.onPending called when it is written, with its temporary name
   * @param options.allow_reversible announces it as soon as it is written, and also one that is
   *   already waiting
   * @throws snapshot_exists_exception; later snapshot_execution_exception, snapshot_exception,
   *   snapshot_finalization_exception
   */
  create({ onPending, allow_reversible }: CreateOptions = {}): Promise<SnapshotInformation> {
    const block = this.chain.head
    const known = this.tasks.get(block.key)
    if (known) {
      if (allow_reversible) accept(known)
      return known.done
    }
    check(!this.stopping, 'snapshot_exception', 'the node stops')
    check(this.folder !== undefined, 'snapshot_directory_not_found_exception', NO_FOLDER)
    const files = new SnapshotFiles(this.folder, block.id)
    check(
      !files.is_final,
      'snapshot_exists_exception',
      `snapshot named ${files.final} already exists`,
    )
    const source = this.chain.snapshotSource()
    let settle = (): void => {}
    const settled = new Promise<void>((resolve) => (settle = resolve))
    const done = this.writing
      .then(() => this.write(source, files))
      .finally(() => source.view.release())
    this.writing = done.catch(() => undefined)
    const task: Task = {
      block,
      files,
      fate: 'reversible',
      settled,
      settle,
      done: done
        .then(() => onPending?.(describe(block, files.pending)))
        .then(() => this.announce(task))
        .finally(() => this.tasks.delete(block.key)),
    }
    this.tasks.set(block.key, task)
    this.irreversible(this.chain.last_irreversible)
    if (allow_reversible) accept(task)
    return task.done
  }

  /** Called when a block became irreversible. */
  irreversible(block: BlockState): void {
    for (const task of this.tasks.values()) {
      if (task.fate !== 'reversible' || task.block.block_num > block.block_num) continue
      // The ancestors of later blocks are not known; this one is checked first.
      const is_other =
        task.block.block_num === block.block_num && !bytesEqual(task.block.id, block.id)
      task.fate = is_other ? 'forked out' : 'irreversible'
      task.settle()
    }
  }

  /** Discards snapshots that are not announced yet. Resolves when no file is being written. */
  async stop(): Promise<void> {
    this.stopping = true
    const all = [...this.tasks.values()]
    for (const task of all) task.settle()
    await Promise.allSettled(all.map((task) => task.done))
  }

  private async write(source: SnapshotSource, files: SnapshotFiles): Promise<void> {
    try {
      files.makeFolder()
      await writeSnapshot(source, files.incomplete, () => this.stopping)
      await files.complete()
    } catch (error) {
      await this.discard(files)
      if (error instanceof ChainError) throw error
      fail('snapshot_execution_exception', `the snapshot cannot be written: ${textOf(error)}`)
    }
  }

  private async announce(task: Task): Promise<SnapshotInformation> {
    await task.settled
    const { block, files, fate } = task
    if (fate === 'reversible' || fate === 'forked out') {
      await this.discard(files)
      check(
        fate !== 'reversible',
        'snapshot_exception',
        'the snapshot was canceled, because the node stops',
      )
      fail(
        'snapshot_finalization_exception',
        `Snapshotted block was forked out of the chain.  ID: ${toHex(block.id)}`,
      )
    }
    try {
      await files.finalize()
    } catch (error) {
      await this.discard(files)
      const what = `Unable to finalize valid snapshot of block number ${block.block_num}`
      fail('snapshot_finalization_exception', `${what}: ${textOf(error)}`)
    }
    return describe(block, files.final)
  }

  /**
   * A file that cannot be removed now is removed by the next start. The original error is reported.
   */
  private async discard(files: SnapshotFiles): Promise<void> {
    await files.discard().catch((error: unknown) => {
      this.log('warn', `cannot remove an unfinished snapshot: ${textOf(error)}`)
    })
  }
}

/** Its block may be reversible: nothing is waited for. */
function accept(task: Task): void {
  if (task.fate === 'reversible') task.fate = 'taken as it is'
  task.settle()
}

function describe(block: BlockState, snapshot_name: string): SnapshotInformation {
  return {
    head_block_id: toHex(block.id),
    head_block_num: block.block_num,
    head_block_time: timePointToString(slotToUs(block.timestamp)),
    version: CURRENT_VERSION,
    snapshot_name,
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
