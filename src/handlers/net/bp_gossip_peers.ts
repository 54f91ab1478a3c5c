import type { Handlers } from '../types.ts'

/** POST /v1/net/bp_gossip_peers: addresses of block producers. */
export const bp_gossip_peers: Handlers['bp_gossip_peers'] = (engine) => engine.api.net.gossipPeers()
