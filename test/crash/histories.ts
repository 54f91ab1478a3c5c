/** State history and traces of a chain under test: written beside it, and checked against it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Chain } from '../../src/engine/chain/chain.ts'
import type { ChainEvents } from '../../src/engine/chain/chain_events.ts'
import { systemClock } from '../../src/engine/clock.ts'
import type { Log } from '../../src/engine/log.ts'
import { toHex } from '../../src/engine/protocol/hex.ts'
import type { LogCatalog } from '../../src/engine/services/state_history/log_catalog.ts'
import { FollowedHistory } from '../../src/engine/services/state_history/state_history.ts'
import type { Retention } from '../../src/engine/services/trace_api/slice_maintenance.ts'
import { FollowedTraces } from '../../src/engine/services/trace_api/trace_api.ts'
import { indexEntries } from '../../src/engine/services/trace_api/slice_index.ts'

/** Slices are short, so that there are several. */
const STRIDE = 5
/** Blocks of a log of state history, where logs are split. */
const LOG_STRIDE = 2
/** The first block that is written: the one after the genesis. */
const FIRST = 2
/** The first block with finality data. */
const FIRST_OF_SAVANNA = 3

/** What becomes of old blocks. */
export interface Keeping {
  /** The logs of state history are split. */
  split?: boolean
  /** Split logs that are kept; all if absent. */
  max_retained?: number
  /** Blocks that the logs of state history keep at least; all if absent. */
  kept_history?: number
  /** The logs are pruned to these; otherwise a log that was pruned is put together. */
  prunes?: boolean
  /** Logs are pruned where they cross a multiple of so many bytes; and at a start. */
  prune_step?: number
  /** Blocks of a trace slice. */
  stride?: number
  /** Trace slices that are kept, and not compressed. */
  retention?: Retention
}

const KEEP_ALL: Retention = { kept_blocks: undefined, uncompressed_blocks: undefined }

export class Histories {
  private readonly history: FollowedHistory
  private readonly traces: FollowedTraces
  private readonly keeping: Keeping

  constructor(folder: string, events: ChainEvents, log: Log, keeping: Keeping = {}) {
    this.keeping = keeping
    const { split = false, prunes = false, kept_history } = keeping
    const { stride = STRIDE, retention = KEEP_ALL } = keeping
    const history_folder = join(folder, 'state-history')
    this.history = new FollowedHistory(
      {
        folder: history_folder,
        parts: { traces: true, deltas: true, finality_data: true },
        debug_traces: false,
        delete_first: false,
        retain_blocks: prunes ? kept_history : undefined,
        prune_step: keeping.prune_step,
        split: split
          ? {
              stride: LOG_STRIDE,
              max_retained_files: keeping.max_retained ?? 1000,
              retained_dir: join(history_folder, 'retained'),
            }
          : undefined,
        addresses: [],
      },
      events,
      log,
    )
    this.traces = new FollowedTraces(
      {
        folder: join(folder, 'traces'),
        stride,
        retention,
        abis: new Map(),
        chain_abis: false,
        delete_first: false,
        max_conversion_us: 1000,
      },
      { events, clock: systemClock, log },
    )
  }

  async close(): Promise<void> {
    try {
      await this.history.close()
    } finally {
      await this.traces.close()
    }
  }

  /** Resolves when what is too old is removed or compressed. */
  settled(): Promise<void> {
    return this.traces.maintenance.settled()
  }

  /** All blocks of the chain that are kept are in the logs, once, and can be read. */
  async check(chain: Chain): Promise<void> {
    const { writer } = this.history
    writer.checkFailure()
    writer.checkFits(chain)
    for (const log of writer.logs) await this.checkLog(log, chain)
    await this.checkTraces(chain)
    this.checkOnce()
  }

  private async checkLog(log: LogCatalog, chain: Chain): Promise<void> {
    const { begin, end } = log.range
    const { kept_history = Infinity } = this.keeping
    expect(end, log.name).equal(chain.head.block_num + 1)
    const first = log === this.history.writer.finality_data ? FIRST_OF_SAVANNA : FIRST
    expect(begin, log.name).within(first, Math.max(first, end - kept_history))
    for (let block_num = begin; block_num < end; block_num++) {
      const id = toHex(chain.blockIdByNumber(block_num)!)
      expect(toHex(log.blockId(block_num)!), `${log.name} ${block_num}`).equal(id)
      const entry = log.entry(block_num, chain.blockIdByNumber(block_num)!)!
      expect(await entry.size()).greaterThan(0)
      for await (const piece of entry.pieces()) expect(piece.length).greaterThan(0)
      entry.close()
    }
  }

  private async checkTraces(chain: Chain): Promise<void> {
    const { last_irreversible: lib, head } = chain
    const { kept_blocks = Infinity } = this.keeping.retention ?? KEEP_ALL
    for (let block_num = FIRST; block_num <= head.block_num; block_num++) {
      const found = await this.traces.reader.block(block_num)
      if (!found && block_num <= lib.block_num - kept_blocks) continue
      const id = toHex(chain.blockIdByNumber(block_num)!)
      expect(found && toHex(found.block.id), `trace of block ${block_num}`).equal(id)
      expect(found!.is_irreversible).equal(block_num <= lib.block_num)
    }
  }

  /** No block is in a slice twice. */
  private checkOnce(): void {
    const { slices } = this.traces.writer
    for (const { kind, path } of slices.files()) {
      if (kind !== 'index') continue
      const ids = indexEntries(readFileSync(path), path).flatMap(({ entry }) =>
        entry.kind === 'block' ? [toHex(entry.id)] : [],
      )
      expect(new Set(ids).size, path).equal(ids.length)
    }
  }
}
