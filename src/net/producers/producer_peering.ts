/**
 * Connections between block producers: to those that the operator named, and to those whose addresses
 * came by gossip, while they are scheduled.
 * spring: plugins/net_plugin/include/eosio/net_plugin/auto_bp_peering.hpp (bp_connection_manager)
 */
import { latin1FromBytes, utf8ToBytes } from '../../engine/protocol/hex.ts'
import { packBpPeerInfo } from '../../engine/protocol/net/codec.ts'
import { PROTOCOL, type BpPeer, type GossipBpPeers } from '../../engine/protocol/net/message.ts'
import { nameToString } from '../../engine/protocol/name.ts'
import { packOne } from '../../engine/protocol/writer.ts'
import { addressText, hostAndPort, splitAddress } from '../address.ts'
import type { GossipEndpoint } from '../network_options.ts'
import type { NetworkState } from '../network_state.ts'
import type { RemotePeer } from '../remote_peer.ts'
import { signWith } from '../signing.ts'
import type { SyncManager } from '../sync_manager.ts'
import {
  checkGossip,
  checkGreeting,
  gossipDigest,
  isGreeting,
  type GossipRules,
} from './check_gossip.ts'
import { GossipAddresses, type GossipAddress } from './gossip_addresses.ts'

/** The version of {@link BpPeer}. */
const VERSION = 1
const HOUR_SLOTS = 2 * 60 * 60
/** An address of this node expires after this, and is signed again half as long before. */
const EXPIRATION_SLOTS = HOUR_SLOTS
const RENEWAL_SLOTS = HOUR_SLOTS / 2
/** Addresses of other producers expire within this. */
const MAX_EXPIRATION_SLOTS = EXPIRATION_SLOTS + HOUR_SLOTS / 4

/** Makes and ends connections to producers. */
export interface ProducerConnections {
  /** Connects to an address, unless there is a connection to it. */
  connectToProducer(address: string): void
  /** Ends the connection to an address, unless the operator gave it. */
  disconnectProducer(address: string): void
}

/** A schedule of producers. */
export interface Schedule {
  version: number
  producers: readonly { producer_name: bigint }[]
}

/** Knows the scheduled producers, and keeps connections to those whose address it has. */
export class ProducerPeering {
  private readonly state: NetworkState
  private readonly sync: SyncManager
  private readonly connections: ProducerConnections
  private readonly addresses = new GossipAddresses()
  /** `host:port` of producers that the operator named. */
  private readonly configured: ReadonlySet<string>
  /** Addresses of this node. */
  private readonly own: ReadonlySet<string>
  /** The first message of this node; known when a key of its producers is. */
  private greeting: BpPeer | undefined
  private schedule: ReadonlySet<bigint> = new Set()
  private active_version = 0
  private pending_version = 0
  /** Scheduled producers whose address was known at the last change of the schedule. */
  private active: ReadonlySet<bigint> = new Set()
  private pending: ReadonlySet<bigint> = new Set()

  constructor(state: NetworkState, sync: SyncManager, connections: ProducerConnections) {
    this.state = state
    this.sync = sync
    this.connections = connections
    const { producer_addresses, gossip } = state.options
    this.configured = new Set([...producer_addresses.values()].map(hostAndPort))
    this.own = new Set([...gossip.values()].flat().map(({ server_endpoint }) => server_endpoint))
  }

  /** This node sends its address to other producers. */
  get gossips(): boolean {
    return this.state.options.gossip.size > 0
  }

  /** Connections of producers do not count as clients, so these are counted after their handshakes. */
  get enabled(): boolean {
    return this.gossips || this.state.options.producer_addresses.size > 0
  }

  /** The addresses that producers sent each other, in the order of names. */
  list(): GossipAddress[] {
    return this.addresses.list()
  }

  /** Notes that a peer is a producer that the operator named. @param address its own, or this node's for it */
  mark(peer: RemotePeer, address: string): void {
    const parts = splitAddress(address)
    if (parts && this.configured.has(hostAndPort(parts))) peer.producer = 'configured'
  }

  /** Whether a peer that sent its first handshake is refused because there are too many clients. */
  isOneTooMany(peer: RemotePeer): boolean {
    const { max_clients } = this.state.options
    if (!this.enabled || max_clients === 0 || !peer.is_client) return false
    let clients = 0
    for (const other of this.state.peers) if (other.is_client) clients += 1
    return clients > max_clients
  }

  /** Sends the first message to a peer. */
  greet(peer: RemotePeer): void {
    if (peer.protocol_version < PROTOCOL.gossip_bp_peers || this.greeting === undefined) return
    peer.send({ kind: 'gossip_bp_peers', peers: [this.greeting] })
  }

  /** Takes addresses of a peer. Returns false if no node sends such a message. */
  receive(peer: RemotePeer, { peers }: GossipBpPeers): boolean {
    if (!this.gossips) return true
    if (this.greeting === undefined) {
      peer.producer = 'unproven'
      return true
    }
    if (peers.length === 0) return false
    if (isGreeting(peers)) {
      const is_right = checkGreeting(peers[0]!, this.rules())
      if (is_right === true) {
        peer.producer = 'gossip'
        this.tell(peer)
      }
      return is_right !== undefined
    }
    const usable = checkGossip(peers, this.rules())
    if (usable === undefined) return false
    if (usable.length === 0) return true
    peer.producer = 'gossip'
    if (this.addresses.add(usable)) {
      this.connectToActive()
      this.tellAll()
    }
    return true
  }

  /** The schedules after a block. */
  scheduled(active: Schedule, pending: Schedule | undefined): void {
    if (!this.enabled || this.sync.syncing) return
    if (pending !== undefined) this.noteAnnounced(pending)
    if (active.version !== this.active_version) this.changeActive(active)
  }

  /** The registered keys of producers changed: this node signs its addresses anew. */
  keysChanged(): void {
    this.signOwn()
    this.connectToActive()
    this.tellAll()
  }

  /** Forgets what expired, and signs the addresses of this node again in time; late, if no block was made for long. */
  expire(): void {
    if (!this.gossips) return
    const { head_slot } = this.state.position()
    const { gossip } = this.state.options
    const soon = this.list().some(
      ({ producer_name, info }) =>
        gossip.has(producer_name) && info.expiration <= head_slot + RENEWAL_SLOTS,
    )
    this.addresses.expire(head_slot)
    if (!soon) return
    this.signOwn()
    this.tellAll()
  }

  private rules(): GossipRules {
    const { chain } = this.state
    const { head_slot } = this.state.position()
    return {
      chain_id: chain.chain_id,
      keyOf: (producer) => chain.peerKey(producer),
      isKnown: (address) => this.addresses.has(address),
      expires_after: head_slot,
      expires_before: head_slot + MAX_EXPIRATION_SLOTS,
    }
  }

  /** Producers of a coming schedule are connected to already. */
  private noteAnnounced({ version, producers }: Schedule): void {
    if (producers.length === 0) {
      this.pending = new Set()
      return
    }
    if (version === this.pending_version) return
    this.pending = this.reachable(namesOf(producers))
    this.pending_version = version
    this.connectTo(this.pending)
  }

  /** Connections to producers that are no longer scheduled end; all, if this node's are not. */
  private changeActive({ version, producers }: Schedule): void {
    const before = this.active
    const is_first = this.active_version === 0
    this.schedule = namesOf(producers)
    this.active = this.reachable(this.schedule)
    this.active_version = version
    if (is_first) this.connectTo(this.active)
    const dropped = new Set(
      [...before].filter((name) => !this.active.has(name) && !this.pending.has(name)),
    )
    const own = [...this.state.options.gossip.keys()]
    const all = own.length > 0 && own.every((name) => dropped.has(name))
    const ended = all
      ? this.list().map(({ info }) => info.server_endpoint)
      : this.addressesOf(dropped)
    for (const address of ended) this.connections.disconnectProducer(address)
  }

  private connectToActive(): void {
    this.active = this.reachable(this.schedule)
    this.connectTo(this.active)
  }

  private connectTo(producers: ReadonlySet<bigint>): void {
    for (const address of this.addressesOf(producers)) {
      if (!this.own.has(address)) this.connections.connectToProducer(address)
    }
  }

  /** Those of the producers whose address is known. */
  private reachable(producers: ReadonlySet<bigint>): Set<bigint> {
    const { producer_addresses } = this.state.options
    const known = new Set(this.list().map(({ producer_name }) => producer_name))
    return new Set([...producers].filter((name) => producer_addresses.has(name) || known.has(name)))
  }

  private addressesOf(producers: ReadonlySet<bigint>): Set<string> {
    const named = [...this.state.options.producer_addresses].filter(([name]) => producers.has(name))
    return new Set([
      ...named.map(([, address]) => addressText(address)),
      ...this.addresses.of(producers).map(({ info }) => info.server_endpoint),
    ])
  }

  /** Gives all addresses to the producers that proved their key, and greets the others. */
  private tellAll(): void {
    for (const peer of this.state.peers) {
      if (!peer.is_open || peer.protocol_version < PROTOCOL.gossip_bp_peers) continue
      if (peer.producer === 'gossip') this.tell(peer)
      else if (peer.producer !== 'none') this.greet(peer)
    }
  }

  private tell(peer: RemotePeer): void {
    peer.send({ kind: 'gossip_bp_peers', peers: this.addresses.messages() })
  }

  private signOwn(): void {
    const expiration = this.state.position().head_slot + EXPIRATION_SLOTS
    let greeting: BpPeer | undefined
    for (const [producer_name, endpoints] of this.state.options.gossip) {
      const key = this.state.chain.peerKey(producer_name)
      const name = nameToString(producer_name)
      if (key === undefined) {
        this.state.log('warn', `no key for peers is registered for the producer ${name}`)
        continue
      }
      const empty = this.sign(producer_name, key, new Uint8Array(0))
      if (empty === undefined) {
        this.state.log(
          'error',
          `this node does not have the private key for peers of the producer ${name}`,
        )
        continue
      }
      greeting ??= empty
      for (const endpoint of endpoints) {
        const info = infoOf(endpoint, expiration)
        const signed = this.sign(producer_name, key, packOne(packBpPeerInfo, info))!
        this.addresses.set({ ...signed, info })
      }
    }
    this.greeting = greeting ?? this.greeting
  }

  private sign(
    producer_name: bigint,
    key: Uint8Array,
    bp_peer_info: Uint8Array,
  ): BpPeer | undefined {
    const peer = { version: VERSION, producer_name, bp_peer_info }
    const sig = signWith(this.state, key, gossipDigest(this.state.chain.chain_id, peer))
    return sig && { ...peer, sig }
  }
}

/** Texts of messages hold one byte in each character. */
function infoOf(endpoint: GossipEndpoint, expiration: number): GossipAddress['info'] {
  const bytes = (text: string): string => latin1FromBytes(utf8ToBytes(text))
  return {
    server_endpoint: bytes(endpoint.server_endpoint),
    outbound_ip_address: bytes(endpoint.outbound_ip_address),
    expiration,
  }
}

function namesOf(producers: Schedule['producers']): Set<bigint> {
  return new Set(producers.map(({ producer_name }) => producer_name))
}
