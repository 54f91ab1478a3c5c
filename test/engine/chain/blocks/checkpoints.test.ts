import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { MemoryStore } from '../../../../src/engine/store/memory_store.ts'
import type { ChainOptions } from '../../../../src/engine/chain/chain_options.ts'
import { boot, makeBlock, openNode } from '../support/savanna_chain.ts'
import type { SavannaNode } from '../support/savanna_chain.ts'
import { stateDigest } from '../support/state_digest.ts'
import { TestChain } from '../support/test_chain.ts'

/** Everything about a chain that a checkpoint keeps. */
function picture({ chain }: TestChain): Record<string, unknown> {
  const { head, fork_head, last_irreversible } = chain
  return {
    head: head.key,
    best: fork_head.key,
    irreversible: last_irreversible.key,
    state: stateDigest(chain.db),
    revision: chain.db.revision,
    block: chain.blockByNumber(head.block_num),
    after: chain.blockByNumber(head.block_num + 1),
  }
}

async function savanna(options: ChainOptions = {}, store?: MemoryStore): Promise<SavannaNode> {
  const node = await openNode([1], options, store)
  boot(node, [1])
  for (let i = 0; i < 4; i++) await makeBlock(node)
  return node
}

describe('checkpoints', () => {
  it('bring the chain back to what it was, any number of times', async () => {
    const node = await savanna()
    const { test } = node
    const { chain } = test
    test.createAccount('before')
    await makeBlock(node)
    const then = picture(test)
    const checkpoint = chain.takeCheckpoint()
    for (const name of ['alice', 'bob']) {
      test.createAccount(name)
      for (let i = 0; i < 6; i++) await makeBlock(node)
      expect(picture(test)).not.deep.equal(then)
      chain.goBackTo(checkpoint)
      expect(picture(test)).deep.equal(then)
    }
    // Going back from where the chain is already changes nothing.
    chain.goBackTo(checkpoint)
    expect(picture(test)).deep.equal(then)
    await chain.close()
  })

  it('hold irreversible blocks back until the last one is dropped', async () => {
    const node = await savanna()
    const { test } = node
    const { chain } = test
    const { block_num } = chain.last_irreversible
    const checkpoint = chain.takeCheckpoint()
    for (let i = 0; i < 6; i++) await makeBlock(node)
    expect(chain.last_irreversible.block_num).equal(block_num)
    expect(chain.head.irreversible_block_num).above(block_num)
    chain.dropCheckpoint(checkpoint)
    expect(chain.last_irreversible.block_num).equal(chain.head.irreversible_block_num)
    expect(() => chain.goBackTo(checkpoint)).throw('the checkpoint was dropped')
    expect(() => chain.dropCheckpoint(checkpoint)).throw('the checkpoint was dropped')
    await chain.close()
  })

  it('become final on the branch after going back: finalizers vote on it', async () => {
    const node = await savanna()
    const { chain } = node.test
    const checkpoint = chain.takeCheckpoint()
    for (let i = 0; i < 6; i++) await makeBlock(node)
    chain.goBackTo(checkpoint)
    const { block_num } = checkpoint.head
    for (let i = 0; i < 6; i++) await makeBlock(node)
    chain.dropCheckpoint(checkpoint)
    expect(chain.last_irreversible.block_num).above(block_num)
    await chain.close()
  })

  it('are nested: going back drops those that were taken later', async () => {
    const test = await TestChain.open()
    const { chain } = test
    test.produce(2)
    const pictures = [picture(test)]
    const outer = chain.takeCheckpoint()
    test.createAccount('alice')
    test.produce()
    pictures.push(picture(test))
    const inner = chain.takeCheckpoint()
    test.createAccount('bob')
    test.produce(3)
    expect(chain.checkpoints).deep.equal([outer, inner])
    chain.goBackTo(inner)
    expect(picture(test)).deep.equal(pictures[1])
    chain.goBackTo(outer)
    expect(picture(test)).deep.equal(pictures[0])
    expect(chain.checkpoints).deep.equal([outer])
    expect(() => chain.goBackTo(inner)).throw('the checkpoint was dropped')
    await chain.close()
  })

  it('can be dropped from below: later ones stay', async () => {
    const test = await TestChain.open()
    const { chain } = test
    const outer = chain.takeCheckpoint()
    test.produce()
    const inner = chain.takeCheckpoint()
    const then = picture(test)
    test.produce(2)
    chain.dropCheckpoint(outer)
    chain.goBackTo(inner)
    expect(picture(test)).deep.equal(then)
    await chain.close()
  })

  it('refuse while there is a pending block, and change nothing', async () => {
    const test = await TestChain.open()
    const { chain } = test
    test.produce()
    const checkpoint = chain.takeCheckpoint()
    test.produce()
    const then = picture(test)
    test.start()
    expect(() => chain.goBackTo(checkpoint)).throw('abort the pending block before going back')
    chain.abortBlock()
    expect(picture(test)).deep.equal(then)
    // Nothing becomes irreversible in the middle of a block; the next block does it.
    test.start()
    chain.dropCheckpoint(checkpoint)
    const head = test.finish()
    expect(chain.last_irreversible.block_num).equal(head.irreversible_block_num)
    await chain.close()
  })

  it('before Savanna bring a chain back from Savanna, which starts again', async () => {
    const node = await openNode([1])
    const { chain } = node.test
    const then = picture(node.test)
    const checkpoint = chain.takeCheckpoint()
    for (let i = 0; i < 2; i++) {
      boot(node, [1])
      for (let n = 0; n < 6; n++) await makeBlock(node)
      expect(chain.takes_savanna_blocks).equal(true)
      if (i === 1) break
      chain.goBackTo(checkpoint)
      expect(chain.takes_savanna_blocks).equal(false)
      expect(picture(node.test)).deep.equal(then)
    }
    chain.dropCheckpoint(checkpoint)
    expect(chain.last_irreversible.block_num).above(4)
    await chain.close()
  })

  it('tell listeners of each block that is undone, and of the end', async () => {
    const test = await TestChain.open()
    const { chain } = test
    const checkpoint = chain.takeCheckpoint()
    test.createAccount('alice')
    test.produce(3)
    const heard: string[] = []
    chain.events.on('blockUndone', ({ block_num }) => heard.push(`undone ${block_num}`))
    chain.events.on('transactionUndone', () => heard.push('transaction'))
    chain.events.on('wentBack', ({ block_num }) => heard.push(`back at ${block_num}`))
    chain.goBackTo(checkpoint)
    expect(heard).deep.equal(['undone 4', 'undone 3', 'undone 2', 'back at 1'])
    await chain.close()
  })

  it('undo a block of another branch that became the head', async () => {
    const test = await TestChain.open()
    const other = await TestChain.open()
    test.produce()
    const checkpoint = test.chain.takeCheckpoint()
    const then = picture(test)
    for (const { packed_block } of [0, 1, 2].map(() => other.produce(1, 5))) {
      test.chain.pushBlock(packed_block)
    }
    expect(test.head.key).equal(other.head.key)
    test.chain.goBackTo(checkpoint)
    expect(picture(test)).deep.equal(then)
    for (const { chain } of [test, other]) await chain.close()
  })

  it('leave blocks that a plain node replays to the same state', async () => {
    const test = await TestChain.open()
    const { chain } = test
    test.createAccount('alice')
    test.produce(2)
    const checkpoint = chain.takeCheckpoint()
    test.createAccount('bob')
    test.produce(2)
    chain.goBackTo(checkpoint)
    test.createAccount('carol')
    test.produce(2)
    const plain = await TestChain.open()
    for (let num = 2; num <= chain.head.block_num; num++) {
      plain.chain.pushBlock(chain.packedBlockByNumber(num)!)
    }
    expect(picture(plain).state).equal(picture(test).state)
    for (const opened of [chain, plain.chain]) await opened.close()
  })
})

describe('checkpoints of a chain on disk', () => {
  let folder: string
  let store: MemoryStore
  const options = () => ({ blocks_dir: folder, finalizers_dir: folder })

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'checkpoints-'))
    store = new MemoryStore()
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** Opens the folder as the next process does. */
  async function reopen(): Promise<SavannaNode> {
    return openNode([1], options(), store)
  }

  it('a restart finds the chain at the checkpoint, and the chain continues', async () => {
    let node = await savanna(options(), store)
    const checkpoint = node.test.chain.takeCheckpoint()
    const then = picture(node.test)
    for (let i = 0; i < 6; i++) await makeBlock(node)
    node.test.chain.goBackTo(checkpoint)
    // As after a kill: nothing is written at the end.
    node = await reopen()
    expect(node.test.head.key).equal(then.head)
    expect(picture(node.test).state).equal(then.state)
    node.test.setTime(node.test.head.timestamp)
    for (let i = 0; i < 6; i++) await makeBlock(node)
    expect(node.test.chain.last_irreversible.block_num).above(checkpoint.head.block_num)
    await node.test.chain.close()
  })

  it('a kill in the middle leaves the chain where it was', async () => {
    let node = await savanna(options(), store)
    const checkpoint = node.test.chain.takeCheckpoint()
    for (let i = 0; i < 6; i++) await makeBlock(node)
    const then = picture(node.test)
    const journal = join(folder, 'reversible.log')
    copyFileSync(journal, `${journal}.before`)
    node.test.chain.goBackTo(checkpoint)
    // The safety information is written first; the blocks are still there.
    copyFileSync(`${journal}.before`, journal)
    node = await reopen()
    expect(node.test.head.key).equal(then.head)
    expect(picture(node.test).state).equal(then.state)
    await node.test.chain.close()
  })

  it('a restart while one holds finds all blocks', async () => {
    let node = await savanna(options(), store)
    node.test.chain.takeCheckpoint()
    for (let i = 0; i < 6; i++) await makeBlock(node)
    const { head, state } = picture(node.test)
    await node.test.chain.close()
    node = await reopen()
    expect(picture(node.test)).include({ head, state })
    expect(node.test.chain.last_irreversible.block_num).equal(node.test.head.irreversible_block_num)
    await node.test.chain.close()
  })

  it('going back waits for votes that are being written', async () => {
    const node = await savanna(options(), store)
    const { chain } = node.test
    const checkpoint = chain.takeCheckpoint()
    const head = node.test.produce()
    expect(() => chain.goBackTo(checkpoint)).throw('a vote is being written to the disk')
    expect(chain.head).equal(head)
    await chain.voted()
    chain.goBackTo(checkpoint)
    expect(chain.head).equal(checkpoint.head)
    await chain.close()
  })
})
