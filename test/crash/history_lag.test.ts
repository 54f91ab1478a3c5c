/**
 * The stored state is older than the first block that the logs of state history keep: a start after a crash applies
 * blocks again that they no longer have.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { boot } from '../engine/chain/support/savanna_chain.ts'
import { temporaryFolder } from '../support/node_process.ts'
import { FINALIZER, makeBlocks, openChain, Told, type Disk } from './chain_session.ts'
import type { Keeping } from './histories.ts'
import { Rows } from './rows.ts'

describe('crash: a chain whose stored state is older than the first block of its history', () => {
  const root = temporaryFolder()
  after(() => root.remove())
  let count = 0

  /** @param states of the starts: what is kept; the last one finds the rows of the genesis */
  async function expectWhole(...states: Keeping[]): Promise<void> {
    const folder = join(root.path, `${count++}`)
    mkdirSync(folder)
    const rows = new Rows()
    const disk: Disk = { folder, rows }
    const told = new Told()
    for (const [i, keeping] of states.entries()) {
      const is_last = i + 1 === states.length
      const crashed = is_last ? new Rows() : rows
      const test = await openChain({ ...disk, rows: crashed, keeping }, told)
      try {
        if (i === 0) boot({ test, votes: [] }, [FINALIZER])
        // A log is empty just after it was split, if no other is kept.
        await makeBlocks(test, told, i === 0 ? 5 : 6)
        await told.histories!.check(test.chain)
      } finally {
        await test.chain.close()
      }
    }
  }

  it('has all blocks that are kept, where logs are split', () =>
    expectWhole(
      { split: true, max_retained: 2, kept_history: 3 },
      { split: true, max_retained: 2, kept_history: 3 },
      { split: true, max_retained: 2, kept_history: 3 },
    ))

  it('has them where one log is split, and no other is kept', () =>
    expectWhole(
      { split: true, max_retained: 0, kept_history: 0 },
      { split: true, max_retained: 0, kept_history: 0 },
    ))

  it('has them where logs are pruned', () =>
    expectWhole(
      { prunes: true, kept_history: 3 },
      { prunes: true, kept_history: 3 },
      { prunes: true, kept_history: 3 },
    ))

  it('has them where logs were pruned and are no longer', () =>
    expectWhole(
      { prunes: true, kept_history: 3 },
      { prunes: true, kept_history: 3 },
      { kept_history: 9 },
      { kept_history: 18 },
    ))
})
