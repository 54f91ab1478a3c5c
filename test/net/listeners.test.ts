/** What the parts of an address after the port do, over sockets. */
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { makePackedTransaction } from '../../src/engine/protocol/packed_transaction.ts'
import { networkMetrics } from '../../src/engine/services/net/metrics.ts'
import type { Connection } from '../../src/net/connection.ts'
import { until } from '../support/wait.ts'
import { blockNums, fakeHandshake } from './support/fake_peers.ts'
import {
  RawPeer,
  startedNetworks,
  type SocketNetwork,
  type SocketNetworkOptions,
} from './support/socket_network.ts'
import { plainTransaction } from '../../src/engine/protocol/transaction.ts'

const SECOND_US = 1_000_000

describe('addresses of listeners and peers', () => {
  const { start, raws } = startedNetworks()

  /** A transaction unlike others, as it was executed. */
  function executed(expiration: number) {
    const packed = makePackedTransaction(
      {
        expiration,
        ref_block_num: 0,
        ref_block_prefix: 0,
        ...plainTransaction([]),
      },
      [],
    )
    return { id: new Uint8Array(32).fill(1), expiration, packed }
  }

  /** Connects a node to a listener, and returns whether it gives blocks and transactions to it. */
  async function gives(listener: SocketNetworkOptions, dialed: string) {
    const server = await start({ listeners: [''], ...listener })
    const client = await start({ peers: [`127.0.0.1:${server.port()}${dialed}`] })
    const connection = await until('handshakes on both sides', () => {
      const [here] = server.connections
      const [there] = client.connections
      return here?.peer.connected && there?.peer.connected && here
    })
    const { chain, network } = client
    chain.fork_head = 101
    chain.execute(101)
    await sent(client)
    network.transactionAccepted(executed(0xffffffff))
    await sent(client)
    // What was sent before the ping is there when it is answered.
    const { peer } = client.connections[0]!
    peer.times.reset()
    network.state.tasks.run(() => peer.sendTime())
    await until('the answer to a ping', () => peer.ping_us !== Infinity)
    return {
      blocks: connection.peer.last_block_num === 101,
      transactions: server.chain.transactions.length === 1,
    }
  }

  const sent = ({ connections: [connection] }: SocketNetwork) =>
    until('everything is sent', () => connection!.waiting_bytes === 0)

  const both = { blocks: true, transactions: true }
  const blocks = { blocks: true, transactions: false }
  const transactions = { blocks: false, transactions: true }

  it('peers of a listener with trx or blk give it transactions or blocks alone', async () => {
    expect(await gives({ listeners: [''] }, '')).deep.equal(both)
    expect(await gives({ listeners: [':blk'] }, '')).deep.equal(blocks)
    expect(await gives({ listeners: [':trx'] }, '')).deep.equal(transactions)
    expect(await gives({ listeners: [':trx:1MB/s'] }, '')).deep.equal(transactions)
  })

  it('a peer whose address has trx or blk is given transactions or blocks alone', async () => {
    expect(await gives({}, ':blk')).deep.equal(blocks)
    expect(await gives({}, ':trx')).deep.equal(transactions)
    expect(await gives({ listeners: [':blk'] }, ':trx')).deep.equal(transactions)
  })

  it('a node that takes no transactions is given none', async () => {
    expect(await gives({ accept_transactions: false }, '')).deep.equal(blocks)
  })

  /** A peer that has the first block alone, and asks for the others. */
  function syncs(server: SocketNetwork, listener = 0): RawPeer {
    const raw = new RawPeer(server.port(listener))
    raws.push(raw)
    const node_id = new Uint8Array(32).fill(raws.length)
    raw.send(fakeHandshake(server.chain, server.clock.now(), { root: 1, head: 1, node_id }))
    raw.send({ kind: 'sync_request', start_block: 2, end_block: 100 })
    return raw
  }

  const all = Array.from({ length: 99 }, (_, i) => i + 2)
  const nums = (raw: RawPeer) => blockNums(raw.received)

  it('the rate of a listener bounds what each of its peers gets while it synchronizes', async () => {
    const rate = 100_000
    const server = await start({ listeners: [':100KB/s', ''] })
    const [slow, other] = [syncs(server), syncs(server)]
    const limited = await until('the first blocks', () => {
      const here = server.connections.filter(({ peer }) => peer.sender.throttled)
      return here.length === 2 && here
    })
    const free = syncs(server, 1)
    await until('all blocks without a limit', () => nums(free).length === all.length)
    expect(throttled(server)).deep.equal([1, 1, 0])
    const begin_us = server.clock.now()
    const largest = Math.max(...all.map((num) => server.chain.block(num).length)) + 5
    for (let seconds = 1; throttled(server).includes(1); seconds++) {
      while (server.clock.fire(begin_us + seconds * SECOND_US)) await idle(limited)
      for (const { peer } of limited) {
        if (!peer.sender.throttled) continue
        expect(peer.sender.bytes_sent).within(
          rate * (seconds - 0.2),
          rate * (seconds + 0.2) + largest,
        )
      }
    }
    await until('all blocks', () => [slow, other].every((raw) => nums(raw).length === all.length))
    for (const raw of [slow, other, free]) expect(nums(raw)).deep.equal(all)
  })

  const throttled = ({ network }: SocketNetwork) =>
    networkMetrics(network)
      .find(({ name }) => name === 'nodeos_p2p_block_sync_throttling')!
      .samples.map(({ value }) => value)

  async function idle(connections: readonly Connection[]): Promise<void> {
    do await turn()
    while (connections.some(({ waiting_bytes }) => waiting_bytes > 0))
    await turn()
  }

  it('the rate does not hold for hosts that the operator named as peers', async () => {
    const server = await start({ listeners: [':1B/s'], peers: ['127.0.0.1:1'] })
    const raw = syncs(server)
    await until('all blocks', () => nums(raw).length === all.length)
    expect(nums(raw)).deep.equal(all)
  })
})
