import { join } from 'node:path'
import { expect } from 'chai'
import { writeSnapshot } from '../../../../src/engine/snapshot/write_snapshot.ts'
import { TestChain } from '../../chain/support/test_chain.ts'
import { temporaryFolder } from '../../store/temporary_folder.ts'
import { ChainWithHistory } from './chain_with_history.ts'

const SNAPSHOT_BLOCK = 10

describe('state history of a chain from a snapshot', () => {
  it('has no ids of blocks before the snapshot', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'snapshot.bin')
    const source = await TestChain.open()
    while (source.head.block_num < SNAPSHOT_BLOCK) source.produce()
    const whole = source.chain.snapshotSource()
    await writeSnapshot(whole, path)
    whole.view.release()
    await source.chain.close()

    const scene = await ChainWithHistory.open(folder, undefined, undefined, { snapshot: path })
    scene.test.produce(3)
    const { history, test } = scene
    expect(test.chain.blockIdByNumber(SNAPSHOT_BLOCK - 1)).not.equal(undefined)
    for (let n = 0; n < SNAPSHOT_BLOCK; n++) expect(history.blockId(n), `${n}`).equal(undefined)
    for (let n = SNAPSHOT_BLOCK; n <= test.head.block_num; n++) {
      expect(history.blockId(n), `${n}`).deep.equal(test.chain.blockIdByNumber(n))
    }
    expect(history.blockId(test.head.block_num + 1)).equal(undefined)
    await scene.close()
  })
})
