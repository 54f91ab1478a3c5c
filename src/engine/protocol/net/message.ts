/**
 * The messages between peers, as values.
 * spring: plugins/net_plugin/include/eosio/net_plugin/protocol.hpp
 */
import type { SignedBlock } from '../block.ts'
import type { PackedTransaction } from '../packed_transaction.ts'
import type { Vote } from '../vote.ts'

/** The kinds in the order of their numbers. spring: net_message */
export const MESSAGE_KINDS = [
  'handshake',
  'chain_size',
  'go_away',
  'time',
  'notice',
  'request',
  'sync_request',
  'signed_block',
  'packed_transaction',
  'vote',
  'block_nack',
  'block_notice',
  'gossip_bp_peers',
] as const

/** The name of a kind of message. */
export type MessageKind = (typeof MESSAGE_KINDS)[number]

/** The reasons of a go_away in the order of their numbers. spring: go_away_reason */
export const GO_AWAY_REASONS = [
  'no_reason',
  'self',
  'duplicate',
  'wrong_chain',
  'wrong_version',
  'forked',
  'unlinkable',
  'bad_transaction',
  'validation',
  'benign_other',
  'fatal_other',
  'authentication',
] as const

/** The name of a reason of a go_away. */
export type GoAwayReason = (typeof GO_AWAY_REASONS)[number]

/** The modes of a list of ids in the order of their numbers. spring: id_list_modes */
export const ID_LIST_MODES = ['none', 'catch_up', 'last_irr_catch_up', 'normal'] as const

/** The name of a mode of a list of ids. */
export type IdListMode = (typeof ID_LIST_MODES)[number]

/** Ids of blocks or transactions, and what they mean. spring: select_ids */
export interface IdList {
  /** A number that is not a mode is kept: the receiver decides. */
  mode: IdListMode | number
  pending: number
  /** 32 bytes each. */
  ids: Uint8Array[]
}

/** What a node says about itself and its chain. Strings hold one byte in each character. */
export interface Handshake {
  kind: 'handshake'
  /** {@link NET_VERSION_BASE} and the version of the protocol. */
  network_version: number
  chain_id: Uint8Array
  /** Random, made at each start of a node. */
  node_id: Uint8Array
  /** Packed; all zeros if there is none. */
  key: Uint8Array
  /** Nanoseconds since 1970. */
  time: bigint
  /** The hash of `time`; all zeros if it is not signed. */
  token: Uint8Array
  /** Packed signature of the token; all zeros if there is none. */
  sig: Uint8Array
  p2p_address: string
  fork_db_root_num: number
  fork_db_root_id: Uint8Array
  fork_db_head_num: number
  fork_db_head_id: Uint8Array
  os: string
  agent: string
  /** Counts the handshakes of a connection from 1; 16 bits with a sign. */
  generation: number
}

/** Positions of a chain; nodes ignore it. */
export interface ChainSize {
  kind: 'chain_size'
  last_irreversible_block_num: number
  last_irreversible_block_id: Uint8Array
  head_num: number
  head_id: Uint8Array
}

/** The connection is not wanted. */
export interface GoAway {
  kind: 'go_away'
  /** A number that is not a reason is kept. */
  reason: GoAwayReason | number
  node_id: Uint8Array
}

/** Times of a ping or of its answer; nanoseconds since 1970, 0 if not known. */
export interface TimeMessage {
  kind: 'time'
  org: bigint
  rec: bigint
  xmt: bigint
  dst: bigint
}

/** What the sender has. */
export interface Notice {
  kind: 'notice'
  known_trx: IdList
  known_blocks: IdList
}

/** What the sender wants. */
export interface Request {
  kind: 'request'
  req_trx: IdList
  req_blocks: IdList
}

/** Asks for a span of blocks, both ends included; 0 to 0 ends what was asked before. */
export interface SyncRequest {
  kind: 'sync_request'
  start_block: number
  end_block: number
}

/** The sender had the block already; an id of zeros asks for whole blocks again. */
export interface BlockNack {
  kind: 'block_nack'
  id: Uint8Array
}

/** There is a new block. */
export interface BlockNotice {
  kind: 'block_notice'
  previous: Uint8Array
  id: Uint8Array
}

/** Where a block producer can be reached, signed by it. */
export interface BpPeer {
  version: number
  producer_name: bigint
  /** A packed {@link BpPeerInfo}; empty in the first message of a connection. */
  bp_peer_info: Uint8Array
  sig: Uint8Array
}

/** The addresses of a block producer. spring: bp_peer_info_v1 */
export interface BpPeerInfo {
  server_endpoint: string
  outbound_ip_address: string
  /** Slot. */
  expiration: number
}

/** Addresses of block producers. */
export interface GossipBpPeers {
  kind: 'gossip_bp_peers'
  peers: BpPeer[]
}

/** A message between peers. */
export type NetMessage =
  | Handshake
  | ChainSize
  | GoAway
  | TimeMessage
  | Notice
  | Request
  | SyncRequest
  | { kind: 'signed_block'; block: SignedBlock }
  | { kind: 'packed_transaction'; packed: PackedTransaction }
  | { kind: 'vote'; vote: Vote }
  | BlockNack
  | BlockNotice
  | GossipBpPeers

/** The first version number; spring: net_version_base, which never changes. */
export const NET_VERSION_BASE = 0x04b5
/** Larger numbers are not versions; spring: net_version_range, which never changes. */
const NET_VERSION_RANGE = 106

/** Versions of the protocol by what they brought. spring: net_plugin.cpp (proto_*) */
export const PROTOCOL = {
  base: 0,
  explicit_sync: 1,
  pruned_types: 3,
  leap_initial: 7,
  block_range: 8,
  savanna: 9,
  block_nack: 10,
  gossip_bp_peers: 11,
} as const

/** The version that this node speaks. */
export const PROTOCOL_VERSION: number = PROTOCOL.gossip_bp_peers

/** The version of the protocol that a handshake names; 0 if it is none. */
export function protocolVersion(network_version: number): number {
  const version = network_version - NET_VERSION_BASE
  return version < 0 || version > NET_VERSION_RANGE ? 0 : version
}

/** A list of no ids. */
export function noIds(): IdList {
  return { mode: 'none', pending: 0, ids: [] }
}
