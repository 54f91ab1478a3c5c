/** What the network and the production of a node do for each other. */
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import type { BlockState } from '../../../../src/engine/chain/headers/block_state.ts'
import { encodeMessage } from '../../../../src/engine/protocol/net/codec.ts'
import type { NetMessage } from '../../../../src/engine/protocol/net/message.ts'
import { NetService } from '../../../../src/engine/services/net/net_service.ts'
import { receiveMessage } from '../../../../src/net/receive/receive.ts'
import { TestChain } from '../../chain/support/test_chain.ts'
import {
  OPTIONS,
  brief,
  fakeHandshake,
  fakeLink,
  type FakeLink,
} from '../../../net/support/fake_peers.ts'
import {
  BLOCK_US,
  SECOND_US,
  createAccount,
  nothing,
  TestProducer,
  type TestOptions,
} from '../support/test_producer.ts'

describe('the network beside production', () => {
  let test: TestProducer
  let net: NetService
  let peer: FakeLink
  /** Another node's blocks, from the second block of the chain on. */
  let blocks: BlockState[]
  let maker: TestChain

  async function start(count: number, options: Partial<TestOptions> = {}): Promise<void> {
    maker = await TestChain.open()
    blocks = Array.from({ length: count }, () => maker.produce())
    test = await TestProducer.start(options)
    const { chain, producer, clock, log } = test
    const note = (level: string, text: string): void => void log.push(`${level} ${text}`)
    net = new NetService(OPTIONS, { chain, producer, clock, log: note })
    peer = fakeLink(net.network)
  }

  afterEach(async () => {
    await net.stop()
    await test.stop()
    await maker.chain.close()
  })

  const send = (message: NetMessage | Uint8Array): void =>
    receiveMessage(peer.peer, message instanceof Uint8Array ? message : encodeMessage(message))
  const blockMessage = ({ packed_block }: BlockState) => Uint8Array.from([7, ...packed_block])

  /** The peer says that all of its blocks are irreversible. */
  function announce(): void {
    const last = blocks.at(-1)!
    const ids = [test.chain.head.id, ...blocks.map(({ id }) => id)]
    const chain = { chain_id: test.chain.chain_id, ids, root: ids.length, fork_head: ids.length }
    send(fakeHandshake(chain, test.clock.now()))
    const pending = last.block_num
    send({
      kind: 'notice',
      known_trx: { mode: 'last_irr_catch_up', pending, ids: [] },
      known_blocks: { mode: 'last_irr_catch_up', pending, ids: [last.id] },
    })
  }

  const complaints = () => test.log.filter((line) => line.includes('not producing for eosio'))
  const MISSING = 'this node does not have all irreversible blocks of its peers'

  it('no block is made on a stale head while irreversible blocks of peers come, and again when they are there', async () => {
    await start(20)
    announce()
    expect(net.network.sync.stage).equal('lib_catchup')
    for (const block of blocks.slice(0, 10)) send(blockMessage(block))
    await test.clock.pass(2 * BLOCK_US)
    expect(test.chain.head.key).equal(blocks[9]!.key)
    await test.clock.pass(4 * BLOCK_US)
    expect(test.chain.head.key).equal(blocks[9]!.key)
    expect(complaints()).deep.equal([`warn not producing for eosio: ${MISSING}`])
    for (const block of blocks.slice(10)) send(blockMessage(block))
    await test.clock.pass(6 * BLOCK_US)
    expect(net.network.sync.stage).not.equal('lib_catchup')
    expect(test.head).greaterThan(blocks.at(-1)!.block_num)
    expect(test.chain.blockIdByNumber(blocks.at(-1)!.block_num)).deep.equal(blocks.at(-1)!.id)
  })

  it('a peer that only says that blocks are missing does not keep this node from making its own', async () => {
    await start(20)
    announce()
    expect(net.network.sync.stage).equal('lib_catchup')
    await test.produce(2)
    expect(complaints()).deep.equal([])
  })

  it('no block is made while blocks of peers wait to be executed', async () => {
    await start(5, { producers: [], enable_stale_production: false })
    const reasons: (string | undefined)[] = []
    const { permission } = test.producer.loop
    test.chain.events.on('blockAccepted', () => reasons.push(permission.heldBack()))
    expect(permission.heldBack()).equal(undefined)
    // A slice has a block: so much time passes at each look at the clock.
    test.clock.look_us = 100_000
    send(
      fakeHandshake(
        { chain_id: test.chain.chain_id, ids: [test.chain.head.id], root: 1, fork_head: 1 },
        test.clock.now(),
      ),
    )
    for (const block of blocks) send(blockMessage(block))
    for (let turns = 0; test.head < 6 && turns < 1000; turns++) await turn()
    expect(reasons).have.length(5)
    // The first one may be executed before the others are checked.
    const waits = 'blocks of peers wait to be executed'
    expect(reasons.slice(1)).deep.equal([waits, waits, waits, undefined])
    await turn()
    expect(permission.heldBack()).equal(undefined)
  })

  it('a transaction that was executed is given to peers, and one that failed is not', async () => {
    await start(0)
    const ids = [test.chain.head.id]
    send(
      fakeHandshake(
        { chain_id: test.chain.chain_id, ids, root: 1, fork_head: 1 },
        test.clock.now(),
      ),
    )
    peer.take()
    const sent = () =>
      peer
        .take()
        .map(brief)
        .filter((kind) => kind === 'packed_transaction')
    await test.submit([createAccount('alice')])
    expect(sent()).have.length(1)
    const failed = await test.submit([createAccount('alice')])
    expect(failed.error?.errorName).equal('account_name_exists_exception')
    expect(sent()).deep.equal([])
  })

  it('a dry run and a read-only transaction stay here', async () => {
    await start(0)
    const ids = [test.chain.head.id]
    const { chain_id } = test.chain
    send(fakeHandshake({ chain_id, ids, root: 1, fork_head: 1 }, test.clock.now()))
    peer.take()
    const { producer, clock } = test
    const traces = [
      producer.compute(test.sign([createAccount('alice')])),
      producer.readOnly(test.sign([{ ...nothing(), authorization: [] }], { secrets: [] })),
    ]
    await clock.pass(2 * BLOCK_US)
    for (const trace of await Promise.all(traces)) expect(trace.receipt?.status).equal(0)
    expect(peer.kinds()).not.include('packed_transaction')
  })

  it('a transaction that is retried is given to peers again, when they may have forgotten it', async () => {
    await start(0, { producers: [], enable_stale_production: false })
    const ids = [test.chain.head.id]
    const { chain_id } = test.chain
    send(fakeHandshake({ chain_id, ids, root: 1, fork_head: 1 }, test.clock.now()))
    peer.take()
    const sent = (): number => {
      net.network.dispatcher.expire()
      return peer.take().filter(({ kind }) => kind === 'packed_transaction').length
    }
    /** A block of the other node at this time. */
    const give = async (slots: number): Promise<void> => {
      send(blockMessage(maker.produce(1, slots - 1)))
      await test.clock.pass(0)
    }
    await give(7200)
    await test.submit([createAccount('alice')], { retry: { num_blocks: 0 } })
    expect(sent()).equal(1)
    const counts: number[] = []
    for (let i = 0; i < 3; i++) {
      await test.clock.pass(10 * SECOND_US)
      await give(20)
      counts.push(sent())
    }
    expect(counts).deep.equal([0, 1, 0])
  })
})
