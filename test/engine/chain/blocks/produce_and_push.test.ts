import { expect } from 'chai'
import { ChainError } from '../../../../src/engine/errors.ts'
import type { ErrorName } from '../../../../src/engine/errors.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import { packSignedBlock, unpackSignedBlock } from '../../../../src/engine/protocol/block.ts'
import type { SignedBlock } from '../../../../src/engine/protocol/block.ts'
import { Reader } from '../../../../src/engine/protocol/reader.ts'
import { packOne } from '../../../../src/engine/protocol/writer.ts'
import { validateBlock } from '../../../../src/engine/chain/blocks/block_validation.ts'
import type { ChainParts } from '../../../../src/engine/chain/blocks/chain_parts.ts'
import type { BlockState } from '../../../../src/engine/chain/headers/block_state.ts'
import { TestChain } from '../support/test_chain.ts'

const PRODUCERS = ['alice', 'bob', 'carol', 'dave']

const exists = (test: TestChain, name: string): boolean =>
  test.chain.db.account.find('by_name', N(name)) !== undefined

/** A chain on which four producers take turns; equal chains come from equal calls. */
async function fourProducers(): Promise<TestChain> {
  const test = await TestChain.open()
  for (const name of PRODUCERS) test.createAccount(name)
  test.produce()
  test.start()
  test.proposeProducers(PRODUCERS)
  test.produce(4)
  expect(test.head.active_schedule.producers).to.have.length(4)
  return test
}

/** Makes a branch of `count` blocks; `tag` names the account that its first block creates. */
function branch(test: TestChain, tag: string, count: number, skip = 0): BlockState[] {
  test.start(skip)
  test.createAccount(tag)
  return Array.from({ length: count }, () => test.produce())
}

function expectError(name: ErrorName, f: () => unknown): void {
  try {
    f()
  } catch (error) {
    expect(error).to.be.instanceOf(ChainError)
    expect((error as ChainError).errorName, String(error)).to.equal(name)
    return
  }
  expect.fail(`no ${name}`)
}

describe('blocks in memory', () => {
  it('are produced one upon the other', async () => {
    const test = await TestChain.open()
    const accepted: number[] = []
    const irreversible: number[] = []
    test.chain.events.on('blockAccepted', (block) => accepted.push(block.block_num))
    test.chain.events.on('blockIrreversible', (block) => irreversible.push(block.block_num))
    test.createAccount('alice')
    const first = test.produce()
    test.produce(3)
    // A final block keeps its bytes alone, and is opened again when it is asked for.
    expect(first.trx_metas).to.equal(undefined)
    const { block } = first
    expect(block.transactions).to.have.length(1)
    expect(first.block).to.equal(block)
    first.close()
    expect(first.block).not.to.equal(block)
    expect(first.block).to.deep.equal(block)
    expect(accepted).to.deep.equal([2, 3, 4, 5])
    expect(irreversible).to.deep.equal([2, 3, 4])
    expect(test.chain.last_irreversible.block_num).to.equal(4)
    expect(exists(test, 'alice')).to.equal(true)
    for (const num of [1, 2, 5]) {
      const id = test.chain.blockIdByNumber(num)!
      expect(test.chain.blockById(id)).to.deep.equal(test.chain.blockByNumber(num))
    }
    expect(test.chain.blockByNumber(6)).to.equal(undefined)
    expect(test.chain.blockIdByNumber(6)).to.equal(undefined)
    expect(test.chain.blockById(new Uint8Array(32))).to.equal(undefined)
  })

  it('are made and applied although listeners fail', async () => {
    const a = await TestChain.open()
    const b = await TestChain.open()
    const fail = (): never => {
      throw new Error('a listener that fails')
    }
    b.chain.events.on('blockStarted', fail)
    b.chain.events.on('transactionApplied', fail)
    b.chain.events.on('blockApplied', fail)
    b.chain.events.on('blockAccepted', fail)
    b.chain.events.on('blockIrreversible', fail)
    a.createAccount('alice')
    for (let i = 0; i < 3; i++) b.chain.pushBlock(a.produce().packed_block)
    expect(b.head.key).to.equal(a.head.key)
    b.produce(2)
    expect(b.chain.last_irreversible.block_num).to.equal(b.head.block_num - 1)
  })

  it('leave nothing behind when they are aborted', async () => {
    const test = await TestChain.open()
    test.produce(2)
    const { key } = test.head
    const revision = test.chain.db.revision
    test.createAccount('alice')
    const metas = test.chain.abortBlock()
    expect(metas).to.have.length(1)
    expect(exists(test, 'alice')).to.equal(false)
    expect(test.head.key).to.equal(key)
    expect(test.chain.db.revision).to.equal(revision)
    expect(test.chain.abortBlock()).to.deep.equal([])
  })

  it('are the same blocks on the node of another', async () => {
    const a = await TestChain.open()
    const b = await TestChain.open()
    const heard: string[] = []
    b.chain.events.on('transactionApplied', ({ trace }) => heard.push(toHex(trace.id)))
    a.createAccount('alice')
    for (let i = 0; i < 4; i++) {
      const block = a.produce()
      expect(b.chain.pushBlock(block.packed_block)).to.equal('appended')
      expect(b.chain.pushBlock(block.packed_block)).to.equal('duplicate')
    }
    expect(b.head.key).to.equal(a.head.key)
    expect(exists(b, 'alice')).to.equal(true)
    // One onblock for each of four blocks, and the transaction.
    expect(heard).to.have.length(5)
    expect(b.chain.last_irreversible.block_num).to.equal(a.chain.last_irreversible.block_num)
  })
})

describe('fork switches', () => {
  it('go to the longer branch, and report the undone blocks', async () => {
    const a = await fourProducers()
    const b = await fourProducers()
    expect(b.head.key).to.equal(a.head.key)
    branch(a, 'ann', 2)
    const theirs = branch(b, 'ben', 3, 1)
    const forked: string[] = []
    a.chain.events.on('transactionUndone', (meta) => forked.push(toHex(meta.id)))
    const ours = a.head
    const results = theirs.map((block) => a.chain.pushBlock(block.packed_block))
    expect(results[0]).to.equal('added')
    expect(results).to.include('fork_switch')
    expect(a.head.key).to.equal(b.head.key)
    expect(exists(a, 'ann')).to.equal(false)
    expect(exists(a, 'ben')).to.equal(true)
    expect(forked).to.have.length(1)
    // The branch that was left is still known, and its blocks can be asked for.
    expect(a.chain.blockById(ours.id)).to.deep.equal(ours.block)
    expect(a.chain.blockByNumber(ours.block_num)).to.not.deep.equal(ours.block)
  })

  it('go back again when the first branch grows', async () => {
    const a = await fourProducers()
    const b = await fourProducers()
    branch(a, 'ann', 2)
    const theirs = branch(b, 'ben', 3, 1)
    const c = await fourProducers()
    branch(c, 'ann', 4).forEach((block, i) => {
      if (i < 2) expect(a.chain.pushBlock(block.packed_block)).to.equal('duplicate')
    })
    for (const block of theirs) a.chain.pushBlock(block.packed_block)
    expect(exists(a, 'ben')).to.equal(true)
    for (let num = c.head.block_num - 1; num <= c.head.block_num; num++) {
      a.chain.pushBlock(c.chain.packedBlockByNumber(num)!)
    }
    expect(a.head.key).to.equal(c.head.key)
    expect(exists(a, 'ann')).to.equal(true)
    expect(exists(a, 'ben')).to.equal(false)
  })

  it('are taken back when the new branch proves wrong', async () => {
    const a = await fourProducers()
    const b = await fourProducers()
    branch(a, 'ann', 2)
    const { key } = a.head
    const theirs = branch(b, 'ben', 3, 1)
    // The last block of their branch says that it did something that it did not do.
    const bad = resign(b, theirs[2]!, (block) => {
      block.action_mroot = new Uint8Array(32).fill(9)
    })
    a.chain.pushBlock(theirs[0]!.packed_block)
    const second = a.chain.pushBlock(theirs[1]!.packed_block)
    if (second === 'added') {
      expectError('block_validate_exception', () => a.chain.pushBlock(bad))
      expect(a.head.key).to.equal(key)
      expect(exists(a, 'ann')).to.equal(true)
    } else {
      expectError('block_validate_exception', () => a.chain.pushBlock(bad))
      expect(a.head.key).to.equal(theirs[1]!.key)
    }
    // The good third block is accepted all the same.
    a.chain.pushBlock(theirs[2]!.packed_block)
    expect(a.head.key).to.equal(theirs[2]!.key)
    a.produce(3)
  })
})

describe('a fork switch that meets a wrong block after the way back became irreversible', () => {
  it('stays with the good blocks of the new branch', async () => {
    const a = await TestChain.open()
    const b = await TestChain.open()
    for (let i = 0; i < 2; i++) a.chain.pushBlock(b.produce().packed_block)
    branch(a, 'ann', 1)
    const theirs = branch(b, 'ben', 3, 1)
    const bad = resign(b, theirs[2]!, (block) => {
      block.action_mroot = new Uint8Array(32).fill(9)
    })
    // One producer: each block makes the one before irreversible. All three are known before any
    // of them is applied.
    const { parts } = a.chain as unknown as { parts: ChainParts }
    for (const packed of [theirs[0]!.packed_block, theirs[1]!.packed_block, bad]) {
      const block = unpackSignedBlock(new Reader(packed))
      parts.forks.add(validateBlock(parts, block, packed)!)
    }
    expectError('block_validate_exception', () => a.chain.applyBest())
    expect(a.head.key).to.equal(theirs[1]!.key)
    expect(a.chain.fork_head.key).to.equal(theirs[1]!.key)
    expect(a.chain.last_irreversible.key).to.equal(theirs[0]!.key)
    expect(exists(a, 'ann')).to.equal(false)
    a.chain.pushBlock(theirs[2]!.packed_block)
    expect(a.head.key).to.equal(b.head.key)
    a.produce(2)
  })
})

/** A block changed by `change`, and signed again by its producer. */
function resign(test: TestChain, of: BlockState, change: (block: SignedBlock) => void): Uint8Array {
  const block = unpackSignedBlock(new Reader(of.packed_block))
  change(block)
  return packOne(packSignedBlock, test.resign(of, block))
}
