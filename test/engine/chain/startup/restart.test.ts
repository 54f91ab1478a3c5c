import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { ChainError } from '../../../../src/engine/errors.ts'
import { MemoryStore } from '../../../../src/engine/store/memory_store.ts'
import { stateDigest } from '../support/state_digest.ts'
import { StuckStore } from '../support/stuck_store.ts'
import { TestChain } from '../support/test_chain.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** What a chain was after each of its blocks, by number. */
type History = Map<number, { key: string; state: string }>

function remember(test: TestChain, history: History): void {
  history.set(test.head.block_num, { key: test.head.key, state: stateDigest(test.chain.db) })
}

/** Makes blocks, every second one with a new account, and lets the store have a turn after each. */
async function work(test: TestChain, blocks: number, history: History): Promise<void> {
  for (let i = 0; i < blocks; i++) {
    if (i % 2 === 0)
      test.createAccount(`acc${'abcdefghijklmnopqrstuvwxyz'[test.head.block_num % 26]}`)
    test.produce()
    remember(test, history)
    await turn()
  }
}

function expectAt(test: TestChain, history: History, block_num: number): void {
  const { key, state } = history.get(block_num)!
  expect(test.head.block_num).to.equal(block_num)
  expect(test.head.key).to.equal(key)
  expect(stateDigest(test.chain.db)).to.equal(state)
}

describe('restart', function () {
  let blocks_dir: string

  beforeEach(() => {
    blocks_dir = mkdtempSync(join(tmpdir(), 'chain-'))
  })
  afterEach(() => {
    rmSync(blocks_dir, { recursive: true })
  })

  it('continues where the chain was closed', async () => {
    const store = new MemoryStore()
    const history: History = new Map()
    let test = await TestChain.open({ blocks_dir }, store)
    for (let run = 0; run < 3; run++) {
      await work(test, 4, history)
      const head = test.head.block_num
      await test.chain.close()
      test = await TestChain.open({ blocks_dir }, store)
      expectAt(test, history, head)
      expect(test.chain.last_irreversible.block_num).to.equal(head - 1)
      for (let num = 1; num <= head; num++) {
        const id = test.chain.blockIdByNumber(num)!
        expect(test.chain.blockById(id)).to.deep.equal(test.chain.blockByNumber(num))
      }
    }
    await test.chain.close()
  })

  it('loses no block, wherever the store was when the process ended', async () => {
    for (let steps = 0; steps <= 5; steps++) {
      const folder = join(blocks_dir, String(steps))
      const store = new MemoryStore()
      const history: History = new Map()
      const first = await TestChain.open({ blocks_dir: folder }, new StuckStore(store, steps))
      await work(first, 6, history)
      // No close: the process ends here.
      const again = await TestChain.open({ blocks_dir: folder }, store)
      expectAt(again, history, first.head.block_num)
      await work(again, 2, history)
      await again.chain.close()
      const third = await TestChain.open({ blocks_dir: folder }, store)
      expectAt(third, history, again.head.block_num)
      await third.chain.close()
    }
  })

  it('takes branches of the journal up again', async () => {
    const a = await TestChain.open()
    const store = new MemoryStore()
    const b = await TestChain.open({ blocks_dir }, store)
    const names = ['alice', 'bob', 'carol', 'dave']
    for (const test of [a, b]) {
      for (const name of names) test.createAccount(name)
      test.produce()
      test.start()
      test.proposeProducers(names)
      test.produce(4)
    }
    // What was done to the state is in no block, so it must be stored.
    while ((store.head?.block_num ?? 0) < b.chain.last_irreversible.block_num) await turn()
    a.start(1)
    a.createAccount('ann')
    const theirs = [a.produce(), a.produce(), a.produce()]
    b.start()
    b.createAccount('ben')
    b.produce(2)
    for (const block of theirs) b.chain.pushBlock(block.packed_block)
    expect(b.head.key).to.equal(a.head.key)
    const again = await TestChain.open({ blocks_dir }, store)
    expect(again.head.key).to.equal(a.head.key)
    expect(stateDigest(again.chain.db)).to.equal(stateDigest(a.chain.db))
    await again.chain.close()
  })

  it('does without the end of a file that was being written', async () => {
    const store = new MemoryStore()
    const history: History = new Map()
    // The first step is block 1 alone, so the store has nothing that the log may lose.
    const first = await TestChain.open({ blocks_dir }, new StuckStore(store, 1))
    remember(first, history)
    await work(first, 6, history)
    const files = ['reversible.log', 'blocks.log'].map((name) => join(blocks_dir, name))
    const contents = files.map((file) => readFileSync(file))
    const [journal, log] = files as [string, string]
    const restore = (): void => files.forEach((file, i) => writeFileSync(file, contents[i]!))
    for (let cut = 1; cut < 400; cut += 97) {
      truncateSync(journal, Math.max(0, statSync(journal).size - cut))
      const again = await TestChain.open({ blocks_dir }, new StuckStore(store, 0))
      const { block_num } = again.head
      expect(block_num).to.be.within(first.head.block_num - 2, first.head.block_num)
      expectAt(again, history, block_num)
      restore()
    }
    // The journal still has the block that the log lost.
    for (let cut = 1; cut < 200; cut += 61) {
      truncateSync(log, statSync(log).size - cut)
      const again = await TestChain.open({ blocks_dir }, new StuckStore(store, 0))
      expectAt(again, history, first.head.block_num)
      restore()
    }
  })

  it('continues without a log that was removed', async () => {
    const store = new MemoryStore()
    const history: History = new Map()
    const first = await TestChain.open({ blocks_dir }, store)
    await work(first, 5, history)
    await first.chain.close()
    rmSync(join(blocks_dir, 'blocks.log'))
    rmSync(join(blocks_dir, 'blocks.index'))
    // Twice: the second time there is a log that has no block yet.
    for (let i = 0; i < 2; i++) {
      const again = await TestChain.open({ blocks_dir }, store)
      expectAt(again, history, first.head.block_num)
      expect(again.chain.blockByNumber(2)).to.equal(undefined)
      expect(again.chain.earliest_available_block_num).to.equal(first.head.block_num)
      await again.chain.close()
    }
    const last = await TestChain.open({ blocks_dir }, store)
    await work(last, 3, history)
    await last.chain.close()
    const end = await TestChain.open({ blocks_dir }, store)
    expectAt(end, history, last.head.block_num)
    expect(end.chain.blockByNumber(first.head.block_num)).to.not.equal(undefined)
    await end.chain.close()
  })

  it('makes no block that the journal could not take', async () => {
    const store = new MemoryStore()
    const test = await TestChain.open({ blocks_dir }, store)
    test.produce(2)
    const { key } = test.head
    // The process may still read; writing fails as on a full disk.
    const { journal } = (test.chain as unknown as { parts: { writer: { journal: object } } }).parts
      .writer as { journal: { append?: unknown } }
    journal.append = () => {
      throw new Error('no space left on device')
    }
    test.createAccount('alice')
    expect(() => test.finish()).to.throw('no space left')
    expect(test.chain.abortBlock()).to.have.length(1)
    expect(test.head.key).to.equal(key)
    expect(test.chain.fork_head.key).to.equal(key)
    delete journal.append
    // What the disk did meanwhile is not known, so it is the next start that goes on.
    test.createAccount('bob')
    expect(() => test.finish()).to.throw('no space left')
    const closed = await test.chain.close().catch((error: Error) => error.message)
    expect(closed).to.equal('no space left on device')
    const again = await TestChain.open({ blocks_dir }, store)
    expect(again.head.key).to.equal(key)
    again.produce(2)
    await again.chain.close()
  })

  it('refuses a log that ends before the state', async () => {
    const store = new MemoryStore()
    const test = await TestChain.open({ blocks_dir }, store)
    await work(test, 6, new Map())
    await test.chain.close()
    const log = join(blocks_dir, 'blocks.log')
    truncateSync(log, statSync(log).size - 1000)
    let refused: unknown
    try {
      await TestChain.open({ blocks_dir }, store)
    } catch (error) {
      refused = error
    }
    expect(refused).to.be.instanceOf(ChainError)
    expect((refused as ChainError).errorName).to.equal('block_log_exception')
  })
})
