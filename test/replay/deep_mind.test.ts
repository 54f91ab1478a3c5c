/**
 * A chain that the reference scripted and logged, event by event: its blocks are made again, and after
 * each of them the rows of resources, RAM and permissions must be those of the events so far. No
 * snapshot tells what was in between. The log is not part of the project: skipped where it is absent.
 */
import { expect } from 'chai'
import { accountUsageJson, limitsStateJson, permissionJson } from './support/logged_rows.ts'
import { readDeepMindLog } from './support/deep_mind_log.ts'
import { referenceFile } from '../engine/snapshot/support/snapshot_files.ts'
import { withChain } from '../engine/snapshot/support/replayed_chain.ts'
import { toHex } from '../../src/engine/protocol/hex.ts'

describe('the chain of the deep-mind log', () => {
  it('has the logged rows after each block', async function () {
    const bytes = referenceFile('deep-mind.log')
    if (bytes === undefined) {
      this.test!.title += ' (../shared/reference is not there)'
      return this.skip()
    }
    const { genesis, blocks } = readDeepMindLog(bytes.toString())
    await withChain({ genesis }, (chain) => {
      for (const { id, packed, usage, state, permissions } of blocks) {
        chain.pushBlock(packed)
        expect(toHex(chain.head.id)).to.equal(id)
        expect(accountUsageJson(chain.db)).to.deep.equal(usage)
        expect(limitsStateJson(chain.db)).to.deep.equal(state)
        expect(permissionJson(chain.db)).to.deep.equal(permissions)
      }
      expect(chain.head.is_proper_savanna).to.equal(true)
    })
    expect(blocks).to.have.length(34)
  })
})
