import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { StateHistorySettings } from '../../../../src/engine/services/state_history/settings.ts'
import {
  FollowedHistory,
  StateHistory,
} from '../../../../src/engine/services/state_history/state_history.ts'
import type { ChainOptions } from '../../../../src/engine/chain/chain_options.ts'
import { systemClock } from '../../../../src/engine/clock.ts'
import type { Log } from '../../../../src/engine/log.ts'
import type { MemoryStore } from '../../../../src/engine/store/memory_store.ts'
import { loudEvents } from '../../chain/support/loud_events.ts'
import { TestChain } from '../../chain/support/test_chain.ts'

const PRODUCERS = ['alice', 'bob', 'carol', 'dave']

/** A chain with its history. */
export class ChainWithHistory {
  readonly test: TestChain
  readonly url: string
  readonly history: StateHistory

  private constructor(test: TestChain, history: StateHistory) {
    this.test = test
    this.history = history
    const [address] = history.server.addresses
    this.url = `ws://127.0.0.1:${(address as AddressInfo).port}`
  }

  static async open(
    folder: string,
    store?: MemoryStore,
    keeping: Pick<StateHistorySettings, 'split'> = { split: undefined },
    options: ChainOptions = {},
    log: Log = () => undefined,
  ): Promise<ChainWithHistory> {
    const settings: StateHistorySettings = {
      folder: join(folder, 'state-history'),
      parts: { traces: true, deltas: true, finality_data: true },
      debug_traces: false,
      delete_first: false,
      retain_blocks: undefined,
      ...keeping,
      addresses: [{ address: { host: '127.0.0.1', port: 0 }, option: 'state-history-endpoint' }],
    }
    const events = loudEvents()
    const followed = new FollowedHistory(settings, events, log)
    const blocks_dir = join(folder, 'blocks')
    const test = await TestChain.open({ blocks_dir, ...options }, store, { events })
    const context = { chain: test.chain, version: '1.2.3', clock: systemClock, log }
    return new ChainWithHistory(test, await StateHistory.open(settings, followed, context))
  }

  async close(): Promise<void> {
    await this.history.stop()
    await this.test.chain.close()
    await this.history.stopped()
  }
}

/** Four producers take turns, so that blocks stay reversible. */
export function takeTurns(test: TestChain, producers = PRODUCERS): void {
  for (const name of producers) test.createAccount(name)
  test.produce()
  test.start()
  test.proposeProducers(producers)
  test.produce(4)
}
