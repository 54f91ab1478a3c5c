/** Metrics of connections under the reference's names. spring: plugins/prometheus_plugin/metrics.hpp */
import type { Connection } from '../../../net/connection.ts'
import { shortId } from '../../../net/handshakes.ts'
import type { PeerNetwork } from '../../../net/peer_network.ts'
import { sha256 } from '../../crypto/hash.ts'
import { utf8ToBytes } from '../../protocol/hex.ts'
import { counter, gauge, type Metric } from '../metric.ts'

/** One number of each connection. */
interface ConnectionMetric {
  name: string
  help: string
  value: (connection: Connection) => number
}

const US = 1000
/** The latency of a connection that was not measured. */
const UNKNOWN_NS = 2 ** 64

const EACH: readonly ConnectionMetric[] = [
  { name: 'port', help: 'port', value: (c) => c.remote_port },
  {
    name: 'connection_number',
    help: 'number of the connection, which increases with each new one',
    value: (c) => c.peer.id,
  },
  {
    name: 'accepting_blocks',
    help: 'accepting blocks on connection',
    value: (c) => Number(c.peer.has_blocks),
  },
  {
    name: 'last_received_block',
    help: 'last received block on connection',
    value: (c) => c.peer.last_block_num,
  },
  {
    name: 'first_available_block',
    help: 'first block available from connection',
    value: (c) => c.peer.start_block_num,
  },
  {
    name: 'last_available_block',
    help: 'last block available from connection',
    value: (c) => c.peer.fork_head_num,
  },
  {
    name: 'unique_first_block_count',
    help: 'number of blocks first received from any connection on this connection',
    value: (c) => c.peer.unique_blocks,
  },
  {
    name: 'latency',
    help: 'last calculated latency with connection',
    value: (c) => (c.peer.ping_us === Infinity ? UNKNOWN_NS : c.peer.ping_us * US),
  },
  {
    name: 'bytes_received',
    help: 'total bytes received on connection',
    value: (c) => c.bytes_received,
  },
  {
    name: 'last_bytes_received',
    help: 'last time anything received from peer',
    value: (c) => c.last_bytes_received_us * US,
  },
  { name: 'bytes_sent', help: 'total bytes sent to peer', value: (c) => c.bytes_sent },
  {
    name: 'last_bytes_sent',
    help: 'last time anything sent to peer',
    value: (c) => c.last_bytes_sent_us * US,
  },
  {
    name: 'block_sync_bytes_received',
    help: 'bytes of blocks received during syncing',
    value: (c) => c.peer.sync_bytes_received,
  },
  {
    name: 'block_sync_bytes_sent',
    help: 'bytes of blocks sent during syncing',
    value: (c) => c.peer.sender.bytes_sent,
  },
  {
    name: 'block_sync_throttling',
    help: 'is block sync throttling currently active',
    value: (c) => Number(c.peer.sender.throttled),
  },
  {
    name: 'connection_start_time',
    help: 'time of last connection to peer',
    value: (c) => c.started_us * US,
  },
]

/** How the reading of a peer was slowed for others; the reference has no such numbers. */
const SLOWED: readonly ConnectionMetric[] = [
  {
    name: 'turns_ended',
    help: 'how often others were served first because messages of the peer took long',
    value: (c) => c.turns_ended,
  },
  {
    name: 'reads_paused',
    help: 'how often the peer was not read because too much of it waited for the chain',
    value: (c) => c.reads_paused,
  },
]

/** The metrics of the network and of each of its connections. */
export function networkMetrics(network: PeerNetwork): Metric[] {
  const all = [...network.connections]
  // Block producers are peers, also those that connected to this node.
  const clients = all.filter(({ peer }) => peer.is_incoming && peer.producer === 'none').length
  return [
    gauge('nodeos_p2p_peers', 'current number of connected outgoing peers', all.length - clients),
    gauge('nodeos_p2p_clients', 'current number of connected incoming clients', clients),
    counter(
      'nodeos_p2p_failed_connections',
      'total number of failed out-going p2p connections',
      network.failed_connections,
    ),
    counter(
      'nodeos_p2p_dropped_trxs_total',
      'total number of dropped transactions by net plugin',
      network.dropped_transactions,
    ),
    {
      name: 'nodeos_p2p_addr',
      help: 'ipv6 address',
      type: 'gauge',
      samples: all.map((c) => ({
        labels: { connid: connectionId(c), ipv6: ipv6(c.remote_ip), address: c.peer.name },
        value: 0,
      })),
    },
    ...EACH.map((metric) => ofEach(all, metric, 'nodeos')),
    ...SLOWED.map((metric) => ofEach(all, metric, 'pronghorn')),
  ]
}

function ofEach(
  all: readonly Connection[],
  { name, help, value }: ConnectionMetric,
  prefix: string,
): Metric {
  return {
    name: `${prefix}_p2p_${name}`,
    help,
    type: 'gauge',
    samples: all.map((c) => ({ labels: { connid: connectionId(c) }, value: value(c) })),
  }
}

/** The beginning of the node's id; of a hash of its address while that is not known. */
function connectionId({ peer, remote_ip }: Connection): string {
  if (peer.node_id !== undefined) return shortId(peer.node_id)
  return shortId(sha256(utf8ToBytes(peer.name || remote_ip || String(peer.id))))
}

function ipv6(ip: string): string {
  if (ip === '') return '::'
  return ip.includes(':') ? ip : `::ffff:${ip}`
}
