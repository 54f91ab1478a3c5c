import { systemClock } from '../../../../src/engine/clock.ts'
import type { TraceApiSettings } from '../../../../src/engine/services/trace_api/settings.ts'
import { FollowedTraces, TraceApi } from '../../../../src/engine/services/trace_api/trace_api.ts'
import { loudEvents } from '../../chain/support/loud_events.ts'
import { TestChain } from '../../chain/support/test_chain.ts'

/** Blocks of a slice. */
export const STRIDE = 5

/** Of slices that are compressed at once. */
export const TRACE_SETTINGS: Omit<TraceApiSettings, 'folder'> = {
  stride: STRIDE,
  retention: { kept_blocks: undefined, uncompressed_blocks: 0 },
  abis: new Map(),
  chain_abis: false,
  delete_first: false,
  max_conversion_us: 1000,
}

/** A chain that begins at its genesis, with its traces in a folder. */
export class Traced {
  readonly test: TestChain
  readonly traces: FollowedTraces
  readonly api: TraceApi

  private constructor(test: TestChain, traces: FollowedTraces, settings: TraceApiSettings) {
    this.test = test
    this.traces = traces
    this.api = new TraceApi(traces, settings, test.chain)
  }

  static async open(folder: string): Promise<Traced> {
    const events = loudEvents()
    const settings = { ...TRACE_SETTINGS, folder }
    const traces = new FollowedTraces(settings, {
      events,
      clock: systemClock,
      log: () => undefined,
    })
    return new Traced(await TestChain.open({}, undefined, { events }), traces, settings)
  }

  /** Makes blocks, and waits until old slices are compressed. */
  async produce(count: number): Promise<void> {
    this.test.produce(count)
    await this.traces.maintenance.settled()
  }

  async close(): Promise<void> {
    await this.test.chain.close()
    await this.traces.close()
  }
}
