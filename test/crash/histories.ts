/** State history and traces of a chain under test: written beside it, and checked against it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Chain } from '../../src/engine/chain/chain.ts'
import type { ChainEvents } from '../../src/engine/chain/chain_events.ts'
import type { Log } from '../../src/engine/log.ts'
import { toHex } from '../../src/engine/protocol/hex.ts'
import { FollowedHistory } from '../../src/engine/services/state_history/state_history.ts'
import { FollowedTraces } from '../../src/engine/services/trace_api/trace_api.ts'
import { indexEntries } from '../../src/engine/services/trace_api/slice_index.ts'

/** Slices are short, so that there are several. */
const STRIDE = 5
/** Blocks of a log of state history, where logs are split. */
const LOG_STRIDE = 2
/** The first block that is written: the one after the genesis. */
const FIRST = 2

export class Histories {
  private readonly history: FollowedHistory
  private readonly traces: FollowedTraces

  /** @param options.stride blocks of a trace slice; `split`: the logs of state history are split */
  constructor(
    folder: string,
    events: ChainEvents,
    log: Log,
    { stride = STRIDE, split = false }: { stride?: number; split?: boolean } = {},
  ) {
    const history_folder = join(folder, 'state-history')
    this.history = new FollowedHistory(
      {
        folder: history_folder,
        parts: { traces: true, deltas: true, finality_data: true },
        debug_traces: false,
        delete_first: false,
        retain_blocks: undefined,
        split: split
          ? {
              stride: LOG_STRIDE,
              max_retained_files: 1000,
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
        retention: { kept_blocks: undefined, uncompressed_blocks: undefined },
        abis: new Map(),
        chain_abis: false,
        delete_first: false,
        max_conversion_us: 1000,
      },
      events,
      log,
    )
  }

  async close(): Promise<void> {
    try {
      await this.history.close()
    } finally {
      await this.traces.close()
    }
  }

  /** All blocks of the chain are in the logs, once, and can be read. */
  async check(chain: Chain): Promise<void> {
    const { writer } = this.history
    writer.checkFailure()
    writer.checkFits(chain)
    const { block_num: head } = chain.head
    for (let block_num = FIRST; block_num <= head; block_num++) {
      const id = toHex(chain.blockIdByNumber(block_num)!)
      for (const log of [writer.traces!, writer.deltas!]) {
        expect(toHex(log.blockId(block_num)!), `${log.name} ${block_num}`).equal(id)
        const entry = log.entry(block_num)!
        expect(await entry.size()).greaterThan(0)
        for await (const piece of entry.pieces()) expect(piece.length).greaterThan(0)
        entry.close()
      }
      const found = await this.traces.reader.block(block_num)
      expect(found && toHex(found.block.id), `trace of block ${block_num}`).equal(id)
      const is_final = block_num <= chain.last_irreversible.block_num
      expect(found!.is_irreversible).equal(is_final)
    }
    expect(writer.traces!.range).deep.equal({ begin: FIRST, end: head + 1 })
    expect(writer.deltas!.range).deep.equal({ begin: FIRST, end: head + 1 })
    this.checkOnce()
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
