/** Blocks of a chain as other threads find them, and as the chain itself does. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { MessageChannel, receiveMessageOnPort, type MessagePort } from 'node:worker_threads'
import { expect } from 'chai'
import { STATE_READS } from '../../../../src/engine/queries/state_reads.ts'
import { serverVersion } from '../../../../src/engine/queries/chain_info.ts'
import { defaultOptions } from '../../../../src/engine/queries/query.ts'
import { StateReader, UnreadableLogError } from '../../../../src/engine/reading.ts'
import type { ChainOptions } from '../../../../src/engine/chain/chain_options.ts'
import type { BlockState } from '../../../../src/engine/chain/headers/block_state.ts'
import type { News } from '../../../../src/engine/chain/sharing/readers_news.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { temporaryFolder } from '../../../support/node_process.ts'
import { TestChain } from '../support/test_chain.ts'

const PRODUCERS = ['alice', 'bob', 'carol', 'dave']
/** Slots of one producer in a row, but for the one that is used. */
const TURN = 11
const VERSION = serverVersion('1.2.3')

describe('chain: blocks on other threads', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let test: TestChain
  const readers: { reader: StateReader; port: MessagePort }[] = []
  const made: BlockState[] = []

  beforeEach(async () => {
    folder = temporaryFolder()
    test = await withProducers(join(folder.path, 'blocks'))
  })

  afterEach(async () => {
    for (const { reader, port } of readers) {
      reader.close()
      test.chain.removeReader(port)
    }
    readers.length = made.length = 0
    await test.chain.close()
    folder.remove()
  })

  async function withProducers(
    blocks_dir?: string,
    options: ChainOptions = {},
  ): Promise<TestChain> {
    const opened = await TestChain.open({ ...options, ...(blocks_dir && { blocks_dir }) })
    for (const name of PRODUCERS) opened.createAccount(name)
    opened.produce()
    opened.start()
    opened.proposeProducers(PRODUCERS)
    opened.produce(4)
    return opened
  }

  /** A block of the next producer, that confirms what this producer has not confirmed yet. */
  function confirming(): BlockState {
    const { head, chain } = test
    const { producer_name } = chain.scheduledProducer(head.timestamp + 1 + TURN)
    const last = head.legacy!.producer_to_last_produced.get(producer_name) ?? head.block_num
    test.start(TURN, { confirmed: Math.max(0, head.block_num - last - 1) })
    return test.finish()
  }

  function newReader(): StateReader {
    const { port1, port2: port } = new MessageChannel()
    const { chain_id } = test.chain
    const reader = new StateReader({
      words: test.chain.addReader(port1),
      port,
      chain_id,
      version: VERSION,
      submissions: undefined,
      abi_serializer_max_time_us: 1_000_000,
    })
    readers.push({ reader, port: port1 })
    return reader
  }

  /** Each block that ever was, by id and by number, and numbers that are not there. */
  function expectEqual(): void {
    const numbers = new Set<string>()
    const questions: string[] = made.map(({ key }) => key)
    for (let num = 0; num <= test.chain.fork_head.block_num + 2; num++) numbers.add(String(num))
    questions.push(...numbers, '00'.repeat(32), 'x', '')
    for (const { reader } of readers) {
      expect(reader.read((answer) => answer('get_info', {}))).deep.equal(
        STATE_READS.get_info(test.chain, {}, { ...defaultOptions(), version: VERSION }),
      )
      for (const question of questions) {
        const body = { block_num_or_id: question }
        for (const operation of ['get_raw_block', 'get_block_header_state'] as const) {
          const options = { ...defaultOptions(), version: VERSION }
          const theirs = outcome(() => reader.read((answer) => answer(operation, body)))
          const ours = outcome(() => STATE_READS[operation](test.chain, body as never, options))
          expect(theirs, `${operation} ${question}`).equal(ours)
        }
      }
    }
  }

  it('are seen only when all of those that are synced together are on the disk', () => {
    const { chain } = test
    const { port1 } = new MessageChannel()
    const words = new Int32Array(chain.addReader(port1))
    const isLocked = () => words[0] !== 0
    const locked: boolean[] = [isLocked()]
    const end = chain.events.on('blockAccepted', () => void locked.push(isLocked()))
    chain.inOneSync(() => {
      test.produce()
      locked.push(isLocked())
      test.produce()
    })
    locked.push(isLocked())
    expect(locked).deep.equal([false, true, true, true, false])
    end()
    chain.removeReader(port1)
  })

  it('that are synced together are told together', () => {
    const { chain } = test
    const { port1, port2 } = new MessageChannel()
    chain.addReader(port1)
    const told = (): string[][] => {
      const lists: string[][] = []
      for (;;) {
        const received = receiveMessageOnPort(port2)
        if (!received) return lists
        const { news } = received.message as { news?: News }
        if (news) lists.push(news.blocks.added.map(({ key }) => key))
      }
    }
    told()
    const keys: string[] = []
    chain.inOneSync(() => {
      for (let i = 0; i < 3; i++) keys.push(test.produce().key)
      expect(told()).deep.equal([])
    })
    expect(told()).deep.equal([keys])
    keys.push(test.produce().key)
    expect(told()).deep.equal([keys.slice(-1)])
    chain.removeReader(port1)
  })

  it('are those of the chain, on each branch, through fork switches and when they become irreversible', async () => {
    const other = await withProducers()
    newReader()
    const exchange = (): void => {
      for (const block of made) {
        for (const { chain } of [test, other]) {
          if (block.block_num > chain.last_irreversible.block_num)
            chain.pushBlock(block.packed_block)
        }
      }
    }
    for (let round = 0; round < 6; round++) {
      made.push(test.produce(1, round % 2))
      for (let i = 0; i < 2; i++) made.push(other.produce(1, 2))
      if (round === 3) newReader()
      expectEqual()
      exchange()
      expectEqual()
    }
    for (let i = 0; i < 30; i++) {
      made.push(confirming())
      if (i % 10 === 0) expectEqual()
    }
    expectEqual()
    expect(test.chain.last_irreversible.block_num).greaterThan(made[0]!.block_num + 2)
    await other.chain.close()
  })

  it('are those of the chain when it goes back to a checkpoint', () => {
    newReader()
    made.push(test.produce(2))
    const checkpoint = test.chain.takeCheckpoint()
    made.push(test.produce(), test.produce())
    expectEqual()
    test.chain.goBackTo(checkpoint)
    expectEqual()
    made.push(test.produce(1, 3))
    expectEqual()
  })

  it('are asked of the thread of the chain if their file cannot be read', () => {
    const reader = newReader()
    test.produce(30)
    const body = { block_num_or_id: '1' }
    expect(test.chain.last_irreversible.block_num).greaterThan(1)
    rmSync(join(folder.path, 'blocks/blocks.log'))
    expect(() => reader.read((answer) => answer('get_block', body))).throw(UnreadableLogError)
    // The turn has ended, and the chain has its file still.
    test.produce()
    expect(toHex(test.chain.blockByNumber(1)!.previous)).equal('00'.repeat(32))
  })

  it('are asked of the thread of the chain if they are in an older file of a split log', async () => {
    await test.chain.close()
    test = await withProducers(join(folder.path, 'split'), { block_log: { stride: 2 } })
    const reader = newReader()
    test.produce(30)
    const { block_num } = test.chain.last_irreversible
    expect(block_num).greaterThan(3)
    const ask = (num: number) => () =>
      reader.read((answer) => answer('get_block', { block_num_or_id: `${num}` }))
    expect(ask(block_num)).not.throw()
    expect(ask(1)).throw(UnreadableLogError)
    expect(toHex(test.chain.blockByNumber(1)!.previous)).equal('00'.repeat(32))
  })

  it('do not fill the memory of a thread that is not asked', () => {
    const reader = newReader()
    reader.read(() => undefined)
    test.produce(3)
    expect(reader.isBehind).equal(true)
    reader.catchUp()
    expect(reader.isBehind).equal(false)
  })
})

function outcome(ask: () => unknown): string {
  try {
    return JSON.stringify(ask())
  } catch (error) {
    return String(error)
  }
}
