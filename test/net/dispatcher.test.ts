/** What is given to which peer, and what is remembered of that. */
import { expect } from 'chai'
import { toHex } from '../../src/engine/protocol/hex.ts'
import { makePackedTransaction } from '../../src/engine/protocol/packed_transaction.ts'
import { plainTransaction } from '../../src/engine/protocol/transaction.ts'
import { Dispatcher } from '../../src/net/dispatcher.ts'
import { MAX_KNOWN_TRANSACTIONS, type NetworkOptions } from '../../src/net/network_options.ts'
import { StubNetwork, blockIdOf, type StubPeer } from './support/stub_peer.ts'

const SECOND_US = 1_000_000
const PRODUCER = 5n
/** The id of a transaction in hex. */
const keyOf = (id: number): string => toHex(blockIdOf(id))

describe('the distribution', () => {
  let stub: StubNetwork
  let dispatcher: Dispatcher
  let peer: StubPeer

  function start(options: Partial<NetworkOptions> = {}): void {
    stub = new StubNetwork(options)
    dispatcher = new Dispatcher(stub.state)
    peer = stub.peer()
  }

  beforeEach(() => start())

  /** What a peer gets of a block. */
  function block(num: number, fields: Partial<StubPeer> = {}): string[] {
    Object.assign(peer, fields)
    const [id, previous] = [blockIdOf(num), blockIdOf(num - 1)]
    dispatcher.sendBlock({ id, previous, producer: PRODUCER, packed: Uint8Array.of(num) })
    return peer.take()
  }

  it('of blocks: each once to a peer that is in use and exchanges them', () => {
    expect(block(121, { has_blocks: false })).deep.equal([])
    expect(block(121, { has_blocks: true, current: false })).deep.equal([])
    stub.pass(SECOND_US)
    expect(block(121, { current: true })).deep.equal(['general block 121'])
    expect(peer.last_block_us).equal(stub.clock.now())
    expect(block(121)).deep.equal([])
    expect(block(121, { current: false })).deep.equal([])
  })

  it('of blocks: those that are irreversible at the peer are not sent', () => {
    stub.pass(SECOND_US)
    expect(block(121, { root_num: 121 })).deep.equal([])
    expect(peer.last_block_us).equal(stub.clock.now())
    expect(block(122)).deep.equal(['general block 122'])
  })

  describe('of notices of blocks', () => {
    const told = (fields: Partial<StubPeer>, options: Partial<NetworkOptions> = {}): string[] => {
      start(options)
      return block(121, { consecutive_nacks: 3, protocol_version: 10, ...fields })
    }

    it('a peer gets them after three blocks in a row that it had', () => {
      stub.pass(SECOND_US)
      expect(told({})).deep.equal(['send block_notice'])
      expect(peer.takeMessages()).deep.equal([
        { kind: 'block_notice', previous: blockIdOf(120), id: blockIdOf(121) },
      ])
      expect(peer.last_block_us).equal(stub.clock.now())
      expect(told({ consecutive_nacks: 2 })).deep.equal(['general block 121'])
    })

    it('a peer gets none if it does not understand them, this node sends none, or it made the block', () => {
      const whole = ['general block 121']
      expect(told({ protocol_version: 9 })).deep.equal(whole)
      expect(told({}, { disable_block_nack: true })).deep.equal(whole)
      start()
      stub.chain.own_producers = [PRODUCER]
      expect(block(121, { consecutive_nacks: 3 })).deep.equal(whole)
    })
  })

  it('of votes: to all that understand them, but for the one that it came from', () => {
    const vote = {
      block_id: blockIdOf(121),
      strong: true,
      finalizer_key: new Uint8Array(96),
      signature: new Uint8Array(192),
    }
    const other = stub.peer()
    const cases: [Partial<StubPeer>, boolean][] = [
      [{}, true],
      [{ has_blocks: false }, false],
      [{ current: false }, false],
      [{ protocol_version: 8 }, false],
      [{ protocol_version: 9 }, true],
    ]
    for (const [fields, is_sent] of cases) {
      Object.assign(other, { has_blocks: true, current: true, protocol_version: 11 }, fields)
      dispatcher.sendVote(vote, peer.id)
      expect(peer.take()).deep.equal([])
      expect(other.take()).deep.equal(is_sent ? ['general vote'] : [])
    }
    dispatcher.sendVote(vote)
    expect([peer.take(), other.take()]).deep.equal([['general vote'], ['general vote']])
  })

  const now_s = () => Math.floor(stub.clock.now() / SECOND_US)

  function transaction(id: number, expiration = 2 ** 32 - 1): string[] {
    const packed = makePackedTransaction(
      { expiration, ref_block_num: 0, ref_block_prefix: 0, ...plainTransaction([]) },
      [],
    )
    dispatcher.sendTransaction({ id: blockIdOf(id), expiration, packed })
    return peer.take()
  }

  it('of transactions: each once to a peer that is in use and exchanges them', () => {
    Object.assign(peer, { has_transactions: false })
    expect(transaction(1)).deep.equal([])
    Object.assign(peer, { has_transactions: true, current: false })
    expect(transaction(1)).deep.equal([])
    Object.assign(peer, { current: true, has_blocks: false })
    expect(transaction(1)).deep.equal(['transactions packed_transaction'])
    expect(transaction(1)).deep.equal([])
  })

  it('remembers blocks until they are irreversible', () => {
    dispatcher.addPeerBlock(blockIdOf(121), 1)
    dispatcher.addPeerBlock(blockIdOf(122), 1)
    expect(dispatcher.addPeerBlock(blockIdOf(121), 1)).equal(false)
    expect(dispatcher.addPeerBlock(blockIdOf(121), 2)).equal(true)
    expect(dispatcher.hasBlock(blockIdOf(121, 1))).equal(false)
    stub.chain.root = 121
    dispatcher.expire()
    expect([121, 122].map((num) => dispatcher.hasBlock(blockIdOf(num)))).deep.equal([false, true])
  })

  it('remembers transactions for some seconds, but not longer than they may be executed', () => {
    start({ dedup_cache_expire_us: 10 * SECOND_US })
    stub.clock.set(now_s() * SECOND_US + 900_000)
    const begin_s = now_s()
    transaction(1)
    transaction(2, begin_s + 5)
    dispatcher.addPeerTransaction(keyOf(2), begin_s + 5, 77)
    const known = (at_us: number): boolean[] => {
      stub.clock.set(begin_s * SECOND_US + at_us)
      dispatcher.expire()
      return [1, 2].map((id) => dispatcher.hasTransaction(keyOf(id)))
    }
    expect(known(5 * SECOND_US - 1)).deep.equal([true, true])
    expect(known(5 * SECOND_US)).deep.equal([true, false])
    expect(known(10 * SECOND_US - 1)).deep.equal([true, false])
    expect(transaction(1)).deep.equal([])
    expect(known(10 * SECOND_US)).deep.equal([false, false])
    expect(transaction(1)).deep.equal(['transactions packed_transaction'])
  })

  it('remembers of a transaction which peers have it, each for its time', () => {
    start({ dedup_cache_expire_us: 10 * SECOND_US })
    dispatcher.addPeerTransaction(keyOf(1), 2 ** 32 - 1, 77)
    stub.pass(5 * SECOND_US)
    dispatcher.addPeerTransaction(keyOf(1), 2 ** 32 - 1, 78)
    stub.pass(5 * SECOND_US)
    dispatcher.expire()
    expect(dispatcher.hasTransaction(keyOf(1))).equal(true)
    expect(dispatcher.addPeerTransaction(keyOf(1), 2 ** 32 - 1, 78)).equal(false)
    expect(dispatcher.addPeerTransaction(keyOf(1), 2 ** 32 - 1, 77)).equal(true)
  })

  it('remembers so many transactions at most, the last ones', () => {
    const add = (id: number, session: number): boolean =>
      dispatcher.addPeerTransaction(keyOf(id), now_s() + 1, session)
    const fill = (first: number): void => {
      for (let i = 0; i < MAX_KNOWN_TRANSACTIONS - 2; i++) add(first, 1000 + i)
    }
    add(1, 1)
    add(1, 2)
    fill(2)
    expect(add(1, 1)).equal(false)
    add(3, 1)
    expect([1, 2, 3].map((id) => dispatcher.hasTransaction(keyOf(id)))).deep.equal([
      false,
      true,
      true,
    ])
    // Those that were forgotten make room.
    add(4, 1)
    expect(dispatcher.hasTransaction(keyOf(2))).equal(true)
    stub.pass(SECOND_US)
    dispatcher.expire()
    add(5, 1)
    add(5, 2)
    fill(6)
    expect(dispatcher.hasTransaction(keyOf(5))).equal(true)
    add(7, 1)
    expect(dispatcher.hasTransaction(keyOf(5))).equal(false)
  })
})
