/** Connections between block producers, and the addresses that they tell each other. */
import { expect } from 'chai'
import { publicKeyOf, signDigest } from '../../src/engine/crypto/keys.ts'
import { toHex } from '../../src/engine/protocol/hex.ts'
import { N } from '../../src/engine/protocol/name.ts'
import { packBpPeerInfo, unpackBpPeerInfo } from '../../src/engine/protocol/net/codec.ts'
import type { BpPeer, BpPeerInfo } from '../../src/engine/protocol/net/message.ts'
import { Reader } from '../../src/engine/protocol/reader.ts'
import { packOne } from '../../src/engine/protocol/writer.ts'
import type { NetworkOptions } from '../../src/net/network_options.ts'
import { gossipDigest } from '../../src/net/producers/check_gossip.ts'
import { secretOf } from '../engine/chain/support/test_chain.ts'
import { CHAIN_ID, FakeChain, FakeNetwork, brief, type FakeLink } from './support/fake_peers.ts'

const HOUR_SLOTS = 7200
const HOUR_US = 3_600_000_000
const NAMES = ['proda', 'prodb', 'prodc']
const id = (byte: number) => new Uint8Array(32).fill(byte)
const secret = (name: string) => secretOf(NAMES.indexOf(name) + 1)

/** What a producer signs and sends. */
function signed(name: string, info?: Partial<BpPeerInfo>, by = name): BpPeer {
  const full = { server_endpoint: `${name}:9876`, outbound_ip_address: '10.0.0.1', expiration: 0 }
  const peer = {
    version: 1,
    producer_name: N(name),
    bp_peer_info: info ? packOne(packBpPeerInfo, { ...full, ...info }) : new Uint8Array(0),
  }
  return { ...peer, sig: signDigest(secret(by), gossipDigest(CHAIN_ID, peer)) }
}

describe('block producers as peers', () => {
  let chain: FakeChain
  let fake: FakeNetwork
  /** Addresses of producers that this node is connected to. */
  let connected: string[]

  function start(options: Partial<NetworkOptions> = {}): void {
    chain = new FakeChain(100)
    fake = new FakeNetwork(chain, options)
    connected = []
    const { connections } = fake.network
    connections.connectToProducer = (address) => {
      if (!connected.includes(address)) connected.push(address)
    }
    connections.disconnectProducer = (address) => {
      connected = connected.filter((other) => other !== address)
    }
  }

  /** This node gossips for proda, whose key it has. */
  function gossips(options: Partial<NetworkOptions> = {}): void {
    const own = { server_endpoint: 'proda:9876', outbound_ip_address: '10.0.0.9' }
    start({ gossip: new Map([[N('proda'), [own]]]), ...options })
    for (const name of NAMES) chain.peer_keys.set(N(name), publicKeyOf(secret(name)))
    chain.secrets.set(toHex(publicKeyOf(secret('proda'))), secret('proda'))
    fake.network.producerKeysChanged()
  }

  function scheduled(
    version: number,
    names: string[],
    pending?: { version: number; names: string[] },
  ) {
    const of = (list: string[]) => list.map((name) => ({ producer_name: N(name) }))
    fake.network.scheduled(
      { version, producers: of(names) },
      pending && { version: pending.version, producers: of(pending.names) },
    )
  }

  function peer(fields: Parameters<FakeNetwork['handshake']>[0] = {}, address = ''): FakeLink {
    const link = fake.peer({ address })
    fake.receive(link, fake.handshake({ node_id: id(0x60 + fake.links.length), ...fields }))
    return link
  }

  const gossip = (link: FakeLink, ...peers: BpPeer[]) =>
    fake.receive(link, { kind: 'gossip_bp_peers', peers })

  /** The producers in the gossip that was sent to a peer since the last call; `greeting` for one alone. */
  function told(link: FakeLink): string[] {
    return link.take().flatMap((message) => {
      if (message.kind !== 'gossip_bp_peers') return []
      const { peers } = message
      if (peers[0]?.bp_peer_info.length === 0) return ['greeting']
      return [
        peers.map(({ producer_name }) => NAMES.find((name) => N(name) === producer_name)).join(),
      ]
    })
  }

  const soon = () => chain.position().head_slot + HOUR_SLOTS
  const known = () =>
    fake.network.producers.list().map(({ info }) => `${info.server_endpoint} ${info.expiration}`)

  it('a producer that the operator named is connected to while it is scheduled', () => {
    const address = (name: string) => ({ host: name, port: '9876', type: 'blk' as const })
    start({ producer_addresses: new Map(NAMES.map((name) => [N(name), address(name)])) })
    scheduled(1, ['proda', 'other'])
    expect(connected).deep.equal(['proda:9876'])
    scheduled(1, ['proda', 'other'], { version: 2, names: ['prodb'] })
    expect(connected).deep.equal(['proda:9876', 'prodb:9876'])
    scheduled(2, ['prodb'])
    expect(connected).deep.equal(['prodb:9876'])
    const named = peer({ p2p_address: 'prodb:9876 - 1234567' })
    expect(named.peer.producer).equal('configured')
    expect(peer().peer.producer).equal('none')
    expect(told(named)).deep.equal([])
  })

  it('nothing is done about producers while blocks are missing here', () => {
    start({ producer_addresses: new Map([[N('proda'), { host: 'a', port: '1', type: '' }]]) })
    const link = peer({ root: 140, head: 140 })
    fake.receive(link, {
      kind: 'notice',
      known_trx: { mode: 'last_irr_catch_up', pending: 140, ids: [] },
      known_blocks: { mode: 'last_irr_catch_up', pending: 140, ids: [chain.ids[139]!] },
    })
    expect(fake.network.sync.syncing).equal(true)
    scheduled(1, ['proda'])
    expect(connected).deep.equal([])
  })

  it('clients are counted after their handshakes, because producers are none', () => {
    start({
      max_clients: 1,
      producer_addresses: new Map([[N('proda'), { host: 'proda', port: '9876', type: '' }]]),
    })
    const links = [peer(), peer({ p2p_address: 'proda:9876 - 1234567' }), peer()]
    expect(links.map(({ is_closed }) => is_closed)).deep.equal([false, false, true])
  })

  it('a greeting is answered by all addresses, and new ones are told to every producer', () => {
    gossips()
    const [a, b] = [peer(), peer()]
    const old = peer({ network_version: 0x04b5 + 10 })
    const stranger = peer()
    expect([a, b, old, stranger].map(told)).deep.equal([
      ['greeting'],
      ['greeting'],
      [],
      ['greeting'],
    ])
    gossip(a, signed('prodb'))
    gossip(b, signed('prodc'))
    expect([a, b].map(told)).deep.equal([['proda'], ['proda']])
    scheduled(1, ['proda', 'prodb'])
    gossip(a, signed('prodb', { expiration: soon() }))
    expect([a, b, old, stranger].map(told)).deep.equal([['proda,prodb'], ['proda,prodb'], [], []])
    // Its own address is none to connect to.
    expect(connected).deep.equal(['prodb:9876'])
    // The same again is nothing new.
    gossip(a, signed('prodb', { expiration: soon() }))
    expect([a, b].map(told)).deep.equal([[], []])
    expect(a.peer.producer).equal('gossip')
    expect(stranger.peer.producer).equal('none')
    scheduled(2, ['proda', 'prodc'])
    expect(connected).deep.equal([])
  })

  it('a greeting is sent before the handshake that answers one', () => {
    gossips()
    expect(peer().take().map(brief)).deep.equal(['gossip_bp_peers', 'handshake'])
  })

  it('if this node leaves the schedule, all connections by gossip end', () => {
    gossips()
    const link = peer()
    gossip(link, signed('prodb', { expiration: soon() }))
    scheduled(1, ['proda', 'prodb'])
    expect(connected).deep.equal(['prodb:9876'])
    scheduled(2, ['prodb', 'prodc'])
    expect(connected).deep.equal([])
  })

  it('addresses that no registered key signed, or that expire too early or late are left out', () => {
    gossips()
    const link = peer()
    const before = known()
    chain.peer_keys.delete(N('prodc'))
    gossip(link, signed('prodb', { expiration: soon() }, 'prodc'))
    gossip(link, signed('prodc', { expiration: soon() }))
    gossip(link, signed('prodb', { expiration: soon() - HOUR_SLOTS }))
    gossip(link, signed('prodb', { expiration: soon() + HOUR_SLOTS / 4 }))
    gossip(link, signed('prodb', undefined, 'prodc'))
    expect(known()).deep.equal(before)
    expect([link.is_closed, link.peer.producer]).deep.equal([false, 'none'])
    gossip(link, signed('prodb', { expiration: soon() + HOUR_SLOTS / 4 - 1 }))
    expect(known()).have.length(before.length + 1)
    // A known address with other contents is verified again.
    const forged = {
      ...signed('prodb', { expiration: soon() + 5 }),
      sig: fake.network.producers.list()[1]!.sig,
    }
    gossip(link, forged)
    expect(known()[1]).equal(`prodb:9876 ${soon() + HOUR_SLOTS / 4 - 1}`)
  })

  it('messages that no node sends end the connection', () => {
    gossips()
    const good = signed('prodb', { expiration: soon() })
    const many = Array.from({ length: 10 }, (_, i) =>
      signed('prodb', { server_endpoint: `b:${i + 1}`, expiration: soon() }),
    )
    const forged = Array.from({ length: 17 }, (_, i) => {
      chain.peer_keys.set(BigInt(i + 1), publicKeyOf(secret('prodb')))
      return { ...good, producer_name: BigInt(i + 1) }
    })
    const wrong: Record<string, BpPeer[]> = {
      nothing: [],
      'no address': [signed('prodb', { server_endpoint: 'prodb', expiration: soon() })],
      'an address with a type': [
        signed('prodb', { server_endpoint: 'b:1:trx', expiration: soon() }),
      ],
      'a long IP address': [
        signed('prodb', { outbound_ip_address: '1'.repeat(400), expiration: soon() }),
      ],
      'large contents': [{ ...good, bp_peer_info: new Uint8Array(1025).fill(65) }],
      'cut contents': [good, { ...good, bp_peer_info: good.bp_peer_info.subarray(0, 5) }],
      'the same address twice': [good, good],
      'wrong order': [signed('prodc', { expiration: soon() }), good],
      'too many addresses of one': many,
      'no name': [{ ...good, producer_name: 0n }],
      'no signature': [{ ...good, sig: new Uint8Array(66) }],
      WebAuthn: [{ ...good, sig: good.sig.with(0, 2) }],
      'many wrong signatures': forged,
    }
    for (const [what, peers] of Object.entries(wrong)) {
      const link = peer()
      link.take()
      const is_right = fake.network.producers.receive(link.peer, { kind: 'gossip_bp_peers', peers })
      expect(is_right, what).equal(false)
      expect(known(), what).have.length(1)
    }
    const link = peer()
    gossip(link, good, good)
    expect(link.take().map(brief)).include('go_away fatal_other')
    expect(link.is_closed).equal(true)
  })

  it('a producer has eight addresses at most; the one that expires first gives way', () => {
    gossips()
    const link = peer()
    for (let i = 1; i <= 9; i++) {
      gossip(link, signed('prodb', { server_endpoint: `b:${i}`, expiration: soon() - i }))
    }
    const ports = fake.network.producers.list().map(({ info }) => info.server_endpoint)
    expect(ports).deep.equal(['proda:9876', ...[1, 2, 3, 4, 5, 6, 7, 9].map((i) => `b:${i}`)])
  })

  it('what expired is forgotten, and the own address is signed again in time', () => {
    gossips()
    const link = peer()
    gossip(link, signed('prodb', { expiration: soon() - HOUR_SLOTS + 60 }))
    link.take()
    const timeOf = chain.timeOf.bind(chain)
    let passed_us = 0
    chain.timeOf = (num) => timeOf(num) + passed_us
    const [first] = known()
    passed_us = HOUR_US / 4
    fake.network.producers.expire()
    expect(known()).deep.equal([first])
    expect(told(link)).deep.equal([])
    passed_us = HOUR_US / 2 + 1_000_000
    fake.network.producers.expire()
    expect(known()).have.length(1)
    expect(known()).not.include(first)
    expect(told(link)).deep.equal(['proda'])
  })

  it('the own address is signed again also if no block was made until it had expired', () => {
    gossips()
    const link = peer()
    gossip(link, signed('prodb'))
    link.take()
    const timeOf = chain.timeOf.bind(chain)
    chain.timeOf = (num) => timeOf(num) + 2 * HOUR_US
    fake.network.producers.expire()
    expect(known()).deep.equal([`proda:9876 ${soon()}`])
    expect(told(link)).deep.equal(['proda'])
  })

  it('a producer whose IP address changed is told with its new one alone, because peers refuse both', () => {
    gossips()
    const link = peer()
    for (const [ip, later] of [
      ['10.0.0.8', 1],
      ['10.0.0.7', 2],
      ['10.0.0.9', 0],
    ] as const) {
      const expiration = soon() + later
      gossip(link, signed('prodb', { outbound_ip_address: ip, expiration }))
    }
    expect(known()).have.length(4)
    const [last] = link.take().slice(-1)
    if (last?.kind !== 'gossip_bp_peers') return expect.fail('nothing was told')
    const infos = last.peers.map(({ bp_peer_info }) => unpackBpPeerInfo(new Reader(bp_peer_info)))
    expect(infos.map(({ outbound_ip_address }) => outbound_ip_address)).deep.equal([
      '10.0.0.9',
      '10.0.0.7',
    ])
    const other = peer()
    expect(fake.network.producers.receive(other.peer, last)).equal(true)
  })

  it('before the keys of producers are known nothing is sent; peers that sent addresses get those of this node later', () => {
    gossips()
    const { peer_keys } = chain
    const all = new Map(peer_keys)
    const own = { server_endpoint: 'proda:9876', outbound_ip_address: '10.0.0.9' }
    start({ gossip: new Map([[N('proda'), [own]]]) })
    const [early, silent] = [peer(), peer()]
    expect([early, silent].map(told)).deep.equal([[], []])
    gossip(early, signed('prodb'))
    expect(early.peer.producer).equal('unproven')
    // Without the private key nothing can be signed.
    for (const [name, key] of all) chain.peer_keys.set(name, key)
    fake.network.producerKeysChanged()
    expect(
      fake.log.some((line) =>
        line.includes('not have the private key for peers of the producer proda'),
      ),
    ).equal(true)
    chain.secrets.set(toHex(publicKeyOf(secret('proda'))), secret('proda'))
    fake.network.producerKeysChanged()
    expect([early, silent].map(told)).deep.equal([['greeting'], []])
  })
})
