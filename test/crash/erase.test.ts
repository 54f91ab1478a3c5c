/** A state is removed, and the process ends in the middle of that. */
import { expect } from 'chai'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { eraseState } from '../../src/engine/store/erase.ts'
import { RocksStore } from '../../src/engine/store/rocks_store.ts'
import { stateDigest } from '../engine/chain/support/state_digest.ts'
import { TestChain } from '../engine/chain/support/test_chain.ts'
import { temporaryFolder } from '../support/node_process.ts'
import { FaultyFiles } from './faulty_files.ts'

describe('crash: in the removal of a state', function () {
  const root = temporaryFolder()
  const begun = join(root.path, 'begun')
  let last: [string, string]
  const open = async (folder: string) =>
    TestChain.open(
      { blocks_dir: join(folder, 'blocks') },
      await RocksStore.open(join(folder, 'state')),
    )
  const look = ({ chain }: TestChain): [string, string] => [chain.head.key, stateDigest(chain.db)]

  before(async () => {
    // Opened and closed, so that the state has more than a log.
    for (const name of ['alice', 'bob', 'carol']) {
      const test = await open(begun)
      test.createAccount(name)
      test.produce(2)
      last = look(test)
      await test.chain.close()
    }
  })
  after(() => root.remove())

  it('the next start finds a state of before, or makes it again from the blocks', async () => {
    const removed = new Set<string>()
    for (let at = 1; ; at++) {
      const folder = join(root.path, `${at}`)
      cpSync(begun, folder, { recursive: true })
      const files = FaultyFiles.install(folder, { at, fault: 'before' })
      const failure = await eraseState(join(folder, 'state')).catch((error: Error) => error)
      await files.remove()
      const test = await open(folder)
      expect(look(test), files.where).deep.equal(last)
      await test.chain.close()
      if (!failure) break
      removed.add(files.where!.replace(/\d+/, 'N'))
    }
    expect([...removed]).include.members(['rm state/N.log', 'rm state/N.sst', 'rm state/CURRENT'])
    expect(existsSync(join(begun, 'state', 'CURRENT'))).equal(true)
  })
})
