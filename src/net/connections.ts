/**
 * All connections: those that this node makes and keeps, and those of other nodes.
 * spring: plugins/net_plugin/net_plugin.cpp (connections_manager, create_session)
 */
import type { Socket } from 'node:net'
import { hostAndPort, splitAddress } from './address.ts'
import { Connection, remoteAddress } from './connection.ts'
import { EXPIRE_US, type ListenerOptions } from './network_options.ts'
import type { Network } from './network_parts.ts'

/** A connection that ended and is wanted is tried again after this. */
const RECONNECT_US = 100_000
/** Most connections of nodes that sent no handshake yet, where clients are counted after it. */
const MAX_STRANGERS = 100
/** What the API answers about a text that is not an address. */
const INVALID = 'invalid peer address'

/** Keeps the connections of the node. */
export class Connections {
  private readonly network: Network
  private readonly all = new Map<number, Connection>()
  /** Addresses of peers that the operator gave. */
  private readonly supplied: Set<string>
  private readonly cancels = new Map<string, () => void>()
  private last_id = 0
  private is_stopped = false

  constructor(network: Network) {
    this.network = network
    this.supplied = new Set(network.state.options.peers)
  }

  /** Connects to the peers that the operator gave. */
  start(): void {
    for (const address of this.supplied) this.connectTo(address)
    if (this.network.producers.enabled) this.lookAfter()
  }

  /** Looks after the connections from now on; a node without any has no alarms. */
  private lookAfter(): void {
    const { keepalive_us, connection_cleanup_us } = this.network.state.options
    if (this.cancels.has('heartbeat')) return
    this.every('heartbeat', keepalive_us, () => {
      for (const { peer } of this.all.values()) if (peer.is_open) peer.heartbeat()
    })
    this.every('expire', EXPIRE_US, () => {
      this.network.dispatcher.expire()
      this.network.producers.expire()
    })
    this.every('monitor', connection_cleanup_us, () => {
      this.logCounts()
      this.monitor()
    })
  }

  /** Ends all connections. */
  stop(): void {
    this.is_stopped = true
    for (const cancel of this.cancels.values()) cancel()
    for (const connection of this.all.values()) connection.close(false)
    this.all.clear()
  }

  /** All connections, in the order in which they were made. */
  *[Symbol.iterator](): Generator<Connection> {
    yield* this.all.values()
  }

  /** Connects to a peer, now and whenever the connection ended. Returns what the API answers. */
  connect(address: string): string {
    const answer = this.connectTo(address)
    // Only an address is kept: a request may have any text.
    if (answer !== INVALID) this.supplied.add(address)
    return answer
  }

  /** Ends the connection to a peer, and does not make it again. Returns what the API answers. */
  disconnect(address: string): string {
    const connection = this.find(address)
    if (connection === undefined) return 'no known connection for host'
    this.end(connection)
    this.supplied.delete(address)
    return 'connection removed'
  }

  private end(connection: Connection): void {
    this.network.state.tasks.run(() => connection.close(false))
    this.remove(connection)
  }

  /** Connects to a producer, until {@link disconnectProducer}. */
  connectToProducer(address: string): void {
    this.connectTo(address)
  }

  /** Ends the connection to a producer, unless the operator gave its address. */
  disconnectProducer(address: string): void {
    const connection = this.supplied.has(address) ? undefined : this.find(address)
    if (connection !== undefined) this.end(connection)
  }

  /** The connection that this node makes to an address; with an empty one a connection of another node. */
  find(address: string): Connection | undefined {
    for (const connection of this.all.values()) {
      if (connection.peer.settings.address === address) return connection
    }
    return undefined
  }

  /** Takes a connection of another node, or closes it if there are too many. */
  accept(socket: Socket, { address, public_address }: ListenerOptions): void {
    const { state } = this.network
    const { max_clients, max_nodes_per_host } = state.options
    const ip = remoteAddress(socket)
    let clients = 0
    let strangers = 0
    let same_host = 0
    for (const { peer, remote_ip } of this.all.values()) {
      if (!peer.is_open || !peer.is_incoming) continue
      clients += 1
      if (peer.last_handshake === undefined) strangers += 1
      if (remote_ip === ip) same_host += 1
    }
    // Which clients are producers is known after their handshakes.
    const { enabled: counts_later } = this.network.producers
    const too_many = counts_later ? strangers >= MAX_STRANGERS : clients >= max_clients
    const is_full = max_clients > 0 && too_many
    if (this.is_stopped || is_full || same_host >= max_nodes_per_host) {
      state.log('debug', `a connection of ${ip} is closed: there are too many`)
      socket.on('error', () => socket.destroy())
      socket.destroy()
      return
    }
    const is_supplied = [...this.supplied].some((peer) => splitAddress(peer)?.host === ip)
    const connection = this.add('', public_address, is_supplied ? 0 : address.rate_limit)
    connection.peer.name = connection.peer.host = ip
    connection.accept(socket)
  }

  private connectTo(address: string): string {
    if (splitAddress(address) === undefined) return INVALID
    if (this.find(address) !== undefined) return 'already connected'
    const [first] = this.network.state.options.listeners
    const own = first && splitAddress(first.public_address)
    this.add(address, own === undefined ? ':' : hostAndPort(own), 0).connect()
    return 'added connection'
  }

  private add(address: string, listen_address: string, rate_limit: number): Connection {
    const settings = { id: ++this.last_id, address, listen_address, rate_limit }
    const connection = new Connection(this.network, settings, (ended, reconnect) => {
      if (ended.peer.is_incoming) this.remove(ended)
      else if (reconnect) this.after('reconnect', RECONNECT_US, () => this.monitor())
    })
    this.all.set(connection.peer.id, connection)
    this.network.state.peers.add(connection.peer)
    this.lookAfter()
    return connection
  }

  private remove({ peer }: Connection): void {
    this.all.delete(peer.id)
    this.network.state.peers.delete(peer)
  }

  /** Says how many connections there are, in the words of the reference, if there are any. */
  private logCounts(): void {
    let clients = 0
    let peers = 0
    let producers = 0
    for (const { peer } of this.all.values()) {
      if (!peer.is_open && peer.state !== 'connecting') continue
      if (peer.producer !== 'none') producers += 1
      else if (peer.is_incoming) clients += 1
      else peers += 1
    }
    if (clients === 0 && peers === 0) return
    const { log, options } = this.network.state
    log(
      'info',
      `p2p client connections: ${clients}/${options.max_clients}, ` +
        `peer connections: ${peers}/${this.supplied.size}, block producer peers: ${producers}`,
    )
  }

  /** Makes connections again that ended. */
  private monitor(): void {
    for (const connection of this.all.values()) {
      const { peer } = connection
      if (peer.is_incoming || peer.is_open || peer.state === 'connecting') continue
      if (!connection.connect()) {
        peer.log('info', `will not be connected to again: ${peer.no_retry}`)
        this.remove(connection)
      }
    }
  }

  private every(name: string, interval_us: number, work: () => void): void {
    this.after(name, interval_us, () => {
      work()
      this.every(name, interval_us, work)
    })
  }

  private after(name: string, delay_us: number, work: () => void): void {
    const { clock, tasks } = this.network.state
    this.cancels.get(name)?.()
    if (this.is_stopped) return
    this.cancels.set(
      name,
      clock.wakeAt(clock.now() + delay_us, () => tasks.run(work)),
    )
  }
}
