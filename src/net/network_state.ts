import type { Clock } from '../engine/clock.ts'
import type { Log } from '../engine/log.ts'
import type { NetworkOptions } from './network_options.ts'
import { PeerLog } from './peer_log.ts'
import type { ChainPosition, PeerChain } from './peer_chain.ts'
import type { RemotePeer } from './remote_peer.ts'
import { Tasks } from './tasks.ts'

/** What all peers of this node share. */
export class NetworkState {
  readonly options: NetworkOptions
  readonly chain: PeerChain
  readonly clock: Clock
  readonly log: Log
  readonly peer_log: PeerLog
  /** Random, so that a connection of the node to itself is found. */
  readonly node_id: Uint8Array
  readonly peers = new Set<RemotePeer>()
  readonly tasks = new Tasks()
  /** See {@link RemotePeer.session}. */
  last_session = 0
  /** When a block came from any peer; microseconds. */
  last_block_received_us = 0

  constructor(
    options: NetworkOptions,
    deps: { chain: PeerChain; clock: Clock; log: Log; node_id: Uint8Array },
  ) {
    this.options = options
    this.chain = deps.chain
    this.clock = deps.clock
    this.log = deps.log
    this.peer_log = new PeerLog(deps.log, deps.clock)
    this.node_id = deps.node_id
  }

  /** Microseconds since 1970. */
  get now_us(): number {
    return this.clock.now()
  }

  /** The head and the last irreversible block of the own chain. */
  position(): ChainPosition {
    return this.chain.position()
  }

  /** The peers that blocks are exchanged with. */
  *blockPeers(): Generator<RemotePeer> {
    for (const peer of this.peers) if (peer.has_blocks) yield peer
  }

  /** Sends a handshake to every connected peer. */
  sendHandshakes(): void {
    for (const peer of this.peers) if (peer.connected) peer.sendHandshake()
  }

  /** Asks every peer for whole blocks again instead of notices. */
  sendNackResets(): void {
    for (const peer of this.blockPeers()) {
      if (peer.current) this.tasks.post(() => peer.sendBlockNack(NO_ID))
    }
  }
}

/** The id of no block. */
export const NO_ID = new Uint8Array(32)
