import { expect } from 'chai'
import type { NetMessage } from '../../src/engine/protocol/net/message.ts'
import { FakeChain, FakeNetwork, brief, type FakeLink } from './support/fake_peers.ts'

const id = (byte: number) => new Uint8Array(32).fill(byte)
const SECOND_US = 1_000_000

describe('synchronization', () => {
  let chain: FakeChain
  let fake: FakeNetwork

  function start(given: { head?: number; span?: number; peers?: number } = {}): FakeLink[] {
    const { head = 1, span = 20, peers = 1 } = given
    chain = new FakeChain(head)
    fake = new FakeNetwork(chain, { sync_fetch_span: span, sync_peer_limit: 2 })
    return Array.from({ length: peers }, (_, i) => {
      const link = fake.peer({ address: `there:${i}` })
      fake.receive(link, fake.handshake({ node_id: id(0x70 + i), root: 140, head: 140 }))
      link.take()
      return link
    })
  }

  function notice(link: FakeLink, root = 140, head = 140, first = 1): void {
    const first_id = id(0)
    new DataView(first_id.buffer).setUint32(0, first)
    fake.receive(link, {
      kind: 'notice',
      known_trx: { mode: 'last_irr_catch_up', pending: root, ids: [] },
      known_blocks: {
        mode: 'last_irr_catch_up',
        pending: head,
        ids: [chain.ids[head - 1]!, first_id],
      },
    })
  }

  /** Sends the blocks that a peer was asked for; answers the spans. */
  function serve(link: FakeLink, messages = link.take()): string[] {
    return messages.flatMap((message) => {
      if (message.kind !== 'sync_request') return []
      const { start_block, end_block } = message
      for (let num = start_block; num <= end_block; num++) {
        fake.receive(link, fake.blockMessage(num))
      }
      return [`${start_block} ${end_block}`]
    })
  }

  const spans = (messages: readonly NetMessage[]) =>
    messages.filter(({ kind }) => kind === 'sync_request').map(brief)

  it('spans come from several peers in turn', () => {
    const links = start({ peers: 3 })
    for (const link of links) notice(link)
    const asked: string[][] = [[], [], []]
    for (let i = 0; i < 20 && chain.head < 140; i++) {
      links.forEach((link, n) => asked[n]!.push(...serve(link)))
    }
    expect(chain.head).equal(140)
    expect(asked.flat()).have.members([
      '2 21',
      '22 41',
      '42 61',
      '62 81',
      '82 101',
      '102 121',
      '122 140',
    ])
    // Two at most, as sync-peer-limit says.
    expect(asked.filter((list) => list.length > 0)).have.length(2)
  })

  it('not more than one span waits to be executed', () => {
    const [link] = start({ span: 10 })
    chain.executes = false
    notice(link!)
    expect(serve(link!)).deep.equal(['2 11'])
    expect(spans(link!.take())).deep.equal([])
    chain.execute(5)
    expect(spans(link!.take())).deep.equal([])
    chain.execute(11)
    expect(spans(link!.take())).deep.equal(['sync_request 12 21'])
  })

  it('blocks that are executed when irreversible need later ones, so they do not end the sync', () => {
    const [link] = start({ span: 10 })
    chain.executes = false
    chain.executes_irreversible = true
    notice(link!)
    // None of them is irreversible yet.
    expect(serve(link!)).deep.equal(['2 11'])
    expect(serve(link!)).deep.equal(['12 21'])
    // Now a span of blocks waits to be executed.
    chain.fork_head_root = 17
    expect(serve(link!)).deep.equal(['22 31'])
    expect(spans(link!.take())).deep.equal([])
    chain.execute(10)
    expect(spans(link!.take())).deep.equal(['sync_request 32 41'])
  })

  it('a peer that does not answer is replaced by another', () => {
    const [a, b] = start({ peers: 2 })
    notice(a!)
    expect(spans(a!.take())).deep.equal(['sync_request 2 21'])
    notice(b!)
    fake.pass(6 * SECOND_US)
    expect([a!.is_closed, a!.reconnects]).deep.equal([true, true])
    expect(spans(b!.take())).deep.equal(['sync_request 2 21'])
    expect(b!.is_closed).equal(false)
  })

  it('a peer is not blamed for the time in which this node stood still', () => {
    const [a, b] = start({ peers: 2 })
    notice(a!)
    const asked = a!.take()
    notice(b!)
    fake.clock.set(fake.clock.now() + 60 * SECOND_US)
    fake.pass(SECOND_US)
    expect(a!.is_closed).equal(false)
    expect(serve(a!, asked)).deep.equal(['2 21'])
    b!.take()
    fake.pass(6 * SECOND_US)
    expect([a!, b!].some(({ is_closed }) => is_closed)).equal(true)
  })

  it('a peer that stops in the middle of a span is replaced, and blocks are not asked for twice', () => {
    const [a, b] = start({ peers: 2 })
    notice(a!)
    notice(b!)
    a!.take()
    for (let num = 2; num <= 9; num++) fake.receive(a!, fake.blockMessage(num))
    fake.network.state.tasks.run(() => a!.close(false))
    expect(spans(b!.take())).deep.equal(['sync_request 10 29'])
  })

  it('a peer without the first blocks is not asked for them', () => {
    const [a, b] = start({ peers: 2 })
    notice(a!, 140, 140, 50)
    expect(spans(a!.take())).deep.equal([])
    expect(spans(b!.take())).deep.equal(['sync_request 2 21'])
  })

  it('a peer that says that it has blocks that do not exist ends nothing but its connection', () => {
    const [liar, honest] = start({ peers: 2 })
    const far = { ...fake.handshake({ node_id: id(0x90), generation: 2 }) }
    fake.receive(liar!, { ...far, fork_db_root_num: 0xfffffff0, fork_db_head_num: 0xffffffff })
    notice(liar!, 0xfffffff0)
    liar!.take()
    notice(honest!)
    fake.pass(6 * SECOND_US)
    expect(liar!.is_closed).equal(true)
    for (let i = 0; i < 10; i++) serve(honest!)
    expect(chain.head).equal(140)
  })

  describe('with peers that do not give what they say', () => {
    /** A peer that is asked for the first span, and one that has it too. */
    function asked(): [FakeLink, FakeLink] {
      const [liar, honest] = start({ peers: 2 })
      notice(liar!)
      notice(honest!)
      expect(spans(liar!.take())).deep.equal(['sync_request 2 21'])
      return [liar!, honest!]
    }

    /** Seconds until the other peer is asked; what a peer does in each of them. */
    function secondsUntil(honest: FakeLink, each: (second: number) => void): number {
      for (let second = 0; second < 60; second++) {
        if (spans(honest.take()).length > 0) return second
        each(second)
        fake.pass(SECOND_US)
      }
      return Infinity
    }

    it('blocks that are known or not asked for do not prolong the time of the one that is asked', () => {
      for (const num of [1, 21, 60, 140]) {
        const [liar, honest] = asked()
        const send = () => liar.is_closed || fake.receive(liar, fake.blockMessage(num))
        expect(secondsUntil(honest, send), `block ${num}`).at.most(6)
      }
    })

    it('blocks of another peer neither end a span nor prolong its time', () => {
      for (const num of [1, 21, 60, 140]) {
        const [liar, honest] = asked()
        const other = fake.peer({ address: 'there:9' })
        fake.receive(other, fake.handshake({ node_id: id(0x79) }))
        const send = () => other.is_closed || fake.receive(other, fake.blockMessage(num))
        expect(secondsUntil(honest, send), `block ${num}`).at.most(6)
        expect(liar.is_closed).equal(true)
      }
    })

    it('a peer that gives blocks more slowly than they are made is replaced by another', () => {
      const [slow, honest] = asked()
      const give = (second: number) => {
        if (second % 4 === 3 && !slow.is_closed) {
          fake.receive(slow, fake.blockMessage(2 + (second >> 2)))
        }
      }
      expect(secondsUntil(honest, give)).within(5, 13)
    })

    it('the only peer may be as slow as it likes', () => {
      const [slow] = start()
      notice(slow!)
      for (let num = 2; num <= 21; num++) {
        fake.receive(slow!, fake.blockMessage(num))
        fake.pass(4 * SECOND_US)
      }
      expect([slow!.is_closed, chain.head]).deep.equal([false, 21])
    })

    it('a host that failed is not asked again from another connection while others have the blocks', () => {
      const [liar, honest] = start({ peers: 2 })
      const far = { root: 140, head: 140 }
      const claims = { fork_db_root_num: 0xfffffff0, fork_db_head_num: 0xffffffff }
      notice(honest!, 60, 60)
      notice(liar!, 0xfffffff0)
      for (let i = 0; i < 10; i++) {
        while (serve(honest!).length > 0);
        fake.pass(6 * SECOND_US)
      }
      expect([liar!.is_closed, honest!.is_closed, chain.head]).deep.equal([true, false, 60])
      const again = fake.peer({ address: 'there:0' })
      fake.receive(again, { ...fake.handshake({ ...far, node_id: id(0x70) }), ...claims })
      notice(again, 0xfffffff0)
      expect(spans(again.take())).deep.equal([])
      fake.receive(honest!, fake.handshake({ ...far, node_id: id(0x71), generation: 2 }))
      notice(honest!)
      for (let i = 0; i < 10; i++) serve(honest!)
      expect(chain.head).equal(140)
      expect(spans(again.take())).deep.equal([])
    })

    it('peers that this node connects to are asked before those that connected', () => {
      const [own] = start()
      const others = [1, 2, 3].map((n) => {
        const link = fake.peer()
        fake.receive(link, fake.handshake({ node_id: id(0x80 + n), root: 140, head: 140 }))
        notice(link)
        return link
      })
      for (let i = 0; i < 10; i++) serve(own!)
      expect(chain.head).equal(140)
      expect(others.flatMap((link) => spans(link.take()))).deep.equal([])
    })

    it('a peer that announces its best block again and again keeps others from theirs for seconds only', () => {
      const [liar, honest] = start({ head: 100, peers: 2 })
      const hello = fake.handshake({ root: 100, head: 120, generation: 2, node_id: id(0x90) })
      const requests: string[] = []
      for (let i = 0; i < 20 && !requests.includes('request catch_up'); i++) {
        if (!liar!.is_closed) fake.receive(liar!, { ...hello, fork_db_head_num: 0xffffffff })
        fake.receive(liar!, fake.blockMessage(1))
        fake.receive(honest!, { ...hello, node_id: id(0x91) })
        requests.push(...honest!.take().map(brief))
        fake.pass(SECOND_US)
      }
      expect(requests.length).at.most(7)
      expect(requests).include('request catch_up')
    })
  })

  it('the blocks after the last irreversible one are asked for by the id of the best block', () => {
    const [link] = start({ head: 100 })
    fake.receive(link!, fake.handshake({ root: 100, head: 110, generation: 2 }))
    const [request] = link!.take()
    if (request?.kind !== 'request') return expect.fail('no request')
    expect(request.req_blocks).deep.equal({ mode: 'catch_up', pending: 0, ids: [chain.ids[99]!] })
    expect(fake.network.sync.stage).equal('head_catchup')
    for (let num = 101; num <= 110; num++) fake.receive(link!, fake.blockMessage(num))
    expect(fake.network.sync.stage).equal('in_sync')
    expect(chain.fork_head).equal(110)
  })

  it('a peer that announces blocks and sends none keeps others from it for seconds only', () => {
    const [liar, honest] = start({ head: 100, peers: 2 })
    const hello = fake.handshake({ root: 100, head: 120, generation: 2, node_id: id(0x90) })
    fake.receive(liar!, { ...hello, fork_db_head_num: 0xffffffff })
    const announce = () => fake.receive(honest!, { ...hello, node_id: id(0x91) })
    announce()
    expect(honest!.take().map(brief)).deep.equal(['request none'])
    fake.pass(6 * SECOND_US)
    announce()
    expect(honest!.take().map(brief)).deep.equal(['request catch_up'])
  })

  it('a node that is ahead announces its best block, and one on another branch is asked for its own', () => {
    const [link] = start({ head: 140 })
    const other = id(4)
    new DataView(other.buffer).setUint32(0, 138)
    const hello = fake.handshake({ root: 130, head: 138, generation: 2 })
    fake.receive(link!, hello)
    expect(link!.take().map(brief)).deep.equal(['notice catch_up 140'])
    fake.receive(link!, { ...hello, fork_db_head_id: other })
    expect(link!.take().map(brief)).deep.equal(['notice catch_up 140', 'request catch_up'])
    // The id of the block counts, not the number beside it.
    fake.receive(link!, { ...hello, fork_db_head_num: 139 })
    expect(link!.take().map(brief)).deep.equal(['notice catch_up 140'])
  })

  it('handshakes follow when the blocks are executed and of now', () => {
    const [link] = start({ head: 100 })
    fake.receive(link!, fake.handshake({ root: 100, head: 101, generation: 2 }))
    link!.take()
    fake.clock.set(chain.timeOf(101))
    fake.receive(link!, fake.blockMessage(101))
    expect(link!.take().map(brief)).include('handshake')
  })

  it('a peer that only says that blocks are missing does not stop the relay of new ones', () => {
    const [liar, honest] = start({ peers: 2, head: 100 })
    const hello = fake.handshake({ node_id: id(0x90), generation: 2 })
    fake.receive(liar!, { ...hello, fork_db_root_num: 0xfffffff0, fork_db_head_num: 0xffffffff })
    notice(liar!, 0xfffffff0)
    expect(fake.network.sync.syncing).equal(true)
    expect(fake.network.sync.catching_up).equal(false)
    honest!.take()
    honest!.peer.root_num = 100
    chain.fork_head = 101
    chain.execute(101)
    expect(honest!.take().map(brief)).include('block 101')
  })

  it('recent blocks of other peers do not make such a peer trusted', () => {
    const [liar, honest] = start({ peers: 2, head: 100 })
    const hello = fake.handshake({ node_id: id(0x90), generation: 2 })
    fake.receive(liar!, { ...hello, fork_db_root_num: 0xfffffff0, fork_db_head_num: 0xffffffff })
    notice(liar!, 0xfffffff0)
    expect(fake.network.sync.syncing).equal(true)
    fake.clock.set(chain.timeOf(101))
    fake.receive(honest!, fake.blockMessage(101))
    expect(chain.head).equal(101)
    expect(fake.network.sync.syncing).equal(true)
    expect(fake.network.sync.catching_up).equal(false)
  })

  it('blocks are not given to peers while irreversible ones are missing here', () => {
    const [a, b] = start({ peers: 2 })
    notice(a!)
    serve(a!)
    expect(b!.take().filter(({ kind }) => kind === 'signed_block')).deep.equal([])
  })
})
