import type { LogLevel } from '../engine/log.ts'
import type { GoAwayReason, Handshake, NetMessage } from '../engine/protocol/net/message.ts'
import type { BlockStatusMonitor } from './block_status_monitor.ts'

/** The best block of a peer, up to which its blocks were asked for. */
export interface CatchUpHead {
  num: number
  id: Uint8Array
  /** When they were asked for; microseconds. */
  since_us: number
}

/**
 * What a peer is as a block producer: `configured`: the operator named it; `gossip`: it proved its key;
 * `unproven`: it sent addresses before keys of producers were known here.
 */
export type ProducerKind = 'none' | 'configured' | 'gossip' | 'unproven'

/** Where a message waits to be sent: times first, for they hold the time at which they are sent, then blocks of a sync,
 *  transactions last. */
export type SendQueue = 'time' | 'sync' | 'general' | 'transactions'

/** A peer as the synchronization and the distribution of blocks see it. */
export interface RemotePeer {
  /** Number of the connection. */
  readonly id: number
  /** Another number each time that the connection is made. */
  readonly session: number
  /** It may be sent blocks, and may send them. */
  readonly has_blocks: boolean
  readonly has_transactions: boolean
  readonly is_open: boolean
  /** It opened the connection. */
  readonly is_incoming: boolean
  /** The same for all connections of a host: its address, or the one that this node connects to. */
  readonly host: string
  /** It connected to this node, sent its handshake, and is not a block producer. */
  readonly is_client: boolean
  producer: ProducerKind
  /** Its handshake came, and the connection is open. */
  readonly connected: boolean
  /** Connected, and not getting old blocks from this node. */
  readonly current: boolean
  readonly protocol_version: number
  /** Round trip; Infinity until it was measured. */
  readonly ping_us: number
  /** The last handshake of this connection. */
  readonly last_handshake: Handshake | undefined
  readonly sent_handshakes: number
  readonly rejections: BlockStatusMonitor
  /** The reason why no connection to it is tried, or that it gave. */
  readonly no_retry: GoAwayReason | number
  /** Its last irreversible block as of its handshake or notice; 0 if it is not known. */
  root_num: number
  /** Number of its best block. */
  fork_head_num: number
  /** Number of the first block that it has. */
  start_block_num: number
  syncing_from_us: boolean
  /** The best block that it announced in a notice or handshake, while this node catches up with it. */
  catch_up_head: CatchUpHead | undefined
  /** The order in which peers were asked for blocks; 0: not asked yet. */
  sync_ordinal: number
  /** The last block of the span that it was asked for. */
  sync_last_requested: number
  /** The id that this node asked for after its last block_notice. */
  notice_request: Uint8Array | undefined
  /** When a block came, and when one that was new here; microseconds; 0 if there was none. */
  last_block_received_us: number
  last_new_block_us: number
  last_block_us: number
  /** Blocks in a row that it had when it got them. */
  consecutive_nacks: number

  send(message: NetMessage): void
  /** Sends a message that is framed already. */
  sendFramed(framed: Uint8Array, queue: SendQueue): void
  sendHandshake(): void
  sendBlockNack(id: Uint8Array): void
  requestBlocks(start: number, end: number): void
  /** Withdraws the request for blocks. */
  cancelSync(): void
  cancelSyncWait(): void
  /** Expects the next block within {@link RESPONSE_US}. */
  awaitBlock(): void
  close(reconnect: boolean): void
  log(level: LogLevel, text: string): void
}
