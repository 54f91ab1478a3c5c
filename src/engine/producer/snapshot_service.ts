import { join } from 'node:path'
import type { Chain } from '../chain/chain.ts'
import type { BlockState } from '../chain/block_state.ts'
import type { ChainEvents } from '../chain/chain_events.ts'
import type { LogFunction } from '../chain/chain_options.ts'
import { ChainError } from '../errors.ts'
import { toHex } from '../protocol/hex.ts'
import { integrityHash } from '../snapshot/integrity_hash.ts'
import type { SnapshotSource } from '../snapshot/source.ts'
import { removeUnfinished } from './snapshot_files.ts'
import { SnapshotSchedule } from './snapshot_schedule.ts'
import type { SnapshotRequest, SnapshotRequestParams } from './snapshot_schedule.ts'
import { Snapshots } from './snapshots.ts'
import type { SnapshotInformation } from './snapshots.ts'

/** The part of the production loop that gives way to looks at the state. */
export interface BlockInWork {
  /** Gives the pending block up. */
  abort(): void
  /** Begins another one. */
  restart(): void
}

export interface SnapshotDependencies {
  chain: Chain
  loop: BlockInWork
  log: LogFunction
}

export interface ScheduledRequest extends SnapshotRequest {
  pending_snapshots: SnapshotInformation[]
}

const SCHEDULE_FILE = 'snapshot-schedule.json'

/** The operations about snapshots, and the schedule that makes them.
 *  spring: plugins/producer_plugin/producer_plugin.cpp */
export class SnapshotService {
  private readonly deps: SnapshotDependencies
  private readonly snapshots: Snapshots
  private readonly schedule: SnapshotSchedule
  /** Snapshots that are not announced yet, by the request that they are made for. */
  private readonly pending = new Map<number, SnapshotInformation[]>()

  /** @param folder of the snapshots and their schedule, made when it is needed; absent: there are none
   *  @throws snapshot_exception when the schedule in it cannot be read */
  constructor(folder: string | undefined, deps: SnapshotDependencies) {
    this.deps = deps
    if (folder !== undefined) removeUnfinished(folder)
    this.snapshots = new Snapshots(deps.chain, folder, deps.log)
    this.schedule = new SnapshotSchedule(folder && join(folder, SCHEDULE_FILE))
  }

  /** Follows a chain from now on. */
  follow(events: ChainEvents): void {
    events.on('blockAccepted', ({ block_num }) => this.makeScheduled(block_num))
    events.on('blockIrreversible', (block) => this.irreversible(block))
  }

  /** Makes a snapshot of the head; resolves when its block is irreversible. */
  createSnapshot(): Promise<SnapshotInformation> {
    return this.betweenBlocks(() => this.snapshots.create())
  }

  scheduleSnapshot(params: SnapshotRequestParams): SnapshotRequest {
    return this.schedule.add(params, this.deps.chain.head.block_num)
  }

  unscheduleSnapshot(snapshot_request_id: number): SnapshotRequest {
    return this.schedule.remove(snapshot_request_id)
  }

  getSnapshotRequests(): { snapshot_requests: ScheduledRequest[] } {
    const snapshot_requests = this.schedule.all.map((request) => ({
      ...request,
      pending_snapshots: this.pending.get(request.snapshot_request_id) ?? [],
    }))
    return { snapshot_requests }
  }

  async getIntegrityHash(): Promise<{ head_block_id: string; integrity_hash: string }> {
    const { head_block_id, source } = this.betweenBlocks(() => this.look())
    const integrity_hash = toHex(await integrityHash(source).finally(() => source.view.release()))
    return { head_block_id, integrity_hash }
  }

  private irreversible(block: BlockState): void {
    this.snapshots.irreversible(block)
    this.expire(block.block_num)
  }

  /** Gives up snapshots that are not announced yet. */
  stop(): Promise<void> {
    return this.snapshots.stop()
  }

  private look(): { head_block_id: string; source: SnapshotSource } {
    const { chain } = this.deps
    return { head_block_id: chain.head.key, source: chain.snapshotSource() }
  }

  /** Runs `work` while there is no pending block; one that was in work begins anew. */
  private betweenBlocks<T>(work: () => T): T {
    const { chain, loop } = this.deps
    const was_pending = chain.pending !== undefined
    loop.abort()
    try {
      return work()
    } finally {
      if (was_pending) loop.restart()
    }
  }

  /** A file that has requests which are over does no harm, so the chain does not hear of it. */
  private expire(irreversible_block_num: number): void {
    try {
      this.schedule.expire(irreversible_block_num)
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      this.deps.log('warn', error.message)
    }
  }

  /** One snapshot is enough where several requests want one. */
  private makeScheduled(block_num: number): void {
    const [request] = this.schedule.due(block_num)
    if (!request) return
    this.make(request.snapshot_request_id).catch((error: unknown) => {
      const text = error instanceof Error ? error.message : String(error)
      this.deps.log('warn', `no snapshot of block ${block_num}: ${text}`)
    })
  }

  private async make(request_id: number): Promise<void> {
    const information = await this.snapshots.create((pending) => {
      this.pending.set(request_id, [...(this.pending.get(request_id) ?? []), pending])
    })
    const { head_block_num, snapshot_name } = information
    const left = this.pending.get(request_id)?.filter((p) => p.head_block_num > head_block_num)
    if (left?.length) this.pending.set(request_id, left)
    else this.pending.delete(request_id)
    this.deps.log('info', `snapshot of block ${head_block_num}: ${snapshot_name}`)
  }
}
