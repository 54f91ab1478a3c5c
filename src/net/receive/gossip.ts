/** spring: plugins/net_plugin/net_plugin.cpp (handle_message gossip_bp_peers_message) */
import type { GossipBpPeers } from '../../engine/protocol/net/message.ts'
import type { Peer } from '../peer.ts'

/** Takes addresses of block producers. */
export function receiveGossip(peer: Peer, message: GossipBpPeers): void {
  if (peer.network.producers.receive(peer, message)) return
  peer.log('warn', 'sent wrong addresses of block producers, the connection is closed')
  peer.sendGoAway('fatal_other')
}
