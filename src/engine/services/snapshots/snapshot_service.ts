import type { Log } from '../../log.ts'
import { basename, dirname, join } from 'node:path'
import type { Chain } from '../../chain/chain.ts'
import type { BlockState } from '../../chain/headers/block_state.ts'
import type { ChainEvents } from '../../chain/chain_events.ts'
import { ChainError } from '../../errors.ts'
import { toHex } from '../../protocol/hex.ts'
import { integrityHash } from '../../snapshot/integrity_hash.ts'
import type { SnapshotSource } from '../../snapshot/source.ts'
import { removeSnapshot, removeUnfinished } from './snapshot_files.ts'
import { SnapshotSchedule } from './snapshot_schedule.ts'
import type { SnapshotRequest, SnapshotRequestParams } from './snapshot_schedule.ts'
import { Snapshots } from './snapshots.ts'
import type { SnapshotInformation } from './snapshots.ts'

/** The part of the production loop that interrupts blocks for reads of the state. */
export interface BlockInWork {
  /** Discards the pending block. */
  abort(): void
  /** Begins another one. */
  restart(): void
  /** Whether production is paused. */
  readonly paused: boolean
}

/** The parts of the node that the snapshot service uses. */
export interface SnapshotDependencies {
  chain: Chain
  loop: BlockInWork
  log: Log
}

/** The parameters of create_snapshot. */
export interface CreateSnapshotParams {
  allow_reversible?: boolean
}

/** A request for snapshots with its pending snapshots. */
export interface ScheduledRequest extends SnapshotRequest {
  pending_snapshots: SnapshotInformation[]
}

/** The settings of the snapshot service. */
export interface SnapshotSettings {
  folder: string | undefined
  /** The number of snapshots that are kept for a repeating request; 0 keeps all. */
  max_retained: number
  /** Whether the hash of the state is logged when the node starts and when it stops. */
  integrity_hash_on_start?: boolean
  integrity_hash_on_stop?: boolean
}

const FULL = (block_num: number, waiting: number): string =>
  `no snapshot of block ${block_num}: ${waiting} of the same request wait until their blocks are irreversible`

const SCHEDULE_FILE = 'snapshot-schedule.json'

/** The operations about snapshots, and the schedule that makes them.
 *  spring: plugins/producer_plugin/producer_plugin.cpp */
export class SnapshotService {
  private readonly deps: SnapshotDependencies
  private readonly snapshots: Snapshots
  private readonly schedule: SnapshotSchedule
  /** Snapshots that are not announced yet, by the request that they are made for. */
  private readonly pending = new Map<number, SnapshotInformation[]>()

  private readonly max_retained: number
  private readonly hash_on_stop: boolean
  /** Whether the last due snapshot was skipped. */
  private is_full = false

  /**
   * @param settings.folder folder of the snapshots and their schedule, created when it is needed;
   *   if absent, there are no snapshots
   * @throws snapshot_exception if the schedule in it cannot be read
   */
  constructor(settings: SnapshotSettings, deps: SnapshotDependencies) {
    const { folder, max_retained, integrity_hash_on_stop = false } = settings
    this.deps = deps
    this.max_retained = max_retained
    this.hash_on_stop = integrity_hash_on_stop
    if (folder !== undefined) removeUnfinished(folder)
    this.snapshots = new Snapshots(deps.chain, folder, deps.log)
    this.schedule = new SnapshotSchedule(folder && join(folder, SCHEDULE_FILE))
  }

  /** Follows a chain from now on. */
  follow(events: ChainEvents): void {
    events.on('blockAccepted', ({ block_num }) => this.makeScheduled(block_num))
    events.on('blockIrreversible', (block) => this.irreversible(block))
  }

  /** Makes a snapshot of the head; resolves when its block is irreversible, or with `allow_reversible` when
   *  the file is written. */
  createSnapshot(params: CreateSnapshotParams = {}): Promise<SnapshotInformation> {
    const { allow_reversible = false } = params
    if (!allow_reversible) this.tellOfPause()
    return this.betweenBlocks(() => this.snapshots.create({ allow_reversible }))
  }

  /**
   * Adds a request, counted from the block after the head.
   * @throws ChainError for a request that cannot be met, or that is there already
   */
  scheduleSnapshot(params: SnapshotRequestParams): SnapshotRequest {
    return this.schedule.add(params, this.deps.chain.head.block_num)
  }

  /**
   * Removes a request and returns it.
   * @throws snapshot_request_not_found if there is none with this id
   */
  unscheduleSnapshot(snapshot_request_id: number): SnapshotRequest {
    return this.schedule.remove(snapshot_request_id)
  }

  /** All requests, each with its snapshots that wait for their block to become irreversible. */
  getSnapshotRequests(): { snapshot_requests: ScheduledRequest[] } {
    const snapshot_requests = this.schedule.all.map((request) => ({
      ...request,
      pending_snapshots: this.pending.get(request.snapshot_request_id) ?? [],
    }))
    return { snapshot_requests }
  }

  /**
   * The hash of the state at the head, as a snapshot of it would have; the pending block is discarded first.
   */
  async getIntegrityHash(): Promise<{ head_block_id: string; integrity_hash: string }> {
    const { head_block_id, source } = this.betweenBlocks(() => this.look())
    const integrity_hash = toHex(await integrityHash(source).finally(() => source.view.release()))
    return { head_block_id, integrity_hash }
  }

  private irreversible(block: BlockState): void {
    this.snapshots.irreversible(block)
    this.expire(block.block_num)
  }

  /** Logs the hash of the state. @param when what the node did then */
  async logIntegrityHash(when: 'started' | 'stopped'): Promise<void> {
    const { integrity_hash } = await this.getIntegrityHash()
    this.deps.log('info', `chain database ${when} with hash: ${integrity_hash}`)
  }

  /** Discards snapshots that are not announced yet. */
  endWaits(): Promise<void> {
    return this.snapshots.stop()
  }

  /** Logs the integrity hash at the stop, if that was requested. */
  async stopped(): Promise<void> {
    if (this.hash_on_stop) await this.logIntegrityHash('stopped')
  }

  /** While production is paused no block comes that could make the head irreversible. */
  private tellOfPause(): void {
    const { chain, loop, log } = this.deps
    const { head, last_irreversible } = chain
    if (!loop.paused || head.block_num <= last_irreversible.block_num) return
    log(
      'info',
      `the snapshot of block ${head.block_num} waits until that block is irreversible; production is paused, so resume it, or request create_snapshot with "allow_reversible": true`,
    )
  }

  private look(): { head_block_id: string; source: SnapshotSource } {
    const { chain } = this.deps
    return { head_block_id: chain.head.key, source: chain.snapshotSource() }
  }

  /** Runs `work` without a pending block; a pending block is restarted afterwards. */
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

  /** A file with completed requests is harmless, so the chain does not get this error. */
  private expire(irreversible_block_num: number): void {
    try {
      this.schedule.expire(irreversible_block_num)
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      this.deps.log('warn', error.message)
    }
  }

  /** One snapshot serves several requests for the same block. */
  private makeScheduled(block_num: number): void {
    const [request] = this.schedule.due(block_num)
    if (!request) return
    const waiting = this.pending.get(request.snapshot_request_id)?.length ?? 0
    if (this.max_retained > 0 && waiting >= this.max_retained) {
      // Once in a row: the next block may be in the schedule too.
      if (!this.is_full) this.deps.log('warn', FULL(block_num, waiting))
      this.is_full = true
      return
    }
    this.is_full = false
    this.make(request).catch((error: unknown) => {
      const text = error instanceof Error ? error.message : String(error)
      this.deps.log('warn', `no snapshot of block ${block_num}: ${text}`)
    })
  }

  private async make({ snapshot_request_id: request_id }: SnapshotRequest): Promise<void> {
    const onPending = (pending: SnapshotInformation): void => {
      this.pending.set(request_id, [...(this.pending.get(request_id) ?? []), pending])
    }
    const { head_block_num, snapshot_name } = await this.snapshots.create({ onPending })
    const left = this.pending.get(request_id)?.filter((p) => p.head_block_num > head_block_num)
    if (left?.length) this.pending.set(request_id, left)
    else this.pending.delete(request_id)
    this.deps.log('info', `snapshot of block ${head_block_num}: ${snapshot_name}`)
    await this.retain(request_id, snapshot_name)
  }

  /** Removes the oldest snapshots of a request that makes more than are retained. */
  private async retain(request_id: number, snapshot_name: string): Promise<void> {
    const old = this.schedule.made(request_id, basename(snapshot_name), this.max_retained)
    for (const name of old) {
      await removeSnapshot(join(dirname(snapshot_name), name))
      this.deps.log('info', `removed the snapshot ${name}: ${this.max_retained} are retained`)
    }
  }
}
