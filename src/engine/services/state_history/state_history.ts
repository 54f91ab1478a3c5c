import type { Chain } from '../../chain/chain.ts'
import type { ChainEvents } from '../../chain/chain_events.ts'
import type { Clock } from '../../clock.ts'
import { check } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { packSignedBlock } from '../../protocol/block.ts'
import { TAPOS_MASK } from '../../protocol/constants.ts'
import { bytesEqual } from '../../protocol/hex.ts'
import { packOne } from '../../protocol/writer.ts'
import { gauge, type Metric } from '../metric.ts'
import type { Service } from '../service.ts'
import type { StoredFiles } from '../stored_files.ts'
import { HistoryServer } from './history_server.ts'
import { HistoryWriter } from './history_writer.ts'
import { blockNumOfId } from './log_format.ts'
import type { LogEntry } from './log_entry.ts'
import type { HistoryStatus } from './protocol.ts'
import type { HistorySource } from './session.ts'
import type { StateHistorySettings } from './settings.ts'

const NO_BLOCKS = { begin: 0, end: 0 }

/** Logs of traces, changed rows and finality data, which follow a chain from before it is opened. */
export class FollowedHistory {
  readonly writer: HistoryWriter
  /** Called after the logs have the block. */
  onBlock: ((block_num: number) => void) | undefined
  private readonly ends: (() => void)[]

  /** @throws ChainError plugin_exception if the logs cannot be used */
  constructor(settings: StateHistorySettings, events: ChainEvents, log: Log) {
    this.writer = new HistoryWriter(settings, log, (error) => events.failStoring(error))
    const { writer } = this
    const collecting = (): (() => void)[] => [
      events.on('blockStarted', (block) => writer.begin(block)),
      events.on('transactionApplied', (applied) => writer.collect(applied)),
    ]
    this.ends = [
      ...(settings.parts.traces ? collecting() : []),
      events.on('blockApplied', (applied) => {
        writer.write(applied)
        this.onBlock?.(applied.block.block_num)
      }),
      events.beforeStoring(() => this.writer.sync()),
    ]
  }

  /** Ends the subscriptions, and closes the logs when they are on the disk. */
  async close(): Promise<void> {
    for (const end of this.ends) end()
    await this.writer.close()
  }
}

/** What readers of a chain's history need. */
interface HistoryContext {
  readonly chain: Chain
  /** Of this program. */
  readonly version: string
  readonly clock: Clock
  readonly log: Log
}

/** State history: the logs of a chain, and the readers that read them. */
export class StateHistory implements Service, HistorySource {
  /** The server for readers. */
  readonly server: HistoryServer
  private readonly followed: FollowedHistory
  private readonly chain: Chain

  private constructor(followed: FollowedHistory, { chain, version, clock, log }: HistoryContext) {
    this.followed = followed
    this.chain = chain
    this.server = new HistoryServer(this, { version, clock, log })
    followed.onBlock = (block_num) => this.server.blockApplied(block_num)
    chain.events.on('blockIrreversible', () => this.server.irreversible())
  }

  /**
   * Opens the addresses of a chain's history.
   * @throws ChainError plugin_exception if logs and chain do not fit together; ListenError
   */
  static async open(
    settings: StateHistorySettings,
    followed: FollowedHistory,
    context: HistoryContext,
  ): Promise<StateHistory> {
    const { chain, log } = context
    const { writer } = followed
    writer.checkFailure()
    writer.checkFits(chain)
    if (chain.pending === undefined) writer.writeInitialState(chain.head, chain.db)
    writer.checkFailure()
    const history = new StateHistory(followed, context)
    try {
      for (const address of settings.addresses) {
        await history.server.listen(address)
        log('info', `state history: ${address.option}`)
      }
    } catch (error) {
      await history.server.close()
      throw error
    }
    return history
  }

  get status(): HistoryStatus {
    const { chain } = this
    const { traces, deltas, finality_data } = this.followed.writer
    const position = ({ block_num, id }: Chain['head']) => ({ block_num, block_id: id })
    return {
      head: position(chain.head),
      last_irreversible: position(chain.last_irreversible),
      chain_id: chain.chain_id,
      traces: traces?.range ?? NO_BLOCKS,
      deltas: deltas?.range ?? NO_BLOCKS,
      finality_data: finality_data?.range ?? NO_BLOCKS,
    }
  }

  /**
   * Ids alone of blocks from before a snapshot are not given, although the state has recent ones.
   * @throws ChainError plugin_exception if a log has another id than the chain
   */
  blockId(block_num: number): Uint8Array | undefined {
    const { chain } = this
    const id = this.followed.writer.blockId(block_num)
    if (id === undefined) {
      return block_num < chain.earliest_available_block_num
        ? undefined
        : chain.blockIdByNumber(block_num)
    }
    // Those of older blocks are not in the state, so that blocks would have to be read.
    const is_recent = block_num + TAPOS_MASK > chain.head.block_num
    if (is_recent) checkSame(id, chain.blockIdByNumber(block_num), block_num)
    return id
  }

  /** @throws ChainError plugin_exception if the chain has another block of this number */
  packedBlock(id: Uint8Array): Uint8Array | undefined {
    const { chain } = this
    const block_num = blockNumOfId(id)
    const on_branch = chain.blockIdByNumber(block_num)
    checkSame(id, on_branch, block_num)
    if (on_branch) return chain.packedBlockByNumber(block_num)
    const block = chain.blockById(id)
    return block && packOne(packSignedBlock, block)
  }

  traces(block_num: number, id: Uint8Array): LogEntry | undefined {
    return this.followed.writer.traces?.entry(block_num, id)
  }

  deltas(block_num: number, id: Uint8Array): LogEntry | undefined {
    return this.followed.writer.deltas?.entry(block_num, id)
  }

  finalityData(block_num: number, id: Uint8Array): LogEntry | undefined {
    return this.followed.writer.finality_data?.entry(block_num, id)
  }

  /** Each log with its index and its retained files, without archived ones. */
  files(): StoredFiles[] {
    return this.followed.writer.logs.map(({ name, bytes, range, is_empty }) => ({
      name,
      bytes,
      ...(is_empty ? {} : { first_block_num: range.begin, last_block_num: range.end - 1 }),
    }))
  }

  metrics(): Metric[] {
    const sample = ({ name, bytes }: StoredFiles) => ({ labels: { log: name }, value: bytes })
    return [
      gauge('pronghorn_state_history_readers', 'readers of state history', this.server.readers),
      {
        name: 'pronghorn_state_history_bytes',
        help: 'bytes of the history logs and their indexes, without archived ones',
        type: 'gauge',
        samples: this.files().map(sample),
      },
    ]
  }

  async stop(): Promise<void> {
    await this.server.close()
  }

  async stopped(): Promise<void> {
    await this.followed.close()
  }
}

/** @param on_chain undefined: the chain does not have it */
function checkSame(id: Uint8Array, on_chain: Uint8Array | undefined, block_num: number): void {
  const is_same = on_chain === undefined || bytesEqual(id, on_chain)
  const what = `the id of block ${block_num} in the logs of state history is damaged`
  check(is_same, 'plugin_exception', `${what}: the chain has another one`)
}
