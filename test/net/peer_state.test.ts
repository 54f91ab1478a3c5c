/** What a connection is, what it sends and when it ends, without messages of the peer. */
import { expect } from 'chai'
import type { Handshake } from '../../src/engine/protocol/net/message.ts'
import type { NetworkOptions } from '../../src/net/network_options.ts'
import { NO_ID } from '../../src/net/network_state.ts'
import type { Peer, PeerSettings } from '../../src/net/peer.ts'
import { NotedNetwork, type NotedLink } from './support/noted_network.ts'
import { blockIdOf, type StubNetwork, type StubPeer } from './support/stub_peer.ts'

const SECOND_US = 1_000_000
const KEEPALIVE_US = 10 * SECOND_US

describe('a connection', () => {
  let noted: NotedNetwork
  let stub: StubNetwork
  let sync: NotedNetwork['sync']
  let peer: Peer
  let link: NotedLink

  function start(options: Partial<NetworkOptions> = {}): void {
    noted = new NotedNetwork({ keepalive_us: KEEPALIVE_US, ...options })
    ;({ stub, sync } = noted)
  }

  /** A connection that is open: of another node, or with an address to it. */
  function open(address = '', settings: Partial<PeerSettings> = {}): void {
    ;({ peer, link } = noted.peer(address, settings))
    run(() => peer.opened())
  }

  beforeEach(() => start())

  const run = (work: () => void): void => noted.run(work)
  const pass = (us: number): void => noted.pass(us)

  /** The peer sent a handshake. */
  function known(): void {
    peer.accepted()
    peer.last_handshake = { fork_db_root_num: 5 } as Handshake
  }

  it('begins with a ping and a handshake of the node that connects', () => {
    open('there:1')
    expect(link.take()).deep.equal(['time time', 'general handshake'])
    expect([peer.session, peer.opened_us]).deep.equal([1, stub.clock.now()])
    expect([peer.state, peer.is_open, peer.name]).deep.equal(['connecting', true, 'there:1'])
    expect(noted.take()).deep.equal(['mark 1 there:1'])
    open()
    expect([link.take(), peer.session]).deep.equal([[], 2])
  })

  it('is in use when a message came, until it ends', () => {
    ;({ peer, link } = noted.peer())
    expect([peer.connected, peer.current, peer.is_client]).deep.equal([false, false, false])
    run(() => peer.opened())
    expect([peer.connected, peer.is_client]).deep.equal([false, false])
    known()
    expect([peer.connected, peer.current, peer.is_client]).deep.equal([true, true, true])
    peer.syncing_from_us = true
    expect([peer.connected, peer.current]).deep.equal([true, false])
    peer.producer = 'configured'
    expect(peer.is_client).equal(false)
    run(() => peer.close(false))
    expect([peer.is_open, peer.connected, peer.state]).deep.equal([true, false, 'closing'])
    // A message that came before the end does not open it again.
    peer.accepted()
    expect(peer.state).equal('closing')
    run(() => peer.closed())
    peer.producer = 'none'
    peer.last_handshake = { fork_db_root_num: 5 } as Handshake
    expect([peer.connected, peer.is_client]).deep.equal([false, false])
    open('there:1')
    known()
    expect([peer.connected, peer.is_client]).deep.equal([true, false])
  })

  it('must prove the key of a node that connected, where this node restricts them', () => {
    open()
    expect(peer.needs_proof).equal(false)
    start({ allowed: { any: false, producers: false, specified: true } })
    open('there:1')
    expect(peer.needs_proof).equal(false)
    open()
    expect(peer.needs_proof).equal(true)
    peer.is_authentic = true
    expect(peer.needs_proof).equal(false)
  })

  it('is not read while more than 32 MiB of blocks or 64 votes wait', () => {
    open()
    peer.blocks_in_progress = 32 * 1024 * 1024
    peer.votes_in_progress = 63
    expect(peer.busy).equal(false)
    peer.blocks_in_progress += 1
    expect(peer.busy).equal(true)
    peer.blocks_in_progress = 0
    peer.votes_in_progress = 64
    expect(peer.busy).equal(true)
  })

  it('sends nothing before it is open, and ends after a go_away', () => {
    ;({ peer, link } = noted.peer())
    peer.send({ kind: 'block_nack', id: NO_ID })
    peer.sendFramed(Uint8Array.of(33, 0, 0, 0, 10, ...NO_ID), 'sync')
    run(() => peer.sendHandshake())
    expect(link.take()).deep.equal([])
    run(() => peer.opened())
    peer.sendFramed(Uint8Array.of(33, 0, 0, 0, 10, ...NO_ID), 'sync')
    peer.send({ kind: 'go_away', reason: 'no_reason', node_id: NO_ID })
    expect(peer.no_retry).equal('no_reason')
    peer.sendGoAway('forked')
    expect(link.take()).deep.equal([
      'sync block_nack',
      'general go_away',
      'general go_away, the last',
    ])
    expect(peer.no_retry).equal('forked')
  })

  describe('sends a handshake', () => {
    const handshakes = () => link.messages.splice(0).filter(({ kind }) => kind === 'handshake')
    const generations = () => handshakes().map((made) => (made as Handshake).generation)
    const send = (): void => run(() => peer.sendHandshake())

    it('of the same position once in 50 ms', () => {
      open('there:1')
      expect(generations()).deep.equal([1])
      pass(49_999)
      send()
      expect(generations()).deep.equal([])
      pass(1)
      send()
      send()
      expect(generations()).deep.equal([2])
      stub.chain.fork_head += 1
      send()
      expect(generations()).deep.equal([3])
    })

    it('after what was to be sent already', () => {
      open()
      run(() => {
        peer.sendHandshake()
        peer.sendBlockNack(NO_ID)
        peer.send({ kind: 'block_nack', id: NO_ID })
      })
      expect(link.take()).deep.equal(['general block_nack', 'general handshake'])
    })

    it('not while it ends', () => {
      open()
      for (const state of ['closing', 'closed'] as const) {
        peer.state = state
        send()
      }
      peer.state = 'connected'
      peer.is_open = false
      send()
      expect(link.take()).deep.equal([])
    })

    it('whose number has 15 bits, and continues with 2', () => {
      open()
      peer.sent_handshakes = 0x7ffe
      send()
      pass(SECOND_US)
      send()
      expect(generations()).deep.equal([0x7fff, 2])
    })

    it('with what this node wants of a node that connected', () => {
      const said = (
        type: '' | 'trx' | 'blk',
        { address = '', listen_address = 'here:1', accept_transactions = true } = {},
      ): string => {
        start({ accept_transactions })
        open(address, { listen_address })
        peer.type = type
        pass(SECOND_US)
        handshakes()
        send()
        const [made] = handshakes()
        return (made as Handshake).p2p_address.replace(' - 5555555', '')
      }
      expect(said('')).equal('here:1')
      expect(said('trx')).equal('here:1:trx')
      expect(said('blk')).equal('here:1:blk')
      expect(said('trx', { listen_address: 'here:1:trx' })).equal('here:1:trx')
      expect(said('blk', { listen_address: 'here:1:blk' })).equal('here:1:blk')
      expect(said('', { accept_transactions: false })).equal('here:1:blk')
      for (const type of ['', 'trx', 'blk'] as const) {
        expect(said(type, { address: 'there:1', accept_transactions: false })).equal('here:1')
      }
    })
  })

  it('tells a peer that a block was known, if it understands that and is to be told', () => {
    const told_with = (version: number, options: Partial<NetworkOptions> = {}, syncing = false) => {
      start(options)
      open()
      peer.protocol_version = version
      sync.syncing = syncing
      peer.sendBlockNack(NO_ID)
      return link.take()
    }
    const told_it = ['general block_nack']
    expect(told_with(10)).deep.equal(told_it)
    expect(told_with(9)).deep.equal([])
    expect(told_with(11, { disable_block_nack: true })).deep.equal([])
    expect(told_with(11, {}, true)).deep.equal([])
  })

  it('measures the shortest round trip while blocks are on their way', () => {
    for (const among of [
      () => (sync.stage = 'lib_catchup'),
      () => (peer.syncing_from_us = true),
      undefined,
    ]) {
      start()
      open()
      const ping = (us: number): number => {
        run(() => peer.sendTime())
        const sent = link.messages.at(-1)
        if (sent?.kind !== 'time') return expect.fail('no ping')
        pass(us)
        peer.times.receive(
          { kind: 'time', org: sent.xmt, rec: sent.xmt, xmt: sent.xmt + 1n, dst: 0n },
          peer.now_ns,
        )
        return peer.ping_us
      }
      expect(ping(20_000)).equal(20_000)
      expect(peer.latency_blocks).equal(0)
      among?.()
      expect(ping(900_000)).equal(among ? 20_000 : 900_000)
    }
  })

  it('counts the blocks of a round trip, rounded', () => {
    open()
    expect(peer.latency_blocks).equal(0)
    const { times } = peer
    for (const [us, count] of [
      [249_999, 0],
      [250_000, 1],
      [1_200_000, 2],
    ] as const) {
      times.ping_us = us
      expect(peer.latency_blocks).equal(count)
    }
  })

  describe('that blocks are asked for', () => {
    it('waits five seconds for each', () => {
      open()
      for (const again of [false, true]) {
        run(() => peer.requestBlocks(5, 9))
        expect(link.messages.at(-1)).deep.equal({
          kind: 'sync_request',
          start_block: 5,
          end_block: 9,
        })
        expect(peer.sync_last_requested).equal(9)
        noted.take()
        pass(5 * SECOND_US - 1)
        if (again) run(() => peer.awaitBlock())
        if (again) pass(5 * SECOND_US - 1)
        expect(noted.take()).deep.equal([])
        pass(1)
        expect(noted.take()).deep.equal(['timed out 1'])
      }
    })

    it('waits for none when all are there', () => {
      open()
      run(() => peer.requestBlocks(5, 9))
      peer.cancelSyncWait()
      noted.take()
      pass(60 * SECOND_US)
      expect(noted.take()).deep.equal([])
      // What comes later does not end another wait.
      run(() => peer.awaitBlock())
      peer.cancelSyncWait()
      peer.cancelSyncWait()
      expect(stub.clock.fire()).equal(false)
    })

    it('is not blamed for more than a second in which this node stood still', () => {
      open()
      run(() => peer.awaitBlock())
      stub.clock.set(stub.clock.now() + 6 * SECOND_US + 1)
      stub.clock.fire(stub.clock.now())
      noted.take()
      pass(5 * SECOND_US)
      expect(noted.take()).deep.equal(['timed out 1'])
      run(() => peer.awaitBlock())
      stub.clock.set(stub.clock.now() + 6 * SECOND_US)
      stub.clock.fire(stub.clock.now())
      expect(noted.take()).deep.equal(['timed out 1'])
    })

    it('is told when they are not wanted any more, before anything else', () => {
      open()
      run(() => peer.requestBlocks(5, 9))
      link.take()
      run(() => peer.cancelSync())
      expect(link.take()).deep.equal(['clear', 'general sync_request'])
      expect(link.messages.at(-1)).deep.equal({
        kind: 'sync_request',
        start_block: 0,
        end_block: 0,
      })
      expect(peer.sync_last_requested).equal(0)
      expect(stub.clock.fire()).equal(false)
    })
  })

  describe('is looked after at the keepalive interval', () => {
    const beat = (): string[] => {
      run(() => peer.heartbeat())
      return link.take()
    }

    /** A message came, and a block so long ago. */
    function lives(block_us = 0): void {
      peer.last_message_us = stub.clock.now()
      peer.last_block_us = stub.clock.now() - block_us
    }

    it('a silent one ends after two of them, since its beginning or its last message', () => {
      for (const [address, end] of [
        ['', 'close'],
        ['there:1', 'reconnect'],
      ] as const) {
        open(address)
        link.take()
        pass(2 * KEEPALIVE_US)
        expect(beat()).deep.equal(['time time'])
        lives()
        pass(2 * KEEPALIVE_US + 1)
        expect(peer.no_retry).equal('no_reason')
        expect(beat()).deep.equal([end])
        expect(peer.no_retry).equal('benign_other')
      }
      open()
      pass(2 * KEEPALIVE_US + 1)
      expect(beat()).deep.equal(['close'])
    })

    it('one without blocks for an interval is told where this node is, else it is pinged', () => {
      open()
      lives(KEEPALIVE_US)
      expect(beat()).deep.equal(['time time'])
      lives(KEEPALIVE_US + 1)
      expect(beat()).deep.equal(['general handshake'])
      sync.syncing = true
      expect(beat()).deep.equal(['time time'])
    })

    it('an interval is at least two blocks', () => {
      start({ keepalive_us: 300_000 })
      open()
      lives(SECOND_US)
      expect(beat()).deep.equal(['time time'])
      lives(SECOND_US + 1)
      expect(beat()).deep.equal(['general handshake'])
    })
  })

  describe('ends', () => {
    it('once, after what is done now; one of another node is not made again', () => {
      for (const [address, reconnect, done] of [
        ['', true, 'close'],
        ['there:1', true, 'reconnect'],
        ['there:1', false, 'close'],
      ] as const) {
        open(address)
        link.take()
        run(() => {
          peer.close(reconnect)
          peer.close(true)
          peer.send({ kind: 'block_nack', id: NO_ID })
        })
        expect(link.take()).deep.equal(['general block_nack', done])
      }
      peer.state = 'closed'
      run(() => peer.close(true))
      expect(link.take()).deep.equal([])
    })

    it('with nothing left of what the peer said and was sent', () => {
      open('there:1')
      const before = { ...peer }
      known()
      Object.assign(peer, {
        is_authentic: true,
        producer: 'gossip',
        syncing_from_us: true,
        node_id: NO_ID,
        notice_request: NO_ID,
        catch_up_head: { num: 5, id: NO_ID, since_us: 1 },
        root_num: 5,
        sync_last_requested: 9,
        last_message_us: 1,
        last_block_us: 1,
        last_vote_us: 1,
        claimed_version: 1,
        consecutive_nacks: 3,
        last_nack: blockIdOf(5),
      })
      peer.rejections.rejected(1)
      for (let i = 1; i < 20; i++) peer.rejections.rejected(i * 5000)
      peer.times.ping_us = 5
      run(() => peer.awaitBlock())
      const { votes } = noted.network
      const vote = { session: 1, block_id: NO_ID, received_us: 0, retry: () => Promise.resolve() }
      votes.add(vote)
      noted.take()
      run(() => peer.closed())
      expect([votes.size, noted.take()]).deep.equal([0, ['closed 1']])
      expect({ ...peer }).deep.include({
        is_open: false,
        state: 'closed',
        is_authentic: false,
        producer: 'none',
        syncing_from_us: false,
        last_handshake: undefined,
        node_id: undefined,
        notice_request: undefined,
        catch_up_head: undefined,
        sent_handshakes: 0,
        root_num: 0,
        sync_last_requested: 0,
        last_message_us: 0,
        last_block_us: 0,
        last_vote_us: 0,
        claimed_version: before.claimed_version,
        consecutive_nacks: 0,
        last_nack: NO_ID,
      })
      expect([peer.rejections.exceeded, peer.ping_us]).deep.equal([false, Infinity])
      expect(stub.clock.fire()).equal(false)
      // The same position is told again at once.
      link.take()
      run(() => peer.opened())
      expect(link.take()).deep.equal(['time time', 'general handshake'])
    })

    it('so that others are asked for whole blocks, if it was one of those that blocks come from', () => {
      const [other, behind] = [stub.peer(), stub.peer()]
      behind.current = false
      const closed = (last_us: number, any_us: number): [StubPeer, string[]] => {
        open()
        peer.last_block_received_us = last_us
        stub.state.last_block_received_us = any_us
        run(() => peer.closed())
        expect(behind.take()).deep.equal([])
        return [other, other.take()]
      }
      expect(closed(1000, 3 * SECOND_US + 1000)[1]).deep.equal(['nack 0'])
      expect(closed(999, 3 * SECOND_US + 1000)[1]).deep.equal([])
    })

    it('with the blocks that it was sent: another connection gets those that it asks for', () => {
      open()
      peer.sender.request(101, 110)
      expect(link.take()).deep.equal(['sync block 101'])
      run(() => peer.closed())
      run(() => peer.opened())
      run(() => peer.written())
      peer.sender.request(105, 106)
      expect(link.take()).deep.equal(['sync block 105'])
      run(() => peer.written())
      expect(link.take()).deep.equal(['sync block 106'])
    })
  })

  it('forgets what was not sent yet when the peer does not want it', () => {
    open()
    peer.clear()
    expect(link.take()).deep.equal(['clear'])
  })
})
