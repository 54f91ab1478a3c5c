import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import type { BlockState } from '../../../../src/engine/chain/headers/block_state.ts'
import {
  openPackedTransaction,
  type PackedTransaction,
} from '../../../../src/engine/protocol/packed_transaction.ts'
import type { Action } from '../../../../src/engine/protocol/transaction.ts'
import { BlockIntake } from '../../../../src/engine/services/net/block_intake.ts'
import { TransactionIntake } from '../../../../src/engine/services/net/transaction_intake.ts'
import { TestChain } from '../../chain/support/test_chain.ts'
import { IDLE } from '../support/programs.ts'
import { receivedBlock } from '../support/received_block.ts'
import {
  BLOCK_US,
  createAccount,
  nothing,
  SECOND_US,
  setCode,
  TestProducer,
} from '../support/test_producer.ts'

const SESSION = 1
const OTHER_SESSION = 2

describe('TransactionIntake', () => {
  let test: TestProducer
  let blocks: BlockIntake
  let intake: TransactionIntake
  /** Names of transactions in the order in which they were executed, and the errors of those that failed. */
  let ended: string[]

  async function start(...options: Parameters<typeof TestProducer.start>): Promise<void> {
    test = await TestProducer.start(...options)
    const { chain, producer, clock } = test
    blocks = new BlockIntake({ chain, producer, clock, log: () => {} })
    blocks.follow()
    ended = []
    const log = (_level: string, text: string): void => void ended.push(text)
    intake = new TransactionIntake({ producer, blocks, log })
  }

  /** A node that follows others. */
  const startFollowing = (): Promise<void> =>
    start({ producers: [], enable_stale_production: false })

  /** A node that is making a block. */
  async function startProducing(): Promise<void> {
    await start()
    await test.produce()
    while (test.producer.loop.mode !== 'producing') await test.clock.pass(BLOCK_US / 10)
  }

  afterEach(async () => {
    await blocks.stop()
    await test.stop()
  })

  async function takeAll(...given: [string, PackedTransaction, number][]): Promise<void> {
    let open = given.length
    for (const [name, packed, session] of given) {
      intake.take({ packed, opened: openPackedTransaction(packed) }, session, () => {
        ended.push(name)
        open -= 1
      })
    }
    for (let turns = 0; open > 0; turns++) {
      if (turns === 10_000) throw new Error('a transaction does not end')
      await turn()
    }
  }

  /** A transaction that has not expired soon after the genesis, from which no block is made. */
  const signEarly = (actions: Action[]): PackedTransaction =>
    test.sign(actions, { expires_us: -3540 * SECOND_US })

  /** Checks of codes take so many turns of the event loop. */
  function checkCodesSlowly(turns: number): void {
    test.chain.checkCodes = async (meta) => {
      for (let i = 0; i < turns; i++) await turn()
      return meta
    }
  }

  const take = (state: BlockState): void =>
    blocks.take(receivedBlock(state.block, state.packed_block), () => {})

  it('executes a transaction after the blocks that came before it, which it may need', async () => {
    await startFollowing()
    const maker = await TestChain.open()
    maker.createAccount('alice')
    const made = Array.from({ length: 20 }, () => maker.produce())
    const actions = [nothing('alice')]
    for (const block of made) take(block)
    await takeAll(['of alice', signEarly(actions), SESSION])
    expect(ended).deep.equal(['of alice'])
    expect(test.head).equal(maker.head.block_num)
  })

  it('does not wait for blocks that wait until this node has made its own', async () => {
    await startProducing()
    const maker = await TestChain.open()
    take(maker.produce())
    await takeAll(['mine', test.sign([createAccount('alice')]), SESSION])
    expect(ended).deep.equal(['mine'])
  })

  it('executes the transactions of a peer in their order, however long their codes are checked', async () => {
    await startProducing()
    checkCodesSlowly(5)
    await takeAll(
      ['account', test.sign([createAccount('alice')]), SESSION],
      ['code', test.sign([setCode('alice', IDLE)]), SESSION],
      ['call', test.sign([nothing('alice')]), SESSION],
    )
    expect(ended).deep.equal(['account', 'code', 'call'])
  })

  it('lets the transactions of one peer not wait for those of another one', async () => {
    await startProducing()
    checkCodesSlowly(50)
    await takeAll(
      ['code', test.sign([setCode('eosio', IDLE)]), SESSION],
      ['account', test.sign([createAccount('alice')]), OTHER_SESSION],
    )
    expect(ended).deep.equal(['account', 'code'])
  })

  it('continues after a transaction that is refused before its turn', async () => {
    await startProducing()
    checkCodesSlowly(5)
    const unsigned: PackedTransaction = { ...test.sign([createAccount('bob')]), signatures: [] }
    const broken = test.sign([createAccount('bob')])
    broken.signatures = [new Uint8Array(66).fill(7).with(0, 0)]
    await takeAll(
      ['code', test.sign([setCode('eosio', IDLE)]), SESSION],
      ['unsigned', unsigned, SESSION],
      ['broken', broken, SESSION],
      ['account', test.sign([createAccount('alice')]), SESSION],
    )
    expect(ended).include.members(['unsigned', 'broken'])
    expect(ended.filter((text) => ['code', 'account'].includes(text))).deep.equal([
      'code',
      'account',
    ])
    expect(ended.filter((text) => text.startsWith('a transaction of a peer failed'))).have.length(2)
  })

  it('ends what waits when the node stops', async () => {
    await startFollowing()
    const maker = await TestChain.open()
    take(maker.produce())
    const refused: string[] = []
    intake = new TransactionIntake({
      producer: test.producer,
      blocks,
      log: (_level, text) => void refused.push(text),
    })
    const over = takeAll(['late', test.sign([createAccount('alice')]), SESSION])
    await blocks.stop()
    await test.producer.stop()
    await over
    expect(refused).deep.equal(['a transaction of a peer failed: the recovery pool is closed'])
  })
})
