/** spring: plugins/net_plugin/net_plugin.cpp (handle_message handshake_message) */
import { bytesEqual, compareBytes } from '../../engine/protocol/hex.ts'
import { blockNumFromId } from '../../engine/protocol/block.ts'
import { PROTOCOL, protocolVersion, type Handshake } from '../../engine/protocol/net/message.ts'
import { splitAddress } from '../address.ts'
import { handshakeFault, isAuthentic } from '../handshakes.ts'
import type { Peer } from '../peer.ts'

/** Takes a handshake. The first of a connection decides whether the peer is welcome. */
export function receiveHandshake(peer: Peer, message: Handshake): void {
  const fault = handshakeFault(message)
  if (fault !== undefined) {
    peer.log('warn', `sent a wrong handshake: ${fault}`)
    return peer.sendGoAway('fatal_other')
  }
  if (peer.needs_proof && message.generation !== 1) return refuseKey(peer)
  peer.root_num = message.fork_db_root_num
  peer.fork_head_num = message.fork_db_head_num
  peer.last_handshake = message
  peer.accepted()
  if (message.generation === 1 && !firstHandshake(peer, message)) return
  peer.network.sync.handshake(peer, message, peer.latency_blocks)
}

/** Returns whether the connection continues, and with it what follows from the peer's position. */
function firstHandshake(peer: Peer, message: Handshake): boolean {
  const { state, producers } = peer.network
  if (bytesEqual(message.node_id, state.node_id)) {
    peer.log('info', 'is this node')
    peer.sendGoAway('self')
    return false
  }
  peer.name = message.p2p_address
  producers.mark(peer, message.p2p_address)
  if (producers.isOneTooMany(peer)) {
    peer.log('debug', 'is refused: there are too many clients')
    peer.close(false)
    return false
  }
  chooseType(peer, message.p2p_address)
  if (isDuplicate(peer, message)) {
    peer.sendGoAway('duplicate', peer.node_id)
    return false
  }
  if (!bytesEqual(message.chain_id, state.chain.chain_id)) {
    peer.log('info', 'belongs to another chain')
    peer.sendGoAway('wrong_chain')
    return false
  }
  peer.protocol_version = protocolVersion(message.network_version)
  peer.node_id = message.node_id
  if (!isAuthentic(state, message)) {
    refuseKey(peer)
    return false
  }
  peer.is_authentic = true
  if (isForked(peer, message)) {
    peer.log('warn', 'has other irreversible blocks')
    peer.sendGoAway('forked')
  }
  const { protocol_version } = peer
  if (protocol_version >= PROTOCOL.pruned_types && protocol_version < PROTOCOL.leap_initial) {
    // These have other forms of blocks and transactions, unless the node seems to be older.
    peer.sent_handshakes = 0
    peer.claimed_version = PROTOCOL.explicit_sync
    peer.sendHandshake()
    return false
  }
  if (peer.sent_handshakes === 0) peer.sendHandshake()
  // Before the handshake, which waits for its turn.
  producers.greet(peer)
  return true
}

function refuseKey(peer: Peer): void {
  peer.log('warn', 'may not connect: its key is not allowed')
  peer.sendGoAway('authentication')
}

/** The address of a peer says what it wants; who connected to it may have chosen already. */
function chooseType(peer: Peer, p2p_address: string): void {
  const address = splitAddress(p2p_address)
  if (address === undefined) return
  if (peer.is_incoming || peer.type === '') peer.type = address.type
}

/** Of two connections between the same nodes the one is closed that the node with the lower id made. */
function isDuplicate(peer: Peer, { node_id }: Handshake): boolean {
  const { state } = peer.network
  if (compareBytes(state.node_id, node_id) < 0) return false
  for (const other of state.peers) {
    if (other === peer || !other.connected || other.last_handshake === undefined) continue
    if (bytesEqual(other.last_handshake.node_id, node_id)) return true
  }
  return false
}

function isForked(peer: Peer, message: Handshake): boolean {
  const { chain } = peer.network.state
  const { fork_db_root_num: num, fork_db_root_id: id } = message
  if (num === 0 || num > chain.position().root_num) return false
  const mine = chain.blockId(blockNumFromId(id))
  return mine !== undefined && !bytesEqual(mine, id)
}
