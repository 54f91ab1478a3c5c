/** Which producers are connected to, and which addresses are taken from them, at the bounds. */
import { expect } from 'chai'
import { publicKeyOf, signDigest } from '../../src/engine/crypto/keys.ts'
import { toHex } from '../../src/engine/protocol/hex.ts'
import { packBpPeerInfo } from '../../src/engine/protocol/net/codec.ts'
import type { BpPeer, BpPeerInfo } from '../../src/engine/protocol/net/message.ts'
import { packOne } from '../../src/engine/protocol/writer.ts'
import type { NetworkOptions } from '../../src/net/network_options.ts'
import {
  checkGossip,
  gossipDigest,
  isGreeting,
  type GossipRules,
} from '../../src/net/producers/check_gossip.ts'
import { ProducerPeering, type Schedule } from '../../src/net/producers/producer_peering.ts'
import type { SyncManager } from '../../src/net/sync_manager.ts'
import { secretOf } from '../engine/chain/support/test_chain.ts'
import { StubNetwork, type StubPeer } from './support/stub_peer.ts'

const SECRET = secretOf(1)
const KEY = publicKeyOf(SECRET)
const HOUR_SLOTS = 7200
/** Slots. */
const HEAD = 1_000_000

describe('the connections of producers', () => {
  let stub: StubNetwork
  let peering: ProducerPeering
  let sync: { syncing: boolean }
  let done: string[]

  const address = (name: number) => ({ host: `p${name}`, port: '1', type: '' as const })
  const named = (...names: number[]) => new Map(names.map((name) => [BigInt(name), address(name)]))
  const own = (...names: number[]) =>
    new Map(
      names.map((name) => {
        const endpoint = { server_endpoint: `own${name}:1`, outbound_ip_address: '10.0.0.1' }
        return [BigInt(name), [endpoint]]
      }),
    )

  function start(options: Partial<NetworkOptions>): void {
    stub = new StubNetwork(options)
    stub.chain.head = HEAD
    Object.assign(stub.chain, {
      peerKey: () => KEY,
      signAs: (_key: Uint8Array, digest: Uint8Array) => signDigest(SECRET, digest),
    })
    sync = { syncing: false }
    done = []
    peering = new ProducerPeering(stub.state, sync as SyncManager, {
      connectToProducer: (to) => void done.push(to),
      disconnectProducer: (to) => void done.push(`no ${to}`),
    })
  }

  const schedule = (version: number, ...names: number[]): Schedule => ({
    version,
    producers: names.map((name) => ({ producer_name: BigInt(name) })),
  })

  function scheduled(active: Schedule, pending?: Schedule): string[] {
    peering.scheduled(active, pending)
    return done.splice(0)
  }

  it('are made once for the first schedule, then for those that are announced', () => {
    start({ producer_addresses: named(1, 2, 3) })
    expect(scheduled(schedule(1, 1))).deep.equal(['p1:1'])
    expect(scheduled(schedule(1, 1))).deep.equal([])
    expect(scheduled(schedule(1, 1), schedule(2, 1, 2))).deep.equal(['p1:1', 'p2:1'])
    expect(scheduled(schedule(1, 1), schedule(2, 1, 2))).deep.equal([])
    // The schedule itself makes none.
    expect(scheduled(schedule(2, 1, 2, 3))).deep.equal([])
  })

  it('end with the schedule, unless the next one has the producer', () => {
    start({ producer_addresses: named(1, 2, 3) })
    scheduled(schedule(1, 1, 2))
    expect(scheduled(schedule(2, 2), schedule(3, 1))).deep.equal(['p1:1'])
    expect(scheduled(schedule(3, 3))).deep.equal(['no p2:1'])
    // The announced schedule became none.
    scheduled(schedule(4, 1))
    scheduled(schedule(4, 1), schedule(5))
    expect(scheduled(schedule(5, 2))).deep.equal(['no p1:1'])
  })

  it('are left alone while blocks are missing, or if there is none to know', () => {
    start({ producer_addresses: named(1) })
    sync.syncing = true
    expect(scheduled(schedule(1, 1))).deep.equal([])
    sync.syncing = false
    expect(scheduled(schedule(1, 1))).deep.equal(['p1:1'])
    start({})
    expect([peering.enabled, peering.gossips, scheduled(schedule(1, 1))]).deep.equal([
      false,
      false,
      [],
    ])
    start({ gossip: own(1) })
    expect([peering.enabled, peering.gossips]).deep.equal([true, true])
  })

  it('all end when all producers of this node left the schedule', () => {
    start({ gossip: own(1, 2), producer_addresses: named(3) })
    peering.keysChanged()
    scheduled(schedule(1, 1, 2, 3))
    expect(scheduled(schedule(2, 1))).deep.equal(['no p3:1', 'no own2:1'])
    scheduled(schedule(3, 1))
    expect(scheduled(schedule(4, 9)).toSorted()).deep.equal(['no own1:1'])
    start({ gossip: own(1, 2) })
    peering.keysChanged()
    scheduled(schedule(1, 1, 2))
    expect(scheduled(schedule(2, 9)).toSorted()).deep.equal(['no own1:1', 'no own2:1'])
  })

  it('do not count as clients, of whom one is too many', () => {
    const isOneTooMany = (options: Partial<NetworkOptions>, clients: number, is_client = true) => {
      start(options)
      for (let i = 1; i < clients; i++) stub.peer().is_client = true
      stub.peer()
      const peer = stub.peer()
      peer.is_client = is_client
      return peering.isOneTooMany(peer)
    }
    const options = { producer_addresses: named(1), max_clients: 2 }
    expect(isOneTooMany(options, 2)).equal(false)
    expect(isOneTooMany(options, 3)).equal(true)
    expect(isOneTooMany(options, 3, false)).equal(false)
    expect(isOneTooMany({ ...options, max_clients: 0 }, 3)).equal(false)
    expect(isOneTooMany({ max_clients: 2 }, 3)).equal(false)
  })

  describe('tell the addresses of this node', () => {
    const kinds = (peer: StubPeer) => peer.takeMessages().map(({ kind }) => kind)

    beforeEach(() => start({ gossip: own(1) }))

    it('half an hour before they expire', () => {
      peering.keysChanged()
      const expiration = () => peering.list().map(({ info }) => info.expiration)
      expect(expiration()).deep.equal([HEAD + HOUR_SLOTS])
      stub.chain.head = HEAD + HOUR_SLOTS / 2 - 1
      peering.expire()
      expect(expiration()).deep.equal([HEAD + HOUR_SLOTS])
      stub.chain.head += 1
      peering.expire()
      expect(expiration()).deep.equal([stub.chain.head + HOUR_SLOTS])
    })

    it('to producers that are connected and understand them', () => {
      const told = (fields: Partial<StubPeer>): string[] => {
        const peer = Object.assign(stub.peer(), fields)
        peering.keysChanged()
        stub.state.peers.delete(peer)
        return kinds(peer)
      }
      const gossip = ['gossip_bp_peers']
      const producer = 'gossip' as never
      expect(told({ producer })).deep.equal(gossip)
      expect(told({ producer: 'unproven' as never })).deep.equal(gossip)
      expect(told({})).deep.equal([])
      expect(told({ producer, is_open: false })).deep.equal([])
      expect(told({ producer, protocol_version: 10 })).deep.equal([])
    })

    it('not without a key for peers, which the log says', () => {
      Object.assign(stub.chain, { peerKey: () => undefined })
      const peer = stub.peer()
      peering.keysChanged()
      peering.greet(peer)
      expect([peering.list(), kinds(peer)]).deep.equal([[], []])
      expect(stub.lines).deep.equal([
        'warn no key for peers is registered for the producer ............1',
      ])
    })
  })
})

describe('addresses of producers', () => {
  const CHAIN_ID = new Uint8Array(32).fill(0xc1)
  const rules: GossipRules = {
    chain_id: CHAIN_ID,
    keyOf: () => KEY,
    isKnown: () => false,
    expires_after: 100,
    expires_before: 200,
  }

  function signed(name: number, info: Partial<BpPeerInfo> = {}, secret = SECRET): BpPeer {
    const full = { server_endpoint: 'p:1', outbound_ip_address: '10.0.0.1', expiration: 150 }
    const bp_peer_info = packOne(packBpPeerInfo, { ...full, ...info })
    const peer = { version: 1, producer_name: BigInt(name), bp_peer_info }
    return { ...peer, sig: signDigest(secret, gossipDigest(CHAIN_ID, peer)) }
  }

  /** How many of them may be used; undefined: no node sends such a message. */
  const usable = (peers: BpPeer[], given: Partial<GossipRules> = {}): number | undefined =>
    checkGossip(peers, { ...rules, ...given })?.length

  it('are signed for one chain', () => {
    const peer = { version: 1, producer_name: 5n, bp_peer_info: new Uint8Array(0) }
    const digest = gossipDigest(CHAIN_ID, peer)
    expect(toHex(gossipDigest(new Uint8Array(32), peer))).not.equal(toHex(digest))
    expect(usable([signed(1)])).equal(1)
    expect(usable([signed(1)], { chain_id: new Uint8Array(32) })).equal(0)
  })

  it('expire between two times', () => {
    const at = (expiration: number) => usable([signed(1, { expiration })])
    expect([100, 101, 199, 200].map(at)).deep.equal([0, 1, 1, 0])
    expect(usable([signed(1, { expiration: 50 })], { isKnown: () => true })).equal(1)
  })

  it('are at most nine of a producer in a message, in the order of names, unlike those before', () => {
    const many = (count: number, name = 1) =>
      Array.from({ length: count }, (_, i) => signed(name, { server_endpoint: `p:${i + 1}` }))
    expect(usable(many(9))).equal(9)
    expect(usable(many(10))).equal(undefined)
    expect(usable([...many(9), ...many(9, 2)])).equal(18)
    expect(usable([signed(2), signed(1)])).equal(undefined)
    expect(usable([signed(1), signed(1)])).equal(undefined)
    expect(usable([signed(1), signed(2)])).equal(2)
  })

  it('have sixteen wrong signatures in a message at most, and known ones are not verified', () => {
    const wrong = (count: number) =>
      Array.from({ length: count }, (_, i) => signed(i + 1, {}, secretOf(2)))
    expect(usable(wrong(16))).equal(0)
    expect(usable([...wrong(16), signed(99)])).equal(1)
    expect(usable(wrong(17))).equal(undefined)
    expect(usable(wrong(17), { isKnown: () => true })).equal(17)
    expect(usable([signed(1)], { keyOf: () => undefined })).equal(0)
  })

  it('have contents of a bounded size, an address and no type', () => {
    const sized = (length: number) => {
      const peer = signed(1)
      const bp_peer_info = new Uint8Array(length)
      bp_peer_info.set(peer.bp_peer_info)
      const unsigned = { ...peer, bp_peer_info }
      return { ...peer, bp_peer_info, sig: signDigest(SECRET, gossipDigest(CHAIN_ID, unsigned)) }
    }
    expect([1024, 1025].map((length) => usable([sized(length)]))).deep.equal([1, undefined])
    const ip = (length: number) => signed(1, { outbound_ip_address: '1'.repeat(length) })
    expect([289, 290].map((length) => usable([ip(length)]))).deep.equal([1, undefined])
    expect(usable([signed(0)])).equal(undefined)
    for (const server_endpoint of ['p', 'p:1:blk']) {
      expect(usable([signed(1, { server_endpoint })])).equal(undefined)
    }
    const webauthn = Uint8Array.of(2, ...new Uint8Array(65), 0, 0)
    expect(usable([{ ...signed(1), sig: webauthn }])).equal(undefined)
  })

  it('alone and empty are a greeting', () => {
    const empty = { ...signed(1), bp_peer_info: new Uint8Array(0) }
    expect(isGreeting([empty])).equal(true)
    expect(isGreeting([empty, empty])).equal(false)
    expect(isGreeting([signed(1)])).equal(false)
    expect(isGreeting([])).equal(false)
  })
})
