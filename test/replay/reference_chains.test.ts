/** The reference's own test chains, which are not part of the project: skipped where they are absent. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { blockId } from '../../src/engine/crypto/digests.ts'
import { toHex } from '../../src/engine/protocol/hex.ts'
import { readRecordedChain, referenceLog } from '../engine/chain/support/recorded_chain.ts'
import { withChain } from '../engine/snapshot/support/replayed_chain.ts'
import { referenceFile } from '../engine/snapshot/support/snapshot_files.ts'
import { temporaryFolder } from '../engine/store/temporary_folder.ts'
import { differencesOf, rowsOfChain, rowsOfJson } from './support/state_rows.ts'
import type { StateRows } from './support/state_rows.ts'

interface ReferenceChain {
  /** Folder of its block log. */
  name: string
  /** A snapshot that the reference wrote on the way. */
  snapshot: string
  /** The same as JSON, by its own converter, where it is of the current version. */
  json?: string
}

const CHAINS: ReferenceChain[] = [
  { name: 'snapshots', snapshot: 'snap_v8.bin.gz', json: 'snap_v8.bin.json.gz' },
  { name: 'prod_sched', snapshot: 'snap_v2_prod_sched.bin.gz' },
  { name: 'consensus_blockchain', snapshot: 'snapshot' },
]

const WHY = '../shared/reference is not there'

describe('chains of the reference', () => {
  for (const { name, snapshot, json } of CHAINS) {
    it(`${name}: every id, and every row of the snapshot`, async function () {
      const path = referenceLog(name)
      if (path === undefined) return skip(this, WHY)
      const { genesis, blocks } = readRecordedChain(path)
      const { block_num, rows } = await stateOf(referenceFile(`${name}/${snapshot}`)!)
      const theirs = json ? rowsOfJson(referenceFile(`${name}/${json}`)!) : rows
      let compared = false
      await withChain({ genesis }, (chain) => {
        for (const { block, packed } of blocks.slice(1)) {
          chain.pushBlock(packed)
          expect(chain.head.key).to.equal(toHex(blockId(block)))
          if (chain.head.block_num !== block_num) continue
          expect(differencesOf(rowsOfChain(chain), theirs)).to.deep.equal([])
          compared = true
        }
      })
      expect(compared, `block ${block_num} is in the log`).to.equal(true)
    })
  }
})

function skip(test: Mocha.Context, reason: string): void {
  test.test!.title += ` (${reason})`
  test.skip()
}

const folder = temporaryFolder()

/** A snapshot's state, in the current version's form. */
async function stateOf(bytes: Uint8Array): Promise<{ block_num: number; rows: StateRows }> {
  const snapshot = join(folder, 'reference.bin')
  writeFileSync(snapshot, bytes)
  return withChain({ snapshot }, (chain) => ({
    block_num: chain.head.block_num,
    rows: rowsOfChain(chain),
  }))
}
