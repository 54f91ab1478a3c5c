import { existsSync } from 'node:fs'
import { expect } from 'chai'
import { SliceFolder } from '../../../../src/engine/services/trace_api/slice_files.ts'
import { FollowedTraces } from '../../../../src/engine/services/trace_api/trace_api.ts'
import { loudEvents } from '../../chain/support/loud_events.ts'
import { TestChain } from '../../chain/support/test_chain.ts'
import { temporaryFolder } from '../../store/temporary_folder.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'

const STRIDE = 5

/** A chain that begins at its genesis, with its traces in a folder. */
class Traced {
  readonly test: TestChain
  readonly traces: FollowedTraces

  private constructor(test: TestChain, traces: FollowedTraces) {
    this.test = test
    this.traces = traces
  }

  static async open(folder: string): Promise<Traced> {
    const events = loudEvents()
    const settings = {
      folder,
      stride: STRIDE,
      retention: { kept_blocks: undefined, uncompressed_blocks: 0 },
      abis: new Map(),
      chain_abis: false,
      delete_first: false,
      max_conversion_us: 1000,
    }
    const traces = new FollowedTraces(settings, events, () => undefined)
    return new Traced(await TestChain.open({}, undefined, { events }), traces)
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

describe('blocks of a compressed trace slice', () => {
  it('may come again in a replay, and stay as they are', async () => {
    const folder = temporaryFolder()
    const slices = new SliceFolder(folder, STRIDE)
    const before = await Traced.open(folder)
    await before.produce(18)
    await before.close()
    expect(existsSync(slices.path('compressed', 1))).equal(true)
    const again = await Traced.open(folder)
    await again.produce(24)
    again.traces.checkFailure()
    const { chain } = again.test
    for (let block_num = 2; block_num <= chain.head.block_num; block_num++) {
      const found = await again.traces.reader.block(block_num)
      expect(toHex(found!.block.id)).equal(toHex(chain.blockIdByNumber(block_num)!))
    }
    expect(existsSync(slices.path('trace', 1))).equal(false)
    await again.close()
  })

  it('of another chain are refused', async () => {
    const folder = temporaryFolder()
    const before = await Traced.open(folder)
    await before.produce(18)
    await before.close()
    const other = await Traced.open(folder)
    other.test.start()
    other.test.createAccount('alice')
    const failure = await other.produce(2).catch((error: unknown) => error)
    expect(String(failure)).match(/are of another chain: block 2 differs; delete this folder/)
    const closed = await other.close().catch((error: unknown) => error)
    expect(closed).equal(failure)
  })
})
