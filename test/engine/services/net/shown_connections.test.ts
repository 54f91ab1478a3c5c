/** Connections as metrics and as answers of the API show them. */
import { expect } from 'chai'
import { sha256 } from '../../../../src/engine/crypto/hash.ts'
import { toHex, utf8ToBytes } from '../../../../src/engine/protocol/hex.ts'
import type { Handshake } from '../../../../src/engine/protocol/net/message.ts'
import { networkMetrics } from '../../../../src/engine/services/net/metrics.ts'
import { connectionStatus } from '../../../../src/engine/services/net/status.ts'
import type { Connection } from '../../../../src/net/connection.ts'
import type { PeerNetwork } from '../../../../src/net/peer_network.ts'
import type { Peer } from '../../../../src/net/peer.ts'
import { NotedNetwork } from '../../../net/support/noted_network.ts'

const NODE_ID = new Uint8Array(32).fill(0xab)

describe('what is shown of connections', () => {
  let noted: NotedNetwork

  beforeEach(() => {
    noted = new NotedNetwork()
  })

  /** A connection whose numbers are all unlike. */
  function connection(address = '', fields: Partial<Peer> = {}): Connection {
    const { peer } = noted.open(address)
    Object.assign(peer, {
      last_block_num: 11,
      start_block_num: 12,
      fork_head_num: 13,
      unique_blocks: 14,
      sync_bytes_received: 15,
      ...fields,
    })
    peer.sender.bytes_sent = 16
    return {
      peer,
      remote_ip: '10.0.0.1',
      remote_port: 9876,
      bytes_received: 17,
      bytes_sent: 18,
      last_bytes_received_us: 19,
      last_bytes_sent_us: 20,
      started_us: 21,
      turns_ended: 22,
      reads_paused: 23,
    } as Connection
  }

  function metrics(...connections: Connection[]) {
    return networkMetrics({
      connections,
      failed_connections: 3,
      dropped_transactions: 4,
    } as unknown as PeerNetwork)
  }

  const numbers = (...connections: Connection[]) =>
    Object.fromEntries(
      metrics(...connections).map(({ name, samples }) => [name, samples.map(({ value }) => value)]),
    )

  it('metrics have all numbers of a connection, times in nanoseconds', () => {
    const one = connection('there:1')
    one.peer.times.ping_us = 25
    one.peer.sender.throttled = true
    expect(numbers(one)).deep.equal({
      nodeos_p2p_peers: [1],
      nodeos_p2p_clients: [0],
      nodeos_p2p_failed_connections: [3],
      nodeos_p2p_dropped_trxs_total: [4],
      nodeos_p2p_addr: [0],
      nodeos_p2p_port: [9876],
      nodeos_p2p_connection_number: [1],
      nodeos_p2p_accepting_blocks: [1],
      nodeos_p2p_last_received_block: [11],
      nodeos_p2p_first_available_block: [12],
      nodeos_p2p_last_available_block: [13],
      nodeos_p2p_unique_first_block_count: [14],
      nodeos_p2p_latency: [25_000],
      nodeos_p2p_bytes_received: [17],
      nodeos_p2p_last_bytes_received: [19_000],
      nodeos_p2p_bytes_sent: [18],
      nodeos_p2p_last_bytes_sent: [20_000],
      nodeos_p2p_block_sync_bytes_received: [15],
      nodeos_p2p_block_sync_bytes_sent: [16],
      nodeos_p2p_block_sync_throttling: [1],
      nodeos_p2p_connection_start_time: [21_000],
      pronghorn_p2p_turns_ended: [22],
      pronghorn_p2p_reads_paused: [23],
    })
  })

  it('metrics count producers as peers, and connections of others as clients', () => {
    const all = [
      connection(),
      connection('', { producer: 'gossip' }),
      connection('there:1', { type: 'trx' }),
    ]
    const shown = numbers(...all)
    expect([shown['nodeos_p2p_peers'], shown['nodeos_p2p_clients']]).deep.equal([[2], [1]])
    expect(shown['nodeos_p2p_accepting_blocks']).deep.equal([1, 1, 0])
    // It was not measured.
    expect(shown['nodeos_p2p_latency']).deep.equal([2 ** 64, 2 ** 64, 2 ** 64])
    expect(shown['nodeos_p2p_block_sync_throttling']).deep.equal([0, 0, 0])
  })

  it('metrics name a connection by the id of the node, or by its address while that is not known', () => {
    const labels = (one: Connection) => {
      const [addr, port] = ['nodeos_p2p_addr', 'nodeos_p2p_port'].map(
        (name) => metrics(one).find((metric) => metric.name === name)!.samples[0]!.labels!,
      )
      expect(port).deep.equal({ connid: addr!['connid'] })
      return addr
    }
    const short = (text: string): string => toHex(sha256(utf8ToBytes(text))).slice(0, 7)
    expect(labels(connection('there:1', { node_id: NODE_ID }))).deep.equal({
      connid: 'abababa',
      ipv6: '::ffff:10.0.0.1',
      address: 'there:1',
    })
    expect(labels(connection('there:1'))!['connid']).equal(short('there:1'))
    const unnamed = connection('')
    expect(labels(unnamed)!['connid']).equal(short('10.0.0.1'))
    unnamed.remote_ip = ''
    expect(labels(unnamed)).deep.equal({
      connid: short(String(unnamed.peer.id)),
      ipv6: '::',
      address: '',
    })
    unnamed.remote_ip = '2001:db8::1'
    expect(labels(unnamed)!['ipv6']).equal('2001:db8::1')
  })

  it('the API has what a connection is and does', () => {
    const shown = (address: string, fields: Partial<Peer> = {}) => {
      const { last_handshake, ...rest } = connectionStatus(connection(address, fields))
      expect(last_handshake).include({ generation: 0, p2p_address: '', time: 0 })
      return rest
    }
    const usual = {
      peer: 'there:1',
      remote_ip: '10.0.0.1',
      remote_port: '9876',
      connecting: true,
      syncing: false,
      is_bp_peer: false,
      is_bp_gossip_peer: false,
      is_socket_open: true,
      is_blocks_only: false,
      is_transactions_only: false,
      last_vote_received: '1970-01-01T00:00:00.000',
    }
    expect(shown('there:1')).deep.equal(usual)
    expect(shown('', { state: 'connected', syncing_from_us: true })).deep.equal({
      ...usual,
      ...{ peer: '', connecting: false, syncing: true },
    })
    expect(shown('there:1', { producer: 'configured', type: 'blk' })).deep.equal({
      ...usual,
      ...{ is_bp_peer: true, is_blocks_only: true },
    })
    const at_us = 1_795_000_000_500_000
    expect(shown('there:1', { producer: 'gossip', type: 'trx', last_vote_us: at_us })).deep.equal({
      ...usual,
      ...{ is_bp_peer: true, is_bp_gossip_peer: true, is_transactions_only: true },
      last_vote_received: '2026-11-18T11:06:40.500',
    })
    expect(shown('there:1', { is_open: false })).deep.equal({ ...usual, is_socket_open: false })
  })

  it('the API has the last handshake of a peer, with a text for a time of more than 32 bits', () => {
    const handshake: Handshake = {
      kind: 'handshake',
      network_version: 1216,
      chain_id: NODE_ID,
      node_id: new Uint8Array(32).fill(1),
      key: new Uint8Array(34),
      time: 1_795_000_000_000_000_000n,
      token: new Uint8Array(32).fill(2),
      sig: new Uint8Array(66),
      // Any bytes may be in a text of a peer.
      p2p_address: 'there:1 \xc3\xa9\xff',
      fork_db_root_num: 5,
      fork_db_root_id: new Uint8Array(32).fill(3),
      fork_db_head_num: 6,
      fork_db_head_id: new Uint8Array(32).fill(4),
      os: 'linux',
      agent: 'test',
      generation: 7,
    }
    const shown = (time: bigint) =>
      connectionStatus(connection('', { last_handshake: { ...handshake, time } })).last_handshake
    const { p2p_address, key, sig, ...rest } = shown(handshake.time)
    expect(p2p_address).match(/^there:1 é/)
    expect([key, sig].map((text) => text.slice(0, 4))).deep.equal(['EOS1', 'SIG_'])
    expect(rest).deep.equal({
      network_version: 1216,
      chain_id: 'ab'.repeat(32),
      node_id: '01'.repeat(32),
      time: '1795000000000000000',
      token: '02'.repeat(32),
      fork_db_root_num: 5,
      fork_db_root_id: '03'.repeat(32),
      fork_db_head_num: 6,
      fork_db_head_id: '04'.repeat(32),
      os: 'linux',
      agent: 'test',
      generation: 7,
    })
    expect(shown(0xffffffffn).time).equal(0xffffffff)
    expect(shown(0x100000000n).time).equal('4294967296')
    expect(shown(-0xffffffffn).time).equal(-0xffffffff)
    expect(shown(-0x100000000n).time).equal('-4294967296')
  })
})
