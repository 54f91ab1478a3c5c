import { rmSync } from 'node:fs'
import type { AppliedBlock, AppliedTransaction, StartedBlock } from '../../chain/chain_events.ts'
import type { BlockState } from '../../chain/headers/block_state.ts'
import type { Chain } from '../../chain/chain.ts'
import { ChainError, check } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { failAs, isSystemError } from '../../store/file.ts'
import { bytesEqual } from '../../protocol/hex.ts'
import { Writer } from '../../protocol/writer.ts'
import type { Database } from '../../state/database.ts'
import { CollectedTraces } from './collected_traces.ts'
import { damageText, skipText } from './history_log.ts'
import { LogCatalog } from './log_catalog.ts'
import { HISTORY_TABLES, packDeltas, packWholeState } from './pack_deltas.ts'
import { packFinalityData } from './pack_finality.ts'
import type { StateHistorySettings } from './settings.ts'

/** Number of blocks at the end of a log whose ids are compared with those of the chain. */
const COMPARED_BLOCKS = 1000

/**
 * The logs of state history, and what is written to them for each block. After the first failure nothing more is
 * written, and nothing more of the chain is stored: the node ends, and the next start writes the block again.
 */
export class HistoryWriter {
  readonly traces: LogCatalog | undefined
  readonly deltas: LogCatalog | undefined
  readonly finality_data: LogCatalog | undefined
  private readonly collected: CollectedTraces
  private readonly log: Log
  private readonly onFailure: (error: unknown) => void
  private readonly writer = new Writer(1 << 16)
  private failure: { error: unknown } | undefined

  /** Opens the logs. @throws ChainError plugin_exception */
  constructor(settings: StateHistorySettings, log: Log, onFailure: (error: unknown) => void) {
    this.onFailure = onFailure
    const { folder, parts, split, retain_blocks, prune_step } = settings
    if (settings.delete_first) rmSync(folder, { recursive: true, force: true })
    const open = (is_on: boolean, name: string): LogCatalog | undefined => {
      const otherBlockId = (block_num: number): Uint8Array | undefined => this.blockId(block_num)
      return is_on
        ? new LogCatalog(folder, name, { retain_blocks, prune_step, otherBlockId, log }, split)
        : undefined
    }
    this.log = log
    this.collected = new CollectedTraces(settings.debug_traces)
    try {
      this.traces = open(parts.traces, 'trace_history')
      this.deltas = open(parts.deltas, 'chain_state_history')
      this.finality_data = open(parts.finality_data, 'finality_data_history')
    } catch (error) {
      this.closeLogs()
      failAs('plugin_exception', `cannot open the state history in ${folder}`, error)
    }
  }

  /** The logs that are on. */
  get logs(): LogCatalog[] {
    const { traces, deltas, finality_data } = this
    return [traces, deltas, finality_data].filter((log) => log !== undefined)
  }

  /** The id of a block of the first log that has it. */
  blockId(block_num: number): Uint8Array | undefined {
    for (const log of this.logs) {
      const id = log.blockId(block_num)
      if (id) return id
    }
    return undefined
  }

  /** A block is started. An error is noted, not thrown. */
  begin(started: StartedBlock): void {
    this.guard(() => this.collected.begin(started))
  }

  /** Collects a transaction of the block that was started. An error is noted, not thrown. */
  collect(applied: AppliedTransaction): void {
    this.guard(() => this.collected.add(applied))
  }

  /** Writes the block that was started to all logs. An error is noted, not thrown. */
  write({ block, transaction_count, db, deltas }: AppliedBlock): void {
    this.guard(() => {
      this.traces?.append(block, () => this.collected.list(transaction_count, block.block_num))
      this.deltas?.append(block, (is_first) => {
        if (is_first) this.log('info', `Placing initial state in block ${block.block_num}`)
        const pack = (w: Writer): void =>
          is_first ? packWholeState(w, db) : packDeltas(w, db, deltas(HISTORY_TABLES))
        return this.pack(pack)
      })
      this.writeFinalityData(block)
    })
  }

  /** Writes the whole state as the deltas of the head, if there are no deltas yet. */
  writeInitialState(head: BlockState, db: Database): void {
    if (!this.deltas?.is_empty) return
    this.guard(() => {
      this.log(
        'info',
        'Storing initial state on startup, this can take a considerable amount of time',
      )
      this.deltas?.append(head, () => this.pack((w) => packWholeState(w, db)))
      this.log('info', 'Done storing initial state on startup')
    })
  }

  /** Compares the logs with the chain. @throws ChainError plugin_exception if they do not fit together */
  checkFits(chain: Chain): void {
    const next = chain.head.block_num + 1
    for (const log of this.logs) {
      if (log.is_empty) continue
      log.checkWhole()
      const { begin, end } = log.range
      const name = `${log.name}.log`
      check(next <= end, 'plugin_exception', skipText(next, end, name))
      check(
        next >= begin,
        'plugin_exception',
        `block ${next} is before start block ${begin} of ${name}`,
      )
      const last = Math.min(next, end) - 1
      const fits = (block_num: number): boolean => {
        const ours = chain.blockIdByNumber(block_num)
        const theirs = log.blockId(block_num)
        return !ours || !theirs || bytesEqual(ours, theirs)
      }
      check(fits(last), 'plugin_exception', `${name} is of another chain: block ${last} differs`)
      for (let n = last - 1; n >= begin && n > last - COMPARED_BLOCKS; n--) {
        check(fits(n), 'plugin_exception', damageText(`the id of block ${n} of ${name}`, name))
      }
    }
  }

  /** Resolves when everything is on the disk. @throws the first error of writing */
  async sync(): Promise<void> {
    this.checkFailure()
    try {
      for (const log of this.logs) await log.sync()
    } catch (error) {
      failAs('state_history_write_exception', 'cannot write the state history', error)
    }
  }

  /** @throws the first error of writing */
  checkFailure(): void {
    if (this.failure) throw this.failure.error
  }

  /** Closes the logs; what was written is on the disk then, unless there was an error. */
  async close(): Promise<void> {
    try {
      if (!this.failure) await this.sync()
    } finally {
      this.closeLogs()
    }
  }

  private closeLogs(): void {
    for (const log of this.logs) log.close()
  }

  private writeFinalityData(block: BlockState): void {
    if (!this.finality_data) return
    if (!block.savanna) {
      // Blocks before Savanna have none. A replay passes by them; a fork to them leaves no block valid that follows.
      if (block.block_num >= this.finality_data.range.begin) this.finality_data.clear()
      return
    }
    this.finality_data.append(block, () => this.pack((w) => packFinalityData(w, block)))
  }

  private fail(cause: unknown): void {
    const error = isSystemError(cause)
      ? new ChainError(
          'state_history_write_exception',
          `cannot write the state history: ${cause.message}`,
        )
      : cause
    this.failure = { error }
    const reason = error instanceof ChainError ? error.message : String(error)
    this.log('error', `State history encountered an Error which it cannot recover from: ${reason}`)
    this.onFailure(error)
  }

  private pack(work: (w: Writer) => void): readonly Uint8Array[] {
    this.writer.reset()
    work(this.writer)
    return [this.writer.view()]
  }

  private guard(work: () => void): void {
    if (this.failure) return
    try {
      work()
    } catch (error) {
      this.fail(error)
    }
  }
}
