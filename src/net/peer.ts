/**
 * The state of one connection, apart from its socket: what the peer said, and what it is sent.
 * spring: plugins/net_plugin/net_plugin.cpp (connection)
 */
import type { LogLevel } from '../engine/log.ts'
import { encodeMessage } from '../engine/protocol/net/codec.ts'
import { frame } from '../engine/protocol/net/framing.ts'
import {
  PROTOCOL,
  PROTOCOL_VERSION,
  type GoAwayReason,
  type Handshake,
  type NetMessage,
} from '../engine/protocol/net/message.ts'
import { BLOCK_INTERVAL_US } from '../engine/protocol/constants.ts'
import { bytesEqual } from '../engine/protocol/hex.ts'
import { splitAddress, type AddressType } from './address.ts'
import { BlockSender } from './block_sender.ts'
import { BlockStatusMonitor } from './block_status_monitor.ts'
import { makeHandshake, restrictsPeers } from './handshakes.ts'
import type { Network } from './network_parts.ts'
import { MAX_VOTES_IN_PROGRESS, RESPONSE_US } from './network_options.ts'
import { NO_ID } from './network_state.ts'
import type { CatchUpHead, ProducerKind, RemotePeer, SendQueue } from './remote_peer.ts'
import { TimeLoop } from './time_loop.ts'

/** What carries the messages of a peer: a socket, or a test. */
export interface Link {
  /** Sends a framed message after those of its queue; `last`: the connection ends when it is sent. */
  send(framed: Uint8Array, queue: SendQueue, last: boolean): void
  /** Drops the messages that were not sent yet. */
  clear(): void
  /** Ends the connection. `reconnect`: it is tried again soon. */
  close(reconnect: boolean): void
}

/** What is known of a connection from its beginning. */
export interface PeerSettings {
  id: number
  /** The address that this node connects to; empty if the peer connected. */
  address: string
  /** The address of this node that its handshakes name. */
  listen_address: string
  /** Bytes in a second that the peer may get while it syncs; 0: no limit. */
  rate_limit: number
}

/** The stages of a connection. */
export type ConnectionState = 'connecting' | 'connected' | 'closing' | 'closed'

/** The same position is not sent again within this. */
const HANDSHAKE_US = 50_000
/** Handshakes are counted up to this, then from 1. */
const MAX_GENERATION = 0x7fff
/** An alarm that is so late shows that this node stood still: what came meanwhile was not read yet. The reference
 *  reads on other threads. */
const STALL_US = 1_000_000
/** A peer that sent a block so long ago or less is one of those that blocks come from; so is every peer
 *  while none has sent any. */
const RECENT_BLOCKS_US = 3_000_000

/** One peer. Inputs are messages (see receive/) and the clock; outputs go to its {@link Link}. */
export class Peer implements RemotePeer {
  readonly network: Network
  readonly settings: PeerSettings
  readonly rejections = new BlockStatusMonitor()
  readonly times = new TimeLoop()
  readonly sender: BlockSender
  private readonly link: Link

  state: ConnectionState = 'connecting'
  session = 0
  is_open = false
  /** It was told why the connection ends. */
  private is_refused = false
  /** The key of its first handshake was allowed. */
  is_authentic = false
  no_retry: GoAwayReason | number = 'no_reason'
  type: AddressType = ''
  producer: ProducerKind = 'none'
  protocol_version: number = PROTOCOL.base
  /** The version that this node claims to speak: old programs get an older one. */
  claimed_version = PROTOCOL_VERSION
  /** The last handshake of the peer; it survives the connection only in `name` and `short_id`. */
  last_handshake: Handshake | undefined
  private sent_handshake: Handshake | undefined
  sent_handshakes = 0
  node_id: Uint8Array | undefined
  /** What the peer calls its address, or this node does. */
  name: string
  host: string

  root_num = 0
  fork_head_num = 0
  start_block_num = 0
  syncing_from_us = false
  catch_up_head: CatchUpHead | undefined
  sync_ordinal = 0
  sync_last_requested = 0
  notice_request: Uint8Array | undefined
  consecutive_nacks = 0
  last_nack: Uint8Array = NO_ID

  /** When the connection was made; microseconds, as the times below. */
  opened_us = 0
  last_message_us = 0
  last_block_us = 0
  last_block_received_us = 0
  last_new_block_us = 0
  last_vote_us = 0
  last_block_num = 0
  /** Blocks that came from this peer first. */
  unique_blocks = 0
  sync_bytes_received = 0
  blocks_in_progress = 0
  transactions_in_progress = 0
  /** Transactions that were dropped since the log said so, and when it did. */
  dropped_transactions = 0
  dropped_logged_us = -Infinity
  votes_in_progress = 0
  /** Set by the connection: it may read again. */
  onReady: () => void = () => {}
  private cancelSyncAlarm: () => void = () => {}

  constructor(network: Network, settings: PeerSettings, link: Link) {
    this.network = network
    this.settings = settings
    this.link = link
    this.name = this.host = settings.address
    this.type = splitAddress(settings.address)?.type ?? ''
    network.producers.mark(this, settings.address)
    const refuse = () => this.sendGoAway('benign_other')
    this.sender = new BlockSender(network.state, this, settings.rate_limit, refuse)
  }

  get id(): number {
    return this.settings.id
  }

  /** Whether the peer opened the connection. */
  get is_incoming(): boolean {
    return this.settings.address === ''
  }

  get has_blocks(): boolean {
    return this.type !== 'trx'
  }

  get has_transactions(): boolean {
    return this.type !== 'blk'
  }

  /** It connected to a node that only some may connect to, and has not proved its key yet. */
  get needs_proof(): boolean {
    return this.is_incoming && !this.is_authentic && restrictsPeers(this.network.state.options)
  }

  /** Its messages count: the connection is open, and does not end. */
  get is_heard(): boolean {
    return this.is_open && !this.is_refused && this.state !== 'closing'
  }

  get is_client(): boolean {
    return (
      this.is_open &&
      this.is_incoming &&
      this.producer === 'none' &&
      this.last_handshake !== undefined
    )
  }

  get connected(): boolean {
    return this.is_open && this.state === 'connected'
  }

  get current(): boolean {
    return this.connected && !this.syncing_from_us
  }

  get ping_us(): number {
    return this.times.ping_us
  }

  /** So much of this peer waits for the chain that no more is read. */
  get busy(): boolean {
    return (
      this.blocks_in_progress > this.network.block_memory.limit ||
      this.votes_in_progress >= MAX_VOTES_IN_PROGRESS
    )
  }

  /** The connection is there; who connected speaks first. */
  opened(): void {
    this.is_open = true
    this.is_refused = false
    this.session = ++this.network.state.last_session
    this.opened_us = this.network.state.now_us
    this.state = 'connecting'
    if (this.is_incoming) return
    this.sendHandshake()
    this.sendTime()
  }

  /** A message came: the peer lives. */
  accepted(): void {
    if (this.state === 'connecting') this.state = 'connected'
  }

  send(message: NetMessage): void {
    const last = message.kind === 'go_away' && message.reason !== 'no_reason'
    const queue = message.kind === 'time' ? 'time' : 'general'
    if (this.is_open) this.link.send(frame(encodeMessage(message)), queue, last)
  }

  sendFramed(framed: Uint8Array, queue: SendQueue): void {
    if (this.is_open) this.link.send(framed, queue, false)
  }

  /** Refuses the peer, and ends the connection when the reason was sent. */
  sendGoAway(reason: GoAwayReason, node_id: Uint8Array = NO_ID): void {
    if (this.is_refused) return
    this.no_retry = reason
    this.send({ kind: 'go_away', reason, node_id })
    this.is_refused = true
  }

  sendHandshake(): void {
    if (this.state === 'closing' || this.state === 'closed' || !this.is_open) return
    this.network.state.tasks.post(() => this.sendHandshakeNow())
  }

  private sendHandshakeNow(): void {
    const { state } = this.network
    const last = this.sent_handshake
    const is_same =
      last !== undefined && bytesEqual(last.fork_db_head_id, state.position().fork_head_id)
    // Before it is signed, which takes time.
    if (is_same && this.now_ns - last.time < BigInt(HANDSHAKE_US) * 1000n) return
    const generation = this.sent_handshakes >= MAX_GENERATION ? 2 : this.sent_handshakes + 1
    const made = makeHandshake(state, {
      version: this.claimed_version,
      p2p_address: this.ownAddress(),
      generation,
    })
    this.sent_handshakes = generation
    this.sent_handshake = made
    this.send(made)
  }

  /** The address of this node, with what it wants of a peer that connected. */
  private ownAddress(): string {
    let address = this.settings.listen_address
    if (!this.is_incoming) return address
    const { accept_transactions } = this.network.state.options
    if (this.type === 'trx' && !address.includes(':trx')) address += ':trx'
    if ((this.type === 'blk' || !accept_transactions) && !address.includes(':blk')) {
      address += ':blk'
    }
    return address
  }

  /** Sends a time message, whose answer tells the duration of a round trip. */
  sendTime(): void {
    const { sync } = this.network
    const is_among_blocks = sync.stage !== 'in_sync' || this.syncing_from_us
    this.send(this.times.restart(this.now_ns, is_among_blocks))
  }

  sendBlockNack(id: Uint8Array): void {
    const { state, sync } = this.network
    if (this.protocol_version < PROTOCOL.block_nack || state.options.disable_block_nack) return
    if (!sync.syncing) this.send({ kind: 'block_nack', id })
  }

  requestBlocks(start: number, end: number): void {
    this.sync_last_requested = end
    this.send({ kind: 'sync_request', start_block: start, end_block: end })
    this.awaitBlock()
  }

  cancelSync(): void {
    this.cancelSyncWait()
    this.sync_last_requested = 0
    this.link.clear()
    this.send({ kind: 'sync_request', start_block: 0, end_block: 0 })
  }

  cancelSyncWait(): void {
    this.cancelSyncAlarm()
    this.cancelSyncAlarm = () => {}
  }

  awaitBlock(): void {
    this.cancelSyncWait()
    const { state, sync } = this.network
    const until_us = state.now_us + RESPONSE_US
    this.cancelSyncAlarm = state.clock.wakeAt(until_us, () => {
      if (state.now_us - until_us > STALL_US) return this.awaitBlock()
      state.tasks.run(() => sync.timedOut(this))
    })
  }

  /** Drops what was not sent yet; the peer does not want it. */
  clear(): void {
    this.link.clear()
  }

  /** Everything before was sent. */
  written(): void {
    this.sender.written()
  }

  /** Called at the keepalive interval: a silent peer is closed, another one is pinged. */
  heartbeat(): void {
    const { state, sync } = this.network
    const { keepalive_us } = state.options
    if (state.now_us > Math.max(this.last_message_us, this.opened_us) + 2 * keepalive_us) {
      this.no_retry = 'benign_other'
      this.log('warn', 'is silent, the connection is closed')
      return this.close(!this.is_incoming)
    }
    if (this.last_message_us > 0) {
      const quiet_us = Math.max(keepalive_us, 2 * BLOCK_INTERVAL_US)
      if (!sync.syncing && state.now_us > this.last_block_us + quiet_us) {
        return this.sendHandshake()
      }
    }
    this.sendTime()
  }

  close(reconnect: boolean): void {
    if (this.state === 'closing' || this.state === 'closed') return
    this.state = 'closing'
    this.network.state.tasks.post(() => this.link.close(reconnect && !this.is_incoming))
  }

  /** The connection ended: nothing of it counts any more. */
  closed(): void {
    const { state, sync } = this.network
    const { last_block_received_us: last_us } = this
    const sent_blocks = last_us >= state.last_block_received_us - RECENT_BLOCKS_US
    this.is_open = this.is_authentic = false
    this.state = 'closed'
    this.producer = 'none'
    this.syncing_from_us = false
    this.rejections.reset()
    this.last_handshake = this.sent_handshake = this.node_id = undefined
    this.notice_request = this.catch_up_head = undefined
    this.sent_handshakes = this.root_num = this.sync_last_requested = 0
    this.last_message_us = this.last_block_us = this.last_vote_us = 0
    this.claimed_version = PROTOCOL_VERSION
    this.consecutive_nacks = 0
    this.last_nack = NO_ID
    this.times.reset()
    this.sender.reset()
    this.cancelSyncWait()
    this.network.votes.drop(this.session)
    sync.peerClosed(this)
    if (sent_blocks) state.sendNackResets()
  }

  /** The nearest whole number of blocks in a round trip. */
  get latency_blocks(): number {
    return this.ping_us === Infinity ? 0 : Math.round(this.ping_us / BLOCK_INTERVAL_US)
  }

  /** The time of the network's clock in nanoseconds since 1970. */
  get now_ns(): bigint {
    return BigInt(this.network.state.now_us) * 1000n
  }

  log(level: LogLevel, text: string): void {
    const line = `peer ${this.id} ${this.name}: ${text}`
    this.network.state.peer_log.write(level, line, this.is_incoming, { connection: this.id })
  }
}
