import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { ChainEvents } from '../../../src/engine/chain/chain_events.ts'
import type { AppliedBlock, AppliedTransaction } from '../../../src/engine/chain/chain_events.ts'
import type { BlockState } from '../../../src/engine/chain/headers/block_state.ts'
import { toHex } from '../../../src/engine/protocol/hex.ts'
import { loudEvents } from './support/loud_events.ts'
import { RowShadow, rowsOf } from '../state/row_shadow.ts'
import { boot, makeBlock, openNode } from './support/savanna_chain.ts'
import { TestChain } from './support/test_chain.ts'

const PRODUCERS = ['alice', 'bob', 'carol', 'dave']
const block = (block_num: number): BlockState => ({ block_num }) as unknown as BlockState

/** A chain on which four producers take turns, so that blocks stay reversible. */
async function fourProducers(events = loudEvents()): Promise<TestChain> {
  const test = await TestChain.open({}, undefined, { events })
  for (const name of PRODUCERS) test.createAccount(name)
  test.produce()
  test.start()
  test.proposeProducers(PRODUCERS)
  test.produce(4)
  return test
}

describe('chain events', () => {
  it('are given to every listener in the order of the subscriptions, until it unsubscribes', () => {
    const events = loudEvents()
    const seen: string[] = []
    const listener = ({ block_num }: BlockState): void => void seen.push(`first ${block_num}`)
    const endFirst = events.on('blockAccepted', listener)
    events.on('blockAccepted', ({ block_num }) => seen.push(`second ${block_num}`))
    const endAgain = events.on('blockAccepted', listener)
    events.emit('blockAccepted', block(2))
    endFirst()
    endFirst()
    events.emit('blockAccepted', block(3))
    endAgain()
    events.emit('blockAccepted', block(4))
    events.emit('blockUndone', block(4))
    expect(seen).to.deep.equal([
      'first 2',
      'second 2',
      'first 2',
      'second 3',
      'first 3',
      'second 4',
    ])
  })

  it('reach the others when a listener throws or unsubscribes another, and the log names it', () => {
    const log: string[] = []
    const events = new ChainEvents((level, message) => log.push(`${level} ${message}`))
    const seen: number[] = []
    events.on('blockAccepted', () => {
      endLast()
      throw new Error('a listener that fails')
    })
    const endLast = events.on('blockAccepted', ({ block_num }) => seen.push(block_num))
    events.emit('blockAccepted', block(2))
    events.emit('blockAccepted', block(3))
    expect(seen).to.deep.equal([2])
    expect(log).to.have.length(2)
    expect(log[0]).to.match(
      /^error a listener of blockAccepted failed: Error: a listener that fails/,
    )
  })

  it('name the steps of a block and of a fork switch in their order', async () => {
    const events = loudEvents()
    const steps: string[] = []
    const a = await fourProducers(events)
    const b = await fourProducers()
    events.on('blockStarted', ({ block_num }) => steps.push(`blockStarted ${block_num}`))
    events.on('blockStored', ({ block_num }) => steps.push(`blockStored ${block_num}`))
    events.on('blockApplied', (event) => steps.push(`blockApplied ${event.block.block_num}`))
    events.on('blockAccepted', ({ block_num }) => steps.push(`blockAccepted ${block_num}`))
    events.on('blockUndone', ({ block_num }) => steps.push(`blockUndone ${block_num}`))
    events.on('transactionUndone', ({ id }) => steps.push(`trx ${toHex(id)}`))
    const n = a.head.block_num
    a.start()
    const { id } = a.createAccount('ann')
    a.produce()
    expect(steps.splice(0)).to.deep.equal([
      `blockStarted ${n + 1}`,
      `blockStored ${n + 1}`,
      `blockApplied ${n + 1}`,
      `blockAccepted ${n + 1}`,
    ])
    b.start(1)
    for (const { packed_block } of [b.finish(), b.produce()]) a.chain.pushBlock(packed_block)
    expect(a.head.key).to.equal(b.head.key)
    const applied = (num: number): string[] =>
      ['blockStarted', 'blockStored', 'blockApplied', 'blockAccepted'].map(
        (name) => `${name} ${num}`,
      )
    expect(steps).to.deep.equal([
      `blockUndone ${n + 1}`,
      ...applied(n + 1),
      ...applied(n + 2),
      `trx ${toHex(id)}`,
    ])
  })

  it('have the traces of what is in a block, which failed transactions are not', async () => {
    const events = loudEvents()
    const test = await TestChain.open({}, undefined, { events })
    const blocks: AppliedTransaction[][] = []
    let applied: AppliedTransaction[] = []
    events.on('blockStarted', () => (applied = []))
    events.on('transactionApplied', (event) => event.trace.receipt && applied.push(event))
    events.on('blockApplied', ({ transaction_count }) => {
      expect(applied).to.have.length(transaction_count)
      blocks.push(applied)
    })
    test.start()
    const alice = test.createAccount('alice')
    expect(() => test.createAccount('alice')).to.throw()
    test.produce()
    const [block] = blocks
    const ids = block!.map(({ trace }) => toHex(trace.id))
    expect(ids.slice(1)).to.deep.equal([toHex(alice.id)])
    expect(ids).to.have.length(2)
    expect(block![0]!.trace.action_traces[0]!.act.name).not.to.equal(0n)
  })

  it('have deltas that give the state, through fork switches too', async () => {
    const events = loudEvents()
    const a = await fourProducers(events)
    const b = await fourProducers()
    const shadow = new RowShadow(rowsOf(a.chain.db))
    events.on('blockApplied', ({ block: { key }, deltas }) => shadow.apply(key, deltas()))
    events.on('blockUndone', ({ key }) => shadow.undone(key))
    a.start()
    a.createAccount('ann')
    a.produce(2)
    expect(shadow.rows).to.deep.equal(rowsOf(a.chain.db))
    b.start(1)
    b.createAccount('ben')
    for (const { packed_block } of [b.finish(), b.produce(), b.produce()]) {
      a.chain.pushBlock(packed_block)
    }
    expect(a.head.key).to.equal(b.head.key)
    expect(shadow.rows).to.deep.equal(rowsOf(a.chain.db))
    expect(shadow.rows).to.deep.equal(rowsOf(b.chain.db))
  })

  it('refuse deltas that are read after the event', async () => {
    const events = loudEvents()
    const test = await TestChain.open({}, undefined, { events })
    let late: AppliedBlock | undefined
    events.on('blockApplied', (event) => (late = event))
    test.produce()
    expect(() => late!.deltas()).to.throw('deltas are read while the event is handled')
  })

  it('have the same deltas and traces when a block log is replayed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'chain-events-'))
    try {
      const produced = await TestChain.open({ blocks_dir: folder })
      const start = rowsOf(produced.chain.db)
      produced.createAccount('alice')
      produced.produce(3)
      await produced.chain.close()
      const events = loudEvents()
      const shadow = new RowShadow(start)
      const traces: number[] = []
      events.on('blockApplied', (event) => {
        shadow.apply(event.block.key, event.deltas())
        traces.push(event.transaction_count)
      })
      const replayed = await TestChain.open({ blocks_dir: folder }, undefined, { events })
      expect(replayed.head.key).to.equal(produced.head.key)
      expect(shadow.rows).to.deep.equal(rowsOf(replayed.chain.db))
      expect(traces).to.deep.equal([2, 1, 1])
      await replayed.chain.close()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('leave a vote cast when a listener throws', async () => {
    const log: string[] = []
    const node = await openNode([0], {}, undefined, {
      log: (level, message) => log.push(`${level} ${message}`),
    })
    boot(node, [0])
    node.test.chain.events.on('voteCast', () => {
      throw new Error('a listener that fails')
    })
    for (let i = 0; i < 4; i++) await makeBlock(node)
    expect(node.votes).to.have.length(4)
    expect(node.test.chain.last_irreversible.block_num).to.be.above(node.test.head.block_num - 4)
    expect(log.filter((line) => line.includes('a vote was not cast'))).to.deep.equal([])
    await node.test.chain.close()
  })
})
