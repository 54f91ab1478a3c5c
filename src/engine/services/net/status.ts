/** Connections as JSON. spring: plugins/net_plugin/net_plugin.cpp (get_status) */
import type { Connection } from '../../../net/connection.ts'
import type { Handshake } from '../../protocol/net/message.ts'
import { latin1ToBytes, printableUtf8, toHex } from '../../protocol/hex.ts'
import { publicKeyToString, signatureToString } from '../../protocol/key.ts'
import { timePointToString } from '../../protocol/time.ts'

/** The last handshake of a peer. */
export interface HandshakeJson {
  network_version: number
  chain_id: string
  node_id: string
  key: string
  /** Nanoseconds since 1970; a text if it does not fit in 32 bits. */
  time: number | string
  token: string
  sig: string
  p2p_address: string
  fork_db_root_num: number
  fork_db_root_id: string
  fork_db_head_num: number
  fork_db_head_id: string
  os: string
  agent: string
  generation: number
}

/** A connection. */
export interface ConnectionStatus {
  /** The address that this node connected to; empty if the peer connected. */
  peer: string
  remote_ip: string
  remote_port: string
  connecting: boolean
  /** The peer gets old blocks from this node. */
  syncing: boolean
  is_bp_peer: boolean
  is_bp_gossip_peer: boolean
  is_socket_open: boolean
  is_blocks_only: boolean
  is_transactions_only: boolean
  last_vote_received: string
  last_handshake: HandshakeJson
}

const NO_HASH = new Uint8Array(32)
const NO_HANDSHAKE: Handshake = {
  kind: 'handshake',
  network_version: 0,
  chain_id: NO_HASH,
  node_id: NO_HASH,
  key: new Uint8Array(34),
  time: 0n,
  token: NO_HASH,
  sig: new Uint8Array(66),
  p2p_address: '',
  fork_db_root_num: 0,
  fork_db_root_id: NO_HASH,
  fork_db_head_num: 0,
  fork_db_head_id: NO_HASH,
  os: '',
  agent: '',
  generation: 0,
}

/** A connection as JSON; its remote address is empty until it has been made once. */
export function connectionStatus({ peer, remote_ip, remote_port }: Connection): ConnectionStatus {
  return {
    peer: peer.settings.address,
    remote_ip,
    remote_port: remote_port === 0 ? '' : String(remote_port),
    connecting: peer.state === 'connecting',
    syncing: peer.syncing_from_us,
    is_bp_peer: peer.producer !== 'none',
    is_bp_gossip_peer: peer.producer === 'gossip',
    is_socket_open: peer.is_open,
    is_blocks_only: peer.type === 'blk',
    is_transactions_only: peer.type === 'trx',
    last_vote_received: timePointToString(peer.last_vote_us),
    last_handshake: handshakeJson(peer.last_handshake ?? NO_HANDSHAKE),
  }
}

function handshakeJson(message: Handshake): HandshakeJson {
  const { time } = message
  return {
    network_version: message.network_version,
    chain_id: toHex(message.chain_id),
    node_id: toHex(message.node_id),
    key: publicKeyToString(message.key),
    time: time > 0xffffffffn || time < -0xffffffffn ? String(time) : Number(time),
    token: toHex(message.token),
    sig: signatureToString(message.sig),
    p2p_address: textOf(message.p2p_address),
    fork_db_root_num: message.fork_db_root_num,
    fork_db_root_id: toHex(message.fork_db_root_id),
    fork_db_head_num: message.fork_db_head_num,
    fork_db_head_id: toHex(message.fork_db_head_id),
    os: textOf(message.os),
    agent: textOf(message.agent),
    generation: message.generation,
  }
}

/** A text that a peer sent, which may be any bytes. */
export function textOf(bytes: string): string {
  return printableUtf8(latin1ToBytes(bytes))
}
