/** Settings of the network, and the times and sizes that no option sets. */
import type { PrivateKey } from '../engine/crypto/private_key.ts'
import type { ListenAddress, PeerAddress } from './address.ts'

/** Who may connect; several may be combined. spring: possible_connections */
export interface AllowedConnections {
  any: boolean
  producers: boolean
  specified: boolean
}

/** An address on which the node listens. */
export interface ListenerOptions {
  /** As the user gave it. */
  text: string
  address: ListenAddress
  /** The address that handshakes name. */
  public_address: string
}

/** An address of this node that it sends to other producers. */
export interface GossipEndpoint {
  /** `host:port` at which it listens. */
  server_endpoint: string
  /** The IP address from which it connects. */
  outbound_ip_address: string
}

/** The settings of the network. */
export interface NetworkOptions {
  listeners: readonly ListenerOptions[]
  /** Addresses of peers as the user gave them. */
  peers: readonly string[]
  /** Producers that this node connects to while they are scheduled. */
  producer_addresses: ReadonlyMap<bigint, PeerAddress>
  /** What this node sends to other producers, by its own producers; empty: it takes no part. */
  gossip: ReadonlyMap<bigint, readonly GossipEndpoint[]>
  max_nodes_per_host: number
  /** Most connections from other nodes; 0: no limit. */
  max_clients: number
  accept_transactions: boolean
  /** Votes of peers are checked and given to others. */
  accept_votes: boolean
  disable_block_nack: boolean
  dedup_cache_expire_us: number
  keepalive_us: number
  connection_cleanup_us: number
  sync_fetch_span: number
  sync_peer_limit: number
  agent_name: string
  allowed: AllowedConnections
  /** Packed public keys in hex of peers that may connect. */
  peer_keys: ReadonlySet<string>
  /** Keys with which this node signs its handshakes: packed public key, private key. */
  private_keys: readonly { public_key: Uint8Array; key: PrivateKey }[]
}

/** A peer must answer a request for blocks within this. spring: def_resp_expected_wait */
export const RESPONSE_US = 5_000_000
/** Known blocks and transactions are forgotten at this interval. spring: def_expire_timer_wait */
export const EXPIRE_US = 3_000_000
/** A connection that was closed more often than this in a row waits before it is tried again.
 *  spring: def_max_consecutive_immediate_connection_close */
export const MAX_IMMEDIATE_CLOSES = 9
/** The most that waits to be sent to a peer; bytes. spring: def_max_write_queue_size */
export const MAX_WRITE_QUEUE = 40 * 1024 * 1024
/** Transactions of a peer beyond these bytes of memory in execution are dropped. */
export const MAX_TRANSACTIONS_IN_PROGRESS = 64 * 1024 * 1024
/** The same for all peers together. */
export const MAX_ALL_TRANSACTIONS_IN_PROGRESS = 256 * 1024 * 1024
/** Memory that a transaction in execution needs besides its bytes, about. */
export const TRANSACTION_OVERHEAD = 2048
/** Blocks of a peer beyond these bytes in the queue of the chain are not read. */
export const MAX_BLOCKS_IN_PROGRESS = 32 * 1024 * 1024
/** The same for all peers together. */
export const MAX_ALL_BLOCKS_IN_PROGRESS = 128 * 1024 * 1024
/** Votes of a peer beyond this number in verification are not read. */
export const MAX_VOTES_IN_PROGRESS = 64
/** Most transactions that are remembered as known to a peer. */
export const MAX_KNOWN_TRANSACTIONS = 500_000
