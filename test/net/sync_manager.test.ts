/** Which peer is asked for which blocks, and what peers are told of this node's. */
import { expect } from 'chai'
import {
  noIds,
  type Handshake,
  type IdList,
  type NetMessage,
} from '../../src/engine/protocol/net/message.ts'
import { Dispatcher } from '../../src/net/dispatcher.ts'
import type { NetworkOptions } from '../../src/net/network_options.ts'
import { SyncManager } from '../../src/net/sync_manager.ts'
import { StubNetwork, blockIdOf, type StubPeer } from './support/stub_peer.ts'

const SECOND_US = 1_000_000
const RESPONSE_US = 5 * SECOND_US
/** A block of this age is not new. */
const OLD_US = 60 * SECOND_US
const RECENT_US = 499_999
/** Half of the blocks in a keepalive interval of 10 s. */
const MIN_DISTANCE = 10

describe('the synchronization', () => {
  let stub: StubNetwork
  let dispatcher: Dispatcher
  let sync: SyncManager

  function start(options: Partial<NetworkOptions> = {}): void {
    stub = new StubNetwork({ sync_fetch_span: 20, ...options })
    dispatcher = new Dispatcher(stub.state)
    sync = new SyncManager(stub.state, dispatcher)
  }

  beforeEach(() => start())

  /** Does something with all that follows from it. */
  const run = (work: () => void): void => stub.state.tasks.run(work)

  const received = (peer: StubPeer, num: number, age_us = OLD_US): void =>
    run(() => sync.received(peer, blockIdOf(num), num, age_us))

  function blocks(peer: StubPeer, first: number, last: number): void {
    for (let num = first; num <= last; num++) received(peer, num)
  }

  /** The chain executes a block, and makes those before it irreversible. */
  function applied(num: number, age_us = OLD_US): void {
    stub.chain.head = num
    stub.chain.fork_head = Math.max(num, stub.chain.fork_head)
    stub.chain.root = Math.max(stub.chain.root, num - 1)
    run(() => sync.applied(blockIdOf(num), num, age_us))
  }

  const irreversible = (peer: StubPeer, pending: number): void =>
    run(() => {
      peer.fork_head_num = Math.max(pending, peer.fork_head_num)
      sync.notice(peer, {
        kind: 'notice',
        known_trx: { mode: 'last_irr_catch_up', pending, ids: [] },
        known_blocks: { mode: 'last_irr_catch_up', pending, ids: [blockIdOf(pending)] },
      })
    })

  const announced = (peer: StubPeer, pending: number, ids: Uint8Array[]): void =>
    run(() =>
      sync.notice(peer, {
        kind: 'notice',
        known_trx: noIds(),
        known_blocks: { mode: 'catch_up', pending, ids },
      }),
    )

  describe('after a handshake', () => {
    const LATENCY = 2

    interface Given {
      head: number
      latency?: number
      root?: number
      branch?: number
      generation?: number
      peer?: Partial<StubPeer>
    }

    /** A peer that sent a handshake. */
    function after(given: Given): StubPeer {
      const { head, latency = LATENCY, root = 1, branch = 0, generation = 1, peer: fields } = given
      const peer = Object.assign(stub.peer(), { syncing_from_us: true, root_num: root }, fields)
      const message = {
        fork_db_root_num: root,
        fork_db_head_num: head,
        fork_db_head_id: blockIdOf(head, branch),
        generation,
      } as Handshake
      run(() => sync.handshake(peer, message, latency))
      return peer
    }

    function handshake(given: Given) {
      const peer = after(given)
      return { messages: peer.takeMessages(), syncs: peer.syncing_from_us }
    }

    const noticeOf = (mode: IdList['mode'], ids = [blockIdOf(120), blockIdOf(7)]): NetMessage => ({
      kind: 'notice',
      known_trx: mode === 'catch_up' ? noIds() : { mode, pending: 100, ids: [] },
      known_blocks: { mode, pending: 120, ids },
    })

    beforeEach(() => {
      stub.chain.first = 7
    })

    it('with the same head there is nothing to do', () => {
      for (const latency of [0, LATENCY]) {
        expect(handshake({ head: 120, latency })).deep.include({ messages: [], syncs: false })
      }
    })

    it('if all blocks of this node are irreversible at the peer, it is told where this node is', () => {
      const peer = after({ head: 200, root: 121 })
      expect([peer.take(), peer.syncing_from_us]).deep.equal([['handshake'], false])
      // The answer to its first handshake says it already.
      const first = after({ head: 200, root: 121, peer: { sent_handshakes: 0 } })
      expect(first.take()).deep.equal([])
      expect(after({ head: 200, root: 120 }).take()).deep.equal(['send request'])
    })

    it('if the peer misses irreversible blocks, it is told so, unless the distance is small', () => {
      const far = stub.chain.root - LATENCY - MIN_DISTANCE - 1
      expect(handshake({ head: far, peer: { syncing_from_us: false } })).deep.include({
        messages: [noticeOf('last_irr_catch_up')],
        syncs: true,
      })
      expect(handshake({ head: far + 1 })).deep.include({
        messages: [noticeOf('catch_up')],
        syncs: false,
      })
    })

    it('the distance is half of the blocks in a keepalive interval, rounded down', () => {
      start({ keepalive_us: 3_999_000 })
      const far = stub.chain.root - LATENCY - 3 - 1
      expect(handshake({ head: far }).syncs).equal(true)
      expect(handshake({ head: far + 1 }).syncs).equal(false)
    })

    it('old programs are not told the number of the first block, and the oldest nothing before their second handshake', () => {
      for (const [head, mode] of [
        [50, 'last_irr_catch_up'],
        [110, 'catch_up'],
      ] as const) {
        const old = handshake({ head, peer: { protocol_version: 7 } })
        expect(old.messages).deep.equal([noticeOf(mode, [blockIdOf(120)])])
        const range = handshake({ head, peer: { protocol_version: 8 } })
        expect(range.messages).deep.equal([noticeOf(mode)])
        const oldest = { protocol_version: 0 }
        expect(handshake({ head, peer: oldest }).messages).deep.equal([])
        const second = handshake({ head, generation: 2, peer: oldest })
        expect(second.messages).deep.equal([noticeOf(mode, [blockIdOf(120)])])
        expect(handshake({ head, peer: { protocol_version: 1 } }).messages).have.length(1)
      }
      expect(handshake({ head: 50, peer: { protocol_version: 0 } }).syncs).equal(true)
    })

    it('if the peer has newer blocks than are on their way, they are asked for', () => {
      const request: NetMessage = {
        kind: 'request',
        req_trx: noIds(),
        req_blocks: { mode: 'catch_up', pending: 0, ids: [blockIdOf(120)] },
      }
      expect(handshake({ head: 120 + LATENCY + 1 })).deep.include({
        messages: [request],
        syncs: false,
      })
      expect(sync.stage).equal('head_catchup')
    })

    it('within the blocks that are on their way nothing is done', () => {
      for (const head of [119, 121, 122]) {
        expect(handshake({ head, branch: 1 })).deep.include({ messages: [], syncs: false })
      }
      expect(handshake({ head: 118 })).deep.include({
        messages: [noticeOf('catch_up')],
        syncs: false,
      })
    })

    it('a peer on another branch, or on one that is not known, is asked for its blocks', () => {
      const request: NetMessage = {
        kind: 'request',
        req_trx: noIds(),
        req_blocks: { mode: 'catch_up', pending: 0, ids: [] },
      }
      expect(handshake({ head: 110, branch: 1 }).messages).deep.equal([
        noticeOf('catch_up'),
        request,
      ])
      stub.chain.root = 1
      expect(handshake({ head: 6 }).messages).deep.equal([noticeOf('catch_up'), request])
      const oldest = { protocol_version: 0 }
      expect(handshake({ head: 110, branch: 1, peer: oldest }).messages).deep.equal([request])
    })

    it('a peer of transactions alone is passed over', () => {
      const given = { has_blocks: false }
      expect(handshake({ head: 50, peer: given })).deep.include({ messages: [], syncs: true })
      handshake({ head: 5000, root: 5000, peer: given })
      irreversible(stub.peer(140), 140)
      // Its last irreversible block is none that is waited for.
      applied(140)
      expect(sync.stage).equal('head_catchup')
    })

    it('its last irreversible block is what this node catches up with', () => {
      after({ head: 130, root: 130 })
      const peer = stub.peer(140)
      irreversible(peer, 125)
      expect(peer.take()).deep.equal(['request 101 120'])
      blocks(peer, 101, 120)
      expect(peer.take()).include('request 121 130')
    })
  })

  describe('of irreversible blocks', () => {
    it('begins when a peer says that it has more, in spans after the last irreversible one', () => {
      const peer = stub.peer()
      irreversible(peer, 140)
      expect(sync.stage).equal('lib_catchup')
      expect(peer.root_num).equal(140)
      expect(peer.take()).deep.equal(['request 101 120'])
      expect(peer.lines).deep.equal(['debug asked for blocks 101 to 120'])
      expect(stub.lines).deep.equal(['info synchronization: in sync becomes lib catchup'])
    })

    it('does not begin for blocks that are irreversible here; the peer is told', () => {
      const [peer, other] = [stub.peer(140), stub.peer(140)]
      irreversible(peer, 100)
      expect([peer.take(), other.take(), sync.stage]).deep.equal([['handshake'], [], 'in_sync'])
      irreversible(peer, 101)
      expect([peer.take(), sync.stage]).deep.equal([['request 101 101'], 'lib_catchup'])
    })

    it('does not begin again while blocks come, but after five seconds without any', () => {
      const [a, b] = [stub.peer(200), stub.peer(200)]
      irreversible(a, 200)
      expect(a.take()).deep.equal(['request 101 120'])
      stub.pass(RESPONSE_US - 1)
      irreversible(b, 200)
      expect([a.take(), b.take()]).deep.equal([[], []])
      stub.pass(1)
      irreversible(b, 200)
      expect([a.take(), b.take()]).deep.equal([['cancel'], ['request 101 120']])
      // Blocks that came or were executed are signs of life.
      stub.pass(RESPONSE_US - 1)
      received(b, 101)
      b.take()
      stub.pass(RESPONSE_US - 1)
      applied(101)
      stub.pass(RESPONSE_US - 1)
      irreversible(a, 200)
      expect([a.take(), b.take()]).deep.equal([[], []])
    })

    it('asks for the next span when another peer says that it has it, and the last one is there', () => {
      const [a, b, c] = [stub.peer(), stub.peer(), stub.peer()]
      irreversible(a, 110)
      blocks(a, 101, 109)
      expect(a.take()).include('request 101 110')
      irreversible(b, 200)
      expect(b.take()).deep.equal([])
      received(a, 110)
      expect(b.take()).deep.equal(['request 111 130'])
      irreversible(c, 220)
      expect([b.take(), c.take()]).deep.equal([[], []])
    })

    it('continues when all that was known came, and another peer says that it has more', () => {
      const [a, b] = [stub.peer(), stub.peer()]
      irreversible(a, 110)
      blocks(a, 101, 110)
      irreversible(b, 200)
      expect(b.take()).deep.equal(['request 111 130'])
    })

    it('tells a peer that has no more than what came', () => {
      const [a, b] = [stub.peer(), stub.peer()]
      irreversible(a, 110)
      blocks(a, 101, 108)
      irreversible(b, 110)
      expect(b.take()).deep.equal([])
      received(a, 109)
      irreversible(b, 110)
      expect(b.take()).deep.equal(['handshake'])
      received(a, 110)
      irreversible(b, 110)
      expect(b.take()).deep.equal(['handshake'])
    })

    it('asks for a span when the last block of the one before came', () => {
      const peer = stub.peer(200)
      irreversible(peer, 200)
      peer.take()
      blocks(peer, 101, 119)
      expect(peer.take()).deep.equal(Array(19).fill('wait'))
      received(peer, 120)
      expect(peer.take()).deep.equal(['no wait', 'request 121 140'])
    })

    it('counts blocks that come in their order alone', () => {
      const peer = stub.peer(200)
      irreversible(peer, 200)
      received(peer, 101)
      received(peer, 103)
      received(peer, 101)
      peer.take()
      run(() => sync.timedOut(peer))
      expect(peer.take()).include('request 102 121')
    })

    it('asks for no more than one span beyond the executed blocks', () => {
      const [peer, other] = [stub.peer(300), stub.peer(300)]
      stub.chain.head = 101
      irreversible(peer, 300)
      blocks(peer, 101, 120)
      expect(peer.take().at(-1)).equal('request 121 140')
      stub.chain.head = stub.chain.fork_head = 120
      blocks(peer, 121, 139)
      stub.chain.fork_head = 140
      received(peer, 140)
      expect(peer.take().at(-1)).equal('no wait')
      // The span is there: the end of the peer that gave it changes nothing.
      stub.state.peers.delete(peer)
      run(() => sync.peerClosed(peer))
      for (const num of [121, 139]) applied(num)
      expect(other.take()).deep.equal([])
      applied(140)
      expect(other.take()).deep.equal(['request 141 160'])
    })

    it('counts only executable blocks where blocks are executed when they are irreversible', () => {
      const { chain } = stub
      chain.executes_irreversible = true
      chain.head = chain.root = 100
      const peer = stub.peer(500)
      irreversible(peer, 500)
      /** All of a span came and are in the fork database; the best of them makes blocks irreversible. */
      const came = (last: number, root: number) => {
        chain.fork_head = last
        chain.fork_head_root = root
        blocks(peer, last - 19, last)
        return peer.take().at(-1)
      }
      expect(came(120, 100)).equal('request 121 140')
      expect(came(140, 119)).equal('request 141 160')
      expect(came(160, 120)).equal('no wait')
      // An executed block says nothing, but what came does.
      chain.fork_head_root = 119
      run(() => sync.applied(blockIdOf(101), 101, OLD_US))
      expect(peer.take()).deep.equal(['request 161 180'])
      chain.fork_head = 160
      chain.fork_head_root = 100
      blocks(peer, 161, 178)
      peer.take()
      received(peer, 179)
      received(peer, 180)
      // Twenty that came are not in the fork database yet.
      expect(peer.take().at(-1)).equal('no wait')
    })

    it('continues until they are executed, also where blocks are executed when they are irreversible', () => {
      stub.chain.executes_irreversible = true
      stub.chain.head = 100
      const peer = stub.peer()
      irreversible(peer, 110)
      blocks(peer, 101, 110)
      peer.take()
      run(() => sync.applied(blockIdOf(101), 101, OLD_US))
      expect([peer.take(), sync.stage]).deep.equal([[], 'lib_catchup'])
    })

    it('ends when the last irreversible block of the peers was executed: all are told', () => {
      const [a, b] = [stub.peer(130), stub.peer(130)]
      irreversible(a, 130)
      blocks(a, 101, 130)
      applied(129)
      expect(sync.stage).equal('lib_catchup')
      a.take()
      applied(130)
      expect(sync.stage).equal('head_catchup')
      expect([a.take(), b.take()]).deep.equal([['handshake'], ['handshake']])
    })

    it('ends when no peer has the next blocks: all are told, and nothing is waited for', () => {
      const [a, b] = [stub.peer(140), stub.peer(10)]
      irreversible(a, 140)
      blocks(a, 101, 105)
      a.take()
      stub.state.peers.delete(a)
      run(() => sync.peerClosed(a))
      expect(sync.stage).equal('in_sync')
      expect(stub.lines).include('warn the synchronization stops: no blocks to ask for')
      expect(b.take()).deep.equal(['handshake'])
      const c = stub.peer(140)
      stub.chain.root = 103
      irreversible(c, 140)
      expect(c.take()).deep.equal(['request 104 123'])
    })

    it('that ended has no trace: a peer that has less is asked for what it has', () => {
      const [a, b, c] = [stub.peer(), stub.peer(), stub.peer()]
      irreversible(a, 130)
      a.fork_head_num = 120
      blocks(a, 101, 120)
      expect([b.take(), sync.stage]).deep.equal([['handshake'], 'in_sync'])
      expect(stub.lines).include('warn the synchronization stops: no peer has the next blocks')
      c.take()
      irreversible(c, 110)
      expect(c.take()).deep.equal(['request 101 110'])
      a.current = c.current = false
      run(() => sync.timedOut(c))
      b.take()
      run(() => sync.peerClosed(c))
      expect(b.take()).deep.equal([])
    })

    it('is over when the peer ends that was asked for blocks which came from others', () => {
      const [a, b] = [stub.peer(), stub.peer()]
      irreversible(a, 130)
      applied(130)
      applied(131)
      expect(sync.stage).equal('in_sync')
      b.take()
      run(() => sync.peerClosed(a))
      expect(b.take()).deep.equal([])
    })

    it('asks again for blocks that were refused, after the last irreversible one', () => {
      const peer = stub.peer(200)
      irreversible(peer, 200)
      blocks(peer, 101, 110)
      peer.take()
      stub.chain.root = 104
      // One that did not come yet is not asked for again.
      run(() => sync.rejected(peer, 112, false))
      received(peer, 111)
      expect(peer.take()).deep.equal(['handshake', 'wait'])
      run(() => sync.rejected(peer, 111, false))
      expect(peer.take()).deep.equal(['handshake', 'cancel', 'request 105 124'])
      // A peer that was not asked can send what it likes.
      const other = stub.peer()
      irreversible(other, 200)
      received(peer, 105)
      run(() => sync.rejected(other, 105, true))
      expect([peer.take(), other.take()]).deep.equal([['wait'], ['close']])
    })

    it('shows its progress', () => {
      const peer = stub.peer(200)
      irreversible(peer, 200)
      stub.pass(5 * SECOND_US)
      applied(150)
      expect(stub.lines.at(-1)).equal(
        'info synchronization: block 150 of 200, 10.0 blocks in a second, about 5 s left',
      )
    })
  })

  describe('of several peers', () => {
    /** Where the next span is asked for; undefined: nowhere. */
    function source(...peers: StubPeer[]): StubPeer | undefined {
      const lost = stub.peer(200)
      lost.ping_us = 0
      for (const peer of peers) lost.sync_ordinal = Math.max(lost.sync_ordinal, peer.sync_ordinal)
      irreversible(lost, 200)
      expect(lost.take()).deep.equal(['request 101 120'])
      stub.state.peers.delete(lost)
      run(() => sync.peerClosed(lost))
      return peers.find((peer) => peer.take().some((text) => text.startsWith('request')))
    }

    it('asks one that is able to answer', () => {
      expect(source(stub.peer(200))).not.equal(undefined)
      const unable: Partial<StubPeer>[] = [
        { has_blocks: false },
        { current: false },
        { no_retry: 'benign_other' },
        { start_block_num: 102 },
        { fork_head_num: 119 },
      ]
      for (const fields of unable) {
        start()
        const peer = Object.assign(stub.peer(120), fields)
        const witness = Object.assign(stub.peer(120), { no_retry: 'benign_other' as const })
        witness.fork_head_num = 0
        expect(source(peer), JSON.stringify(fields)).equal(undefined)
      }
      start()
      const just = Object.assign(stub.peer(120), { start_block_num: 101 })
      expect(source(just)).equal(just)
    })

    it('a peer must have a block more than the span, if there is one', () => {
      const [a, b] = [stub.peer(120), stub.peer(200)]
      a.ping_us = 1
      expect(source(a, b)).equal(b)
      start()
      const [c, d] = [stub.peer(121), stub.peer(200)]
      c.ping_us = 1
      expect(source(c, d)).equal(c)
    })

    it('asks the nearest ones in turn', () => {
      start({ sync_peer_limit: 2 })
      const [far, near, middle] = [stub.peer(500), stub.peer(500), stub.peer(500)]
      far.ping_us = 30_000
      near.ping_us = 10_000
      middle.ping_us = 20_000
      stub.chain.head = stub.chain.fork_head = 500
      irreversible(near, 500)
      const asked: number[] = []
      for (let i = 0; i < 4; i++) {
        for (const peer of [far, near, middle]) {
          const last = peer.take().findLast((text) => text.startsWith('request'))
          if (last === undefined) continue
          asked.push(peer.id)
          blocks(peer, 101 + 20 * i, 120 + 20 * i)
          break
        }
      }
      expect(asked).deep.equal([near.id, near.id, middle.id, near.id])
    })

    it('another one continues after the blocks that came when the first ends', () => {
      const [a, b] = [stub.peer(200), stub.peer(180)]
      irreversible(a, 200)
      blocks(a, 101, 110)
      stub.state.peers.delete(a)
      run(() => sync.peerClosed(a))
      expect(b.take()).deep.equal(['request 111 130'])
      // What the first had alone is not waited for.
      stub.chain.head = 160
      blocks(b, 111, 170)
      expect(b.take().at(-1)).equal('request 171 180')
    })

    it('what is irreversible meanwhile is not asked for again', () => {
      const [a, b] = [stub.peer(200), stub.peer(200)]
      irreversible(a, 200)
      stub.chain.root = 115
      stub.state.peers.delete(a)
      run(() => sync.peerClosed(a))
      expect(b.take()).deep.equal(['request 116 135'])
      stub.chain.root = 118
      const c = stub.peer(200)
      run(() => sync.timedOut(b))
      expect(b.take()).deep.equal(['cancel', 'reconnect'])
      expect(c.take()).deep.equal(['request 119 138'])
    })

    it('the end of a peer that is not asked changes nothing but what is waited for', () => {
      const [a, b] = [stub.peer(), stub.peer(200)]
      irreversible(b, 200)
      irreversible(a, 130)
      expect([a.take(), b.take()]).deep.equal([[], ['request 101 120']])
      stub.state.peers.delete(a)
      run(() => sync.peerClosed(a))
      expect(b.take()).deep.equal([])
      blocks(b, 101, 120)
      expect(b.take().at(-1)).equal('request 121 140')
    })

    it('only connected peers that do not get blocks from this node say what is waited for', () => {
      const [a, b, c, d] = [stub.peer(), stub.peer(), stub.peer(), stub.peer(300)]
      b.current = false
      d.has_blocks = false
      irreversible(a, 130)
      irreversible(b, 300)
      irreversible(c, 300)
      run(() => sync.peerClosed(c))
      blocks(a, 101, 120)
      expect(a.take().at(-1)).equal('request 121 130')
    })

    it('one that answers late is closed and connected to again; another one is asked if it was asked', () => {
      const [a, b] = [stub.peer(200), stub.peer(200)]
      b.ping_us = 1
      irreversible(a, 200)
      a.take()
      run(() => sync.timedOut(b))
      expect([a.take(), b.take()]).deep.equal([[], ['reconnect']])
      run(() => sync.timedOut(a))
      expect(a.take()).deep.equal(['cancel', 'reconnect'])
      expect(b.take()).deep.equal(['request 101 120'])
      expect(a.lines.at(-1)).equal('info sends no blocks in time; the next expected is 101')
    })
  })

  describe('of refused blocks', () => {
    it('a peer is told where this node is, or closed if the block is invalid', () => {
      const [a, b] = [stub.peer(), stub.peer()]
      run(() => sync.rejected(a, 121, false))
      run(() => sync.rejected(b, 121, true))
      expect([a.take(), b.take()]).deep.equal([['handshake'], ['close']])
      expect(b.lines).deep.equal(['warn block 121 is not accepted, the connection is closed'])
    })

    it('a peer with too many of them is closed, and connected to again', () => {
      const peer = stub.peer()
      for (let i = 0; i < 13; i++) {
        run(() => sync.rejected(peer, 121, false))
        stub.pass(2000)
      }
      expect(peer.take()).deep.equal(Array(13).fill('handshake'))
      run(() => sync.rejected(peer, 121, false))
      expect(peer.take()).deep.equal(['reconnect'])
    })
  })

  describe('of the best blocks', () => {
    const none = { kind: 'request', req_trx: noIds(), req_blocks: noIds() } as const
    const all = {
      kind: 'request',
      req_trx: noIds(),
      req_blocks: { mode: 'catch_up', pending: 0, ids: [blockIdOf(120)] },
    } as const

    it('asks a peer that announces an unknown block, and tells one whose block is known', () => {
      const peer = stub.peer()
      dispatcher.addPeerBlock(blockIdOf(125), 1)
      announced(peer, 125, [blockIdOf(125)])
      expect(peer.take()).deep.equal(['handshake'])
      announced(peer, 126, [blockIdOf(126)])
      expect(peer.takeMessages()).deep.equal([all])
      expect(peer.catch_up_head).deep.include({ num: 126, id: blockIdOf(126) })
      announced(peer, 127, [])
      expect(peer.take()).deep.equal([])
      peer.catch_up_head = undefined
      announced(peer, 127, [blockIdOf(127)])
      expect(stub.lines).deep.equal(['info synchronization: in sync becomes head catchup'])
      expect(peer.lines).include('warn sent a catch-up notice without a block')
    })

    it('asks no second peer for the same or earlier blocks', () => {
      const [a, b] = [stub.peer(), stub.peer()]
      announced(a, 130, [blockIdOf(130)])
      for (const [num, id] of [
        [130, blockIdOf(130)],
        [129, blockIdOf(129)],
        [140, blockIdOf(130)],
      ] as const) {
        b.catch_up_head = undefined
        announced(b, num, [id])
        expect(b.takeMessages()).deep.equal([none])
      }
      for (const [num, id] of [
        [130, blockIdOf(130, 1)],
        [131, blockIdOf(131)],
      ] as const) {
        b.catch_up_head = undefined
        announced(b, num, [id])
        expect(b.takeMessages()).deep.equal([all])
      }
      // Its own announcement counts, too.
      announced(b, 131, [blockIdOf(131)])
      expect([b.takeMessages(), b.catch_up_head]).deep.equal([[none], undefined])
    })

    it('asks another one when the first has sent nothing for five seconds', () => {
      const [a, b] = [stub.peer(), stub.peer()]
      announced(a, 130, [blockIdOf(130)])
      stub.pass(RESPONSE_US - 1)
      a.last_new_block_us = stub.clock.now()
      stub.pass(RESPONSE_US)
      announced(b, 130, [blockIdOf(130)])
      expect(b.takeMessages()).deep.equal([none])
      stub.pass(1)
      announced(b, 130, [blockIdOf(130)])
      expect([b.takeMessages(), a.catch_up_head]).deep.equal([[all], undefined])
    })

    it('waits until the irreversible ones are there, and does not go back', () => {
      const [a, b] = [stub.peer(), stub.peer(140)]
      announced(a, 99, [blockIdOf(99, 1)])
      expect([a.take(), sync.stage]).deep.equal([['handshake'], 'in_sync'])
      announced(a, 100, [blockIdOf(100, 1)])
      expect(a.takeMessages()).deep.equal([all])
      irreversible(b, 140)
      a.catch_up_head = undefined
      announced(a, 150, [blockIdOf(150)])
      expect([a.take(), sync.stage]).deep.equal([['handshake'], 'lib_catchup'])
    })

    it('ends when the announced blocks are there, received or executed, on whatever branch', () => {
      for (const end of [
        (num: number) => applied(num),
        (num: number) => received(stub.peer(), num),
      ]) {
        start()
        const [a, b] = [stub.peer(), stub.peer()]
        announced(a, 122, [blockIdOf(122, 1)])
        announced(b, 124, [blockIdOf(124)])
        expect(sync.stage).equal('head_catchup')
        end(122)
        expect([sync.stage, a.catch_up_head?.num]).deep.equal(['head_catchup', 122])
        end(123)
        expect([sync.stage, a.catch_up_head]).deep.equal(['head_catchup', undefined])
        end(124)
        expect([sync.stage, b.catch_up_head]).deep.equal(['in_sync', undefined])
      }
    })

    it('tells all peers once, when a block of now was executed', () => {
      const [a, b] = [stub.peer(), stub.peer()]
      announced(a, 121, [blockIdOf(121)])
      a.take()
      applied(121, 500_000)
      applied(122, 500_000)
      expect([a.take(), b.take()]).deep.equal([[], []])
      applied(123, RECENT_US)
      expect([a.take(), b.take()]).deep.equal([['handshake'], ['handshake']])
      applied(124, RECENT_US)
      expect([a.take(), b.take()]).deep.equal([[], []])
    })

    it('tells all peers, too, when the last irreversible block came and a block of now was executed', () => {
      const peer = stub.peer()
      stub.chain.root = 118
      irreversible(peer, 121)
      blocks(peer, 119, 120)
      peer.take()
      applied(119, RECENT_US)
      expect(peer.take()).deep.equal([])
      received(peer, 121)
      peer.take()
      applied(120, RECENT_US)
      expect([peer.take(), sync.stage]).deep.equal([['handshake'], 'lib_catchup'])
    })
  })

  it('a block that comes says that the peer lives, and a recent one that it has all', () => {
    const peer = Object.assign(stub.peer(), { syncing_from_us: true })
    received(peer, 121, 500_000)
    expect([peer.syncing_from_us, peer.last_block_us]).deep.equal([true, stub.clock.now()])
    received(peer, 121, RECENT_US)
    expect(peer.syncing_from_us).equal(false)
    // Nothing else follows without a synchronization.
    expect(peer.take()).deep.equal([])
  })

  it('this node catches up while irreversible blocks are missing and the new ones are old', () => {
    expect(sync.catching_up).equal(false)
    sync.noteNewBlock(5 * SECOND_US)
    expect(sync.catching_up).equal(false)
    const peer = stub.peer(200)
    irreversible(peer, 200)
    // That was before.
    expect([sync.syncing, sync.catching_up]).deep.equal([true, false])
    sync.noteNewBlock(5 * SECOND_US - 1)
    expect(sync.catching_up).equal(false)
    sync.noteNewBlock(5 * SECOND_US)
    expect(sync.catching_up).equal(true)
    // It begins anew, and is still the same.
    stub.pass(RESPONSE_US)
    irreversible(peer, 200)
    expect(sync.catching_up).equal(true)
  })
})
