import { existsSync } from 'node:fs'
import { expect } from 'chai'
import { SliceFolder } from '../../../../src/engine/services/trace_api/slice_files.ts'
import { temporaryFolder } from '../../store/temporary_folder.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { STRIDE, Traced } from './traced_chain.ts'

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
