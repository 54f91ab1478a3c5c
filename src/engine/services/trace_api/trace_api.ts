import { ConversionBudget } from '../../abi/conversion_budget.ts'
import type { Chain } from '../../chain/chain.ts'
import type { AppliedBlock, ChainEvents } from '../../chain/chain_events.ts'
import type { Clock } from '../../clock.ts'
import { ChainError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { abisOf } from '../../queries/query.ts'
import { failAs, isSystemError } from '../../store/file.ts'
import { bytesEqual } from '../../protocol/hex.ts'
import { gauge, type Metric } from '../metric.ts'
import type { Service } from '../service.ts'
import type { StoredFiles } from '../stored_files.ts'
import { decodeAction, type TraceAbis } from './action_decoder.ts'
import type { TraceApiSettings } from './settings.ts'
import { SliceFolder } from './slice_files.ts'
import { SliceMaintenance } from './slice_maintenance.ts'
import {
  tracedBlockJson,
  tracedTransactionJson,
  type DecodeAction,
  type TracedBlockJson,
  type TracedTransactionJson,
} from './trace_json.ts'
import { TraceReader } from './trace_reader.ts'
import { TraceWriter, removeSlices } from './trace_writer.ts'

/**
 * Trace slices that follow a chain from before it is opened. After the first failure nothing more is written, and
 * nothing more of the chain is stored: the node ends, and the next start writes the block again.
 */
export class FollowedTraces {
  readonly writer: TraceWriter
  readonly reader: TraceReader
  readonly maintenance: SliceMaintenance
  private readonly events: ChainEvents
  private readonly log: Log
  private readonly ends: (() => void)[]
  private failure: { error: unknown } | undefined
  /** The block that the chain applies next; not known before the first one. */
  private next: number | undefined
  /** The last irreversible block that is not written yet. */
  private unwritten_lib: number | undefined
  private is_flush_due = false

  /** @throws Error of node:fs, ChainError if the slices cannot be used */
  constructor(
    settings: TraceApiSettings,
    { events, clock, log }: { events: ChainEvents; clock: Clock; log: Log },
  ) {
    this.events = events
    this.log = log
    let slices: SliceFolder
    try {
      slices = new SliceFolder(settings.folder, settings.stride)
      if (settings.delete_first) removeSlices(slices)
      this.writer = new TraceWriter(slices, log)
    } catch (error) {
      failAs('plugin_exception', `cannot open the traces in ${settings.folder}`, error)
    }
    this.reader = new TraceReader(this.writer, clock)
    const onRemoved = (): void => this.reader.forget()
    this.maintenance = new SliceMaintenance(slices, settings.retention, onRemoved, log)
    this.ends = [
      events.on('blockStarted', (block) => this.guard(() => this.writer.begin(block))),
      events.on('transactionApplied', (applied) => this.guard(() => this.writer.collect(applied))),
      events.on('blockApplied', (block) => {
        this.guard(() => this.append(block))
        this.flushSoon()
      }),
      events.on('blockIrreversible', ({ block_num }) => {
        this.unwritten_lib = block_num
        this.guard(() => this.appendLib())
        this.flushSoon()
        this.maintenance.setLib(block_num)
      }),
      events.beforeStoring(() => this.sync()),
    ]
  }

  /** @throws the first error of writing */
  checkFailure(): void {
    if (this.failure) throw this.failure.error
  }

  /** Ends the subscriptions, and closes the files when they are on the disk. */
  async close(): Promise<void> {
    for (const end of this.ends) end()
    await this.maintenance.stop()
    try {
      if (!this.failure) await this.sync()
    } finally {
      await this.writer.close()
    }
  }

  private append(applied: AppliedBlock): void {
    this.writer.append(applied)
    this.next = applied.block.block_num + 1
    this.appendLib()
  }

  /** Until a block has come, it is not known which blocks come again and so may be cut where they are damaged. */
  private appendLib(): void {
    const { next, unwritten_lib } = this
    if (next === undefined || unwritten_lib === undefined) return
    this.writer.appendLib(unwritten_lib, next)
    this.unwritten_lib = undefined
  }

  /** Blocks that are applied in one task are written together at its end. */
  private flushSoon(): void {
    if (this.is_flush_due) return
    this.is_flush_due = true
    queueMicrotask(() => {
      this.is_flush_due = false
      this.guard(() => this.writer.flush())
    })
  }

  private async sync(): Promise<void> {
    this.checkFailure()
    try {
      await this.writer.sync()
    } catch (error) {
      failAs('plugin_exception', 'cannot write the traces', error)
    }
  }

  private guard(work: () => void): void {
    if (this.failure) return
    try {
      work()
    } catch (cause) {
      const error = isSystemError(cause)
        ? new ChainError('plugin_exception', `cannot write the traces: ${cause.message}`)
        : cause
      this.failure = { error }
      this.events.failStoring(error)
      const reason = error instanceof ChainError ? error.message : String(error)
      this.log('error', `Trace API encountered an Error which it cannot recover from: ${reason}`)
    }
  }
}

/** The answers of the trace API. */
export class TraceApi implements Service {
  private readonly followed: FollowedTraces
  private readonly settings: TraceApiSettings
  private readonly abis: TraceAbis

  /** @throws the first error of writing, during a replay */
  constructor(followed: FollowedTraces, settings: TraceApiSettings, chain: Chain) {
    followed.checkFailure()
    this.followed = followed
    this.settings = settings
    this.abis = {
      given: settings.abis,
      onChain: (account) => {
        const row = settings.chain_abis ? chain.db.account.find('by_name', account) : undefined
        return row && abisOf(chain).tryGet(row.abi)
      },
    }
  }

  /** The trace of a block; undefined if there is none. @throws ChainError; BusyError */
  async block(block_num: number): Promise<TracedBlockJson | undefined> {
    const found = await this.followed.reader.block(block_num)
    return found && tracedBlockJson(found.block, found.is_irreversible, this.decoder())
  }

  /** The number of the block that has a transaction; undefined if it is not known. @throws ChainError; BusyError */
  blockOf(trx_id: Uint8Array): Promise<number | undefined> {
    return this.followed.reader.blockOf(trx_id)
  }

  /** The trace of a transaction in a block; undefined if there is none. @throws ChainError; BusyError */
  async transaction(
    trx_id: Uint8Array,
    block_num: number,
  ): Promise<TracedTransactionJson | undefined> {
    const found = await this.followed.reader.block(block_num)
    const trx = found?.block.transactions.find(({ id }) => bytesEqual(id, trx_id))
    return trx && tracedTransactionJson(trx, this.decoder())
  }

  /** The slices, compressed or not. */
  files(): [StoredFiles] {
    return [{ name: 'trace_api', bytes: this.followed.writer.slices.bytes }]
  }

  metrics(): Metric[] {
    const [{ bytes }] = this.files()
    return [gauge('pronghorn_trace_api_bytes', 'bytes of the trace slices', bytes)]
  }

  async stopped(): Promise<void> {
    await this.followed.close()
  }

  /** One for each answer, as the work of one is bounded. */
  private decoder(): DecodeAction {
    const budget = new ConversionBudget(this.settings.max_conversion_us)
    return (action) => decodeAction(action, this.abis, budget)
  }
}
