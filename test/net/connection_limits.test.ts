/** Which connections of other nodes are taken, and when those that ended are made again. */
import { EventEmitter, once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { expect } from 'chai'
import { parseListenAddress } from '../../src/net/address.ts'
import type { NetworkOptions } from '../../src/net/network_options.ts'
import type { PeerChain } from '../../src/net/peer_chain.ts'
import { PeerNetwork } from '../../src/net/peer_network.ts'
import { until } from '../support/wait.ts'
import { startedNetworks, type SocketNetwork } from './support/socket_network.ts'
import { StubNetwork } from './support/stub_peer.ts'

/** A socket of another node, as far as a connection needs one. */
class FakeSocket extends EventEmitter {
  readonly remoteAddress: string
  readonly remotePort = 5
  destroyed = false

  constructor(remoteAddress: string) {
    super()
    this.remoteAddress = remoteAddress
  }

  destroy(): void {
    this.destroyed = true
  }

  setNoDelay(): void {}
}

describe('connections of other nodes', () => {
  let network: PeerNetwork

  function start(options: Partial<NetworkOptions>): void {
    const stub = new StubNetwork(options)
    network = new PeerNetwork(stub.state.options, {
      chain: stub.chain as Partial<PeerChain> as PeerChain,
      clock: stub.clock,
      log: () => {},
    })
  }

  afterEach(() => network.stop())

  /** Whether a connection from this address is taken. */
  function accepts(ip: string): boolean {
    const socket = new FakeSocket(ip)
    const text = '127.0.0.1:9876'
    const listener = { text, address: parseListenAddress(text), public_address: text }
    network.connections.accept(socket as unknown as Socket, listener)
    return !socket.destroyed
  }

  const close = (index: number): void =>
    network.state.tasks.run(() => [...network.connections][index]!.peer.close(false))

  it('from one address are limited, however the address is written', () => {
    start({ max_nodes_per_host: 2, max_clients: 0 })
    const addresses = [
      '10.0.0.1',
      '::ffff:10.0.0.1',
      '10.0.0.1',
      '::ffff:10.0.0.1',
      '10.0.0.2',
      '2001:db8::1',
    ]
    expect(addresses.map(accepts)).deep.equal([true, true, false, false, true, true])
    expect([...network.connections].map(({ remote_ip }) => remote_ip)).deep.equal([
      '10.0.0.1',
      '10.0.0.1',
      '10.0.0.2',
      '2001:db8::1',
    ])
    // One that ended makes room.
    close(0)
    expect(accepts('10.0.0.1')).equal(true)
    // One that this node made does not count.
    start({ max_nodes_per_host: 1, max_clients: 1 })
    expect(accepts('10.0.0.1')).equal(true)
    const [made] = [...network.connections]
    Object.defineProperty(made!.peer, 'is_incoming', { value: false })
    expect(accepts('10.0.0.1')).equal(true)
    start({ max_nodes_per_host: 0 })
    expect(accepts('10.0.0.1')).equal(false)
  })

  it('of all addresses are limited, unless the limit is 0', () => {
    start({ max_nodes_per_host: 100, max_clients: 2 })
    expect([1, 2, 3].map((i) => accepts(`10.0.0.${i}`))).deep.equal([true, true, false])
    close(1)
    expect([4, 5].map((i) => accepts(`10.0.0.${i}`))).deep.equal([true, false])
    start({ max_nodes_per_host: 100, max_clients: 0 })
    expect(Array.from({ length: 40 }, (_, i) => accepts(`10.0.0.${i}`))).not.include(false)
  })

  it('may be producers where these are peers, so they are counted later', () => {
    const address = { host: 'there', port: '1', type: '' as const }
    start({ max_clients: 1, producer_addresses: new Map([[5n, address]]) })
    expect([1, 2, 3].map((i) => accepts(`10.0.0.${i}`))).deep.equal([true, true, true])
  })

  it('are not taken after the end', async () => {
    start({})
    await network.stop()
    expect(accepts('10.0.0.1')).equal(false)
  })
})

describe('connections that ended', () => {
  const { start } = startedNetworks()
  /** A node that ends each connection at once. */
  let server: Server
  let attempts: number

  beforeEach(async () => {
    attempts = 0
    server = createServer((socket) => {
      attempts += 1
      socket.on('error', () => {}).destroy()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })

  afterEach(() => server.close())

  const starts = (): Promise<SocketNetwork> =>
    start({ peers: [`127.0.0.1:${(server.address() as AddressInfo).port}`], keepalive_us: 1e12 })

  const stateOf = ({ connections: [connection] }: SocketNetwork) => connection?.peer.state

  const ended = (network: SocketNetwork, count: number): Promise<unknown> =>
    until('the end of a connection', () => attempts === count && stateOf(network) === 'closed')

  function pass({ clock }: SocketNetwork, us: number): void {
    const end_us = clock.now() + us
    while (clock.fire(end_us));
    clock.set(end_us)
  }

  const passPeriod = (network: SocketNetwork): void =>
    pass(network, network.network.state.options.connection_cleanup_us)

  it('are made again at each cleanup period, and at each second one after ten that ended at once', async () => {
    const client = await starts()
    for (let count = 1; count <= 10; count++) {
      await ended(client, count)
      passPeriod(client)
      if (count < 10) expect(stateOf(client), String(count)).equal('connecting')
    }
    expect(stateOf(client)).equal('closed')
    passPeriod(client)
    expect(stateOf(client)).equal('connecting')
    await ended(client, 11)
  })

  it('are made again after 100 ms if that was asked for', async () => {
    const client = await starts()
    await ended(client, 1)
    const [connection] = client.connections
    // It is open again, and the peer is asked to be connected to once more.
    passPeriod(client)
    expect(stateOf(client)).equal('connecting')
    client.network.state.tasks.run(() => connection!.peer.close(true))
    expect(stateOf(client)).equal('closed')
    pass(client, 99_000)
    expect(stateOf(client)).equal('closed')
    pass(client, 2000)
    expect(stateOf(client)).equal('connecting')
  })

  it('are made again only for reasons that may pass', async () => {
    const again: Record<string, boolean> = {
      no_reason: true,
      wrong_version: true,
      duplicate: true,
      self: false,
      wrong_chain: false,
      forked: false,
      fatal_other: false,
      authentication: false,
    }
    for (const [reason, is_again] of Object.entries(again)) {
      const client = await starts()
      await until('the end of a connection', () => stateOf(client) === 'closed')
      const { peer } = client.connections[0]!
      peer.no_retry = reason as 'self'
      passPeriod(client)
      expect(stateOf(client), reason).equal(is_again ? 'connecting' : undefined)
      expect(peer.no_retry).equal(is_again && reason !== 'wrong_version' ? 'no_reason' : reason)
      const lost = client.lines.filter((line) => line.includes('will not be connected to again'))
      expect(lost).have.length(is_again ? 0 : 1)
      await client.network.stop()
    }
  })

  it('are made again after a whole period if the reason was a benign one', async () => {
    const client = await starts()
    await ended(client, 1)
    client.connections[0]!.peer.no_retry = 'benign_other'
    passPeriod(client)
    expect(stateOf(client)).equal('closed')
    passPeriod(client)
    expect(stateOf(client)).equal('connecting')
  })
})
