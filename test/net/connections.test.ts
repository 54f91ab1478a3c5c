/** Connections as the API makes, ends and counts them. */
import type { Socket } from 'node:net'
import { expect } from 'chai'
import { encodeMessage } from '../../src/engine/protocol/net/codec.ts'
import { frame } from '../../src/engine/protocol/net/framing.ts'
import { until } from '../support/wait.ts'
import { RawPeer, startedNetworks, type SocketNetwork } from './support/socket_network.ts'

describe('connections', () => {
  const { start, raws } = startedNetworks()

  /** Lets all alarms of a cleanup period go off. */
  function passPeriod({ clock, network }: SocketNetwork): void {
    const end_us = clock.now() + network.state.options.connection_cleanup_us + 1000
    while (clock.fire(end_us));
  }

  const counts = ({ lines }: SocketNetwork) =>
    lines.filter((line) => line.startsWith('p2p client connections'))

  it('the log counts connections at each cleanup period, in the words of the reference', async () => {
    const server = await start({ listeners: [''], keepalive_us: 600_000_000 })
    const address = `127.0.0.1:${server.port()}`
    const client = await start({ peers: [address], keepalive_us: 600_000_000 })
    raws.push(new RawPeer(server.port()))
    await until('connections', () => {
      const open = server.connections.filter(({ peer }) => peer.is_open)
      return open.length === 2 && client.connections[0]?.peer.connected
    })
    passPeriod(server)
    expect(counts(server)).deep.equal([
      'p2p client connections: 2/25, peer connections: 0/0, block producer peers: 0',
    ])
    passPeriod(client)
    expect(counts(client)).deep.equal([
      'p2p client connections: 0/25, peer connections: 1/1, block producer peers: 0',
    ])
    const alone = await start({ listeners: [''] })
    passPeriod(alone)
    expect(counts(alone)).deep.equal([])
  })

  it('transactions of one turn of the event loop are sent in one write, other messages at once', async () => {
    const server = await start({ listeners: [''], keepalive_us: 600_000_000 })
    const raw = new RawPeer(server.port())
    raws.push(raw)
    await until('a connection', () => server.connections[0]?.peer.is_open)
    const [connection] = server.connections
    const { socket } = connection as unknown as { socket: Socket }
    let writes = 0
    const { cork } = socket
    socket.cork = () => (writes++, cork.call(socket))
    const nack = frame(encodeMessage({ kind: 'block_nack', id: new Uint8Array(32) }))
    for (let i = 0; i < 10; i++) connection!.send(nack, 'transactions', false)
    expect(writes).equal(0)
    connection!.send(nack, 'general', false)
    expect(writes).equal(1)
    await until('all messages', () => raw.received.length === 11)
    expect(writes).equal(2)
  })

  it('where clients are counted after their handshakes, a bounded number of others is connected', async () => {
    const producer_addresses = new Map([[1n, { host: 'there', port: '1', type: '' as const }]])
    const server = await start({
      listeners: [''],
      keepalive_us: 600_000_000,
      max_nodes_per_host: 1000,
      producer_addresses,
    })
    const all = Array.from({ length: 110 }, () => new RawPeer(server.port()))
    raws.push(...all)
    await until(
      'the last are closed',
      () => all.filter(({ socket }) => socket.closed).length === 10,
    )
    expect(server.connections).have.length(100)
  })

  it('a wrong address is not kept, and an address is connected to once', async () => {
    const server = await start({ listeners: [''], keepalive_us: 600_000_000 })
    const address = `127.0.0.1:${server.port()}`
    const client = await start({ keepalive_us: 600_000_000 })
    const { connections } = client.network
    expect(connections.connect('x'.repeat(1000))).equal('invalid peer address')
    expect(connections.connect(address)).equal('added connection')
    expect(connections.connect(address)).equal('already connected')
    // Another type is another address.
    expect(connections.connect(`${address}:blk`)).equal('added connection')
    await until('a connection', () => client.connections[0]?.peer.connected)
    passPeriod(client)
    expect(counts(client).at(-1)).match(/peer connections: \d\/2,/)
    expect(connections.disconnect(`${address}:trx`)).equal('no known connection for host')
    expect(connections.disconnect(address)).equal('connection removed')
    expect(connections.disconnect(address)).equal('no known connection for host')
    expect(client.connections.map(({ peer }) => peer.settings.address)).deep.equal([
      `${address}:blk`,
    ])
  })
})
