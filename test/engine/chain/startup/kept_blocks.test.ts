/** Chains whose block log is split, or keeps few blocks or none. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { MemoryStore } from '../../../../src/engine/store/memory_store.ts'
import type { BlockLogFiles } from '../../../../src/engine/store/block_log_files.ts'
import { stateDigest } from '../support/state_digest.ts'
import { StuckStore } from '../support/stuck_store.ts'
import { TestChain } from '../support/test_chain.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Makes blocks with an account each, and lets the store have a turn after each. */
async function work(test: TestChain, blocks: number): Promise<{ key: string; state: string }> {
  for (let i = 0; i < blocks; i++) {
    test.createAccount(`acc${'abcdefghijklmnopqrstuvwxyz'[test.head.block_num % 26]}`)
    test.produce()
    await turn()
  }
  return { key: test.head.key, state: stateDigest(test.chain.db) }
}

const kinds: [string, BlockLogFiles][] = [
  ['is split', { stride: 2 }],
  ['is split and keeps one file', { stride: 2, max_retained_files: 1 }],
  ['keeps three blocks', { stride: 2, keep_blocks: 3 }],
  ['keeps none', { stride: 2, keep_blocks: 0 }],
]

describe('a chain whose block log', function () {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kept-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  for (const [what, block_log] of kinds) {
    it(`${what} loses no block, wherever the store was when the process ended`, async () => {
      for (let steps = 0; steps <= 5; steps++) {
        const options = { blocks_dir: join(folder, String(steps)), block_log }
        const store = new MemoryStore()
        const first = await TestChain.open(options, new StuckStore(store, steps))
        const before = await work(first, 9)
        // No close: the process ends here.
        const again = await TestChain.open(options, store)
        expect({ key: again.head.key, state: stateDigest(again.chain.db) }).deep.equal(before)
        const later = await work(again, 4)
        await again.chain.close()
        const third = await TestChain.open(options, store)
        expect({ key: third.head.key, state: stateDigest(third.chain.db) }).deep.equal(later)
        expectReadable(third)
        await third.chain.close()
      }
    })
  }

  /** Every block from the first available one on can be read, and none before it. */
  function expectReadable({ chain, head }: TestChain): void {
    const first = chain.earliest_available_block_num
    for (let num = first; num <= head.block_num; num++) {
      expect(chain.blockByNumber(num)?.transactions.length, `block ${num}`).at.least(0)
    }
    if (first > 1) expect(chain.blockByNumber(first - 1)).equal(undefined)
  }

  it('keeps few blocks has few files, and one that keeps none has no blocks.log', async () => {
    const names = (dir: string) => readdirSync(dir).filter((name) => /log$/.test(name))
    for (const [block_log, first] of [
      [{ stride: 2, max_retained_files: 1 }, 17],
      [{ stride: 2, keep_blocks: 3 }, 15],
      [{ stride: 2, keep_blocks: 0 }, 19],
    ] as const) {
      const blocks_dir = mkdtempSync(join(folder, 'blocks-'))
      const store = new MemoryStore()
      const test = await TestChain.open({ blocks_dir, block_log }, store)
      await work(test, 18)
      while ((store.head?.block_num ?? 0) < test.chain.last_irreversible.block_num) await turn()
      await work(test, 2)
      expect(test.chain.earliest_available_block_num).within(first - 2, first + 2)
      expect(names(blocks_dir)).have.lengthOf.at.most(5)
      if (block_log === kinds[3]![1])
        expect(existsSync(join(blocks_dir, 'blocks.log'))).equal(false)
      expectReadable(test)
      await test.chain.close()
    }
  })

  it('kept all blocks may keep none from some time on, and blocks again', async () => {
    const blocks_dir = join(folder, 'blocks')
    const store = new MemoryStore()
    let last = { key: '', state: '' }
    for (const block_log of [{}, { stride: 2, keep_blocks: 0 }, {}, { stride: 3 }]) {
      const test = await TestChain.open({ blocks_dir, block_log }, store)
      if (last.key !== '') {
        expect({ key: test.head.key, state: stateDigest(test.chain.db) }).deep.equal(last)
      }
      last = await work(test, 5)
      expectReadable(test)
      const has_log = existsSync(join(blocks_dir, 'blocks.log'))
      expect(has_log).equal(!('keep_blocks' in block_log))
      await test.chain.close()
    }
  })
})
