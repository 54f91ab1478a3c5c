/** The decisions about the handshake of a peer, one by one. */
import { expect } from 'chai'
import type { Handshake } from '../../src/engine/protocol/net/message.ts'
import { NO_ID } from '../../src/net/network_state.ts'
import type { Peer } from '../../src/net/peer.ts'
import { NotedNetwork, type NotedLink } from './support/noted_network.ts'
import { blockIdOf } from './support/stub_peer.ts'

const OWN_ID = new Uint8Array(32).fill(0x55)
const LOWER_ID = new Uint8Array(32).fill(0x11)
const HIGHER_ID = new Uint8Array(32).fill(0x99)
const VERSION_BASE = 0x04b5

describe('a handshake', () => {
  let noted: NotedNetwork

  beforeEach(() => {
    noted = new NotedNetwork()
  })

  function hello(fields: Partial<Handshake> = {}): Handshake {
    return {
      kind: 'handshake',
      network_version: VERSION_BASE + 11,
      chain_id: noted.stub.chain.chain_id,
      node_id: HIGHER_ID,
      key: new Uint8Array(34),
      time: 5n,
      token: NO_ID,
      sig: new Uint8Array(66),
      p2p_address: 'there:9876 - 9999999',
      fork_db_root_num: 100,
      fork_db_root_id: blockIdOf(100),
      fork_db_head_num: 120,
      fork_db_head_id: blockIdOf(120),
      os: 'linux',
      agent: 'test',
      generation: 1,
      ...fields,
    }
  }

  function receive(fields: Partial<Handshake> = {}, address = ''): { peer: Peer; link: NotedLink } {
    const made = noted.open(address)
    noted.receive(made.peer, hello(fields))
    return made
  }

  const reasons = ({ messages }: NotedLink) =>
    messages.flatMap((message) => (message.kind === 'go_away' ? [message.reason] : []))

  it('says what the peer has, who it is and that it is in use', () => {
    const { peer, link } = receive({ fork_db_root_num: 90, fork_db_root_id: blockIdOf(90) })
    expect([peer.root_num, peer.fork_head_num, peer.state]).deep.equal([90, 120, 'connected'])
    expect([peer.name, peer.protocol_version]).deep.equal(['there:9876 - 9999999', 11])
    expect([peer.node_id, peer.last_handshake?.generation]).deep.equal([HIGHER_ID, 1])
    expect(noted.take()).deep.equal(['mark 1 there:9876 - 9999999', 'greet 1', 'handshake 1 0'])
    expect(link.take()).deep.equal(['general handshake'])
    // Later ones say no more about the peer.
    noted.receive(peer, hello({ generation: 2, p2p_address: 'other:1', fork_db_head_num: 130 }))
    expect([peer.name, peer.fork_head_num]).deep.equal(['there:9876 - 9999999', 130])
    expect([noted.take(), link.take()]).deep.equal([['handshake 1 0'], []])
  })

  it('is answered by one, unless this node was the first', () => {
    const { peer, link } = noted.open('there:1')
    noted.pass(60_000)
    noted.receive(peer, hello())
    expect(link.take()).deep.equal([])
    expect(receive({ node_id: LOWER_ID }).link.take()).deep.equal(['general handshake'])
  })

  it('tells the synchronization the blocks of a round trip', () => {
    const { peer } = noted.open()
    peer.times.ping_us = 1_000_000
    noted.receive(peer, hello())
    expect(noted.take().at(-1)).equal('handshake 1 2')
  })

  it('that cannot be one is refused before anything of it counts', () => {
    const wrong: Partial<Handshake>[] = [
      { fork_db_root_num: 121 },
      { p2p_address: '' },
      { p2p_address: 'a'.repeat(385) },
      { os: '' },
      { os: 'a'.repeat(385) },
      { agent: 'a'.repeat(385) },
      { token: OWN_ID },
      { sig: new Uint8Array(66).fill(1) },
    ]
    for (const fields of wrong) {
      const { peer, link } = receive(fields)
      expect(reasons(link)).deep.equal(['fatal_other'])
      expect([peer.root_num, peer.last_handshake, peer.no_retry]).deep.equal([
        0,
        undefined,
        'fatal_other',
      ])
      expect(noted.take()).deep.equal([])
    }
    const just = { p2p_address: 'a'.repeat(384), os: 'a'.repeat(384), agent: '' }
    const { link } = receive({ ...just, fork_db_root_num: 120, fork_db_root_id: blockIdOf(120) })
    expect(reasons(link)).deep.equal([])
  })

  it('of a node that is not wanted is refused with the reason, and nothing follows', () => {
    const cases: [Partial<Handshake>, string][] = [
      [{ node_id: OWN_ID }, 'self'],
      [{ chain_id: NO_ID }, 'wrong_chain'],
    ]
    for (const [fields, reason] of cases) {
      const { link } = receive(fields)
      expect(reasons(link)).deep.equal([reason])
      expect(noted.take().filter((what) => !what.startsWith('mark'))).deep.equal([])
      expect(link.messages).have.length(1)
    }
    noted.producers.is_one_too_many = true
    const { link } = receive({ node_id: LOWER_ID }, 'there:1')
    expect([link.take(), link.messages]).deep.equal([['close'], []])
    expect(noted.take()).deep.equal(['mark 3 there:9876 - 9999999'])
  })

  it('of a peer with other irreversible blocks is answered by that, and by what follows', () => {
    const other = blockIdOf(100, 1)
    const { link } = receive({ fork_db_root_id: other })
    expect(link.messages.map(({ kind }) => kind)).deep.equal(['go_away', 'handshake'])
    expect(reasons(link)).deep.equal(['forked'])
    expect(noted.take().at(-1)).equal('handshake 1 0')
    noted.stub.chain.first = 50
    const fine: Partial<Handshake>[] = [
      // Not irreversible here, or not known.
      { fork_db_root_num: 101, fork_db_root_id: blockIdOf(101, 1) },
      { fork_db_root_num: 49, fork_db_root_id: blockIdOf(49, 1) },
      { fork_db_root_num: 0, fork_db_root_id: other },
    ]
    fine.forEach((fields, i) => {
      const node_id = new Uint8Array(32).fill(0xa0 + i)
      expect(reasons(receive({ ...fields, node_id }).link)).deep.equal([])
    })
  })

  it('of a second connection of a node is refused by the node with the higher id', () => {
    const first = receive({ node_id: LOWER_ID }).peer
    const node_id = new Uint8Array(32).fill(7)
    const again = noted.open()
    again.peer.node_id = node_id
    noted.receive(again.peer, hello({ node_id: LOWER_ID }))
    expect(again.link.messages).deep.equal([{ kind: 'go_away', reason: 'duplicate', node_id }])
    expect(again.peer.no_retry).equal('duplicate')
    // The same connection, and one that is not in use, are no others.
    noted.stub.state.peers.delete(again.peer)
    noted.receive(first, hello({ node_id: LOWER_ID }))
    expect(first.no_retry).equal('no_reason')
    first.state = 'closing'
    expect(reasons(receive({ node_id: LOWER_ID }).link)).deep.equal([])
    // One without a handshake may be in use.
    noted.open().peer.accepted()
    receive()
    expect(reasons(receive().link)).deep.equal([])
  })

  it('of an old program makes this node seem to be older', () => {
    for (const version of [3, 6]) {
      const { peer, link } = receive({
        network_version: VERSION_BASE + version,
        node_id: new Uint8Array(32).fill(0xa0 + version),
      })
      expect([peer.claimed_version, peer.sent_handshakes]).deep.equal([1, 1])
      const [answer] = link.messages
      expect(answer).include({
        kind: 'handshake',
        network_version: VERSION_BASE + 1,
        generation: 1,
      })
      expect(noted.take().filter((what) => !what.startsWith('mark'))).deep.equal([])
    }
    for (const version of [2, 7]) {
      const { peer } = receive({
        network_version: VERSION_BASE + version,
        node_id: new Uint8Array(32).fill(0xa0 + version),
      })
      expect([peer.claimed_version, peer.protocol_version]).deep.equal([11, version])
    }
    // This node was the first, and counts anew.
    const { peer, link } = noted.open('there:1')
    noted.pass(60_000)
    noted.receive(peer, hello({ network_version: VERSION_BASE + 5 }))
    expect(link.messages).have.length(1)
    expect(link.messages[0]).include({ network_version: VERSION_BASE + 1, generation: 1 })
  })

  it('says what a connection is for: who connected chooses, and then who was connected to', () => {
    const type = (p2p_address: string, address = ''): string => {
      const node_id = new Uint8Array(32).fill(0xa0 + noted.stub.state.peers.size)
      return receive({ p2p_address, node_id }, address).peer.type
    }
    expect(type('there:1:trx - 9')).equal('trx')
    expect(type('there:1:blk - 9')).equal('blk')
    expect(type('there:1 - 9')).equal('')
    expect(type('there')).equal('')
    expect(type('there:1:trx - 9', 'there:1')).equal('trx')
    expect(type('there:1:trx - 9', 'there:1:blk')).equal('blk')
    expect(type('there:1 - 9', 'there:1:blk')).equal('blk')
    const { peer } = noted.open()
    peer.type = 'blk'
    noted.receive(peer, hello({ p2p_address: 'there:1 - 9', node_id: LOWER_ID }))
    expect(peer.type).equal('')
  })

  it('of a node whose key is not allowed is refused', () => {
    noted = new NotedNetwork({ allowed: { any: false, producers: false, specified: true } })
    for (const [generation, address, noticed] of [
      [1, '', ['mark 1 there:9876 - 9999999']],
      [2, '', []],
      [1, 'there:1', ['mark 3 there:9876 - 9999999']],
    ] as const) {
      const { peer, link } = receive({ generation }, address)
      expect(reasons(link)).deep.equal(['authentication'])
      expect([peer.is_authentic, link.messages.length]).deep.equal([false, 1])
      expect(noted.take()).deep.equal(noticed)
    }
  })
})
