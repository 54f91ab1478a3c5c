/** Names of hosts that have several addresses. */
import dns from 'node:dns'
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { expect } from 'chai'
import { parseListenAddress } from '../../src/net/address.ts'
import { Listeners } from '../../src/net/listeners.ts'
import { until } from '../support/wait.ts'
import { startedNetworks } from './support/socket_network.ts'

/** An address that no machine has. */
const FOREIGN = '203.0.113.1'
const MANY = 'many.example'

describe('a name with several addresses', () => {
  const { start } = startedNetworks()
  const { lookup } = dns
  const { lookup: lookupPromised } = dns.promises
  let listeners: Listeners
  let failed: string[]

  beforeEach(() => {
    listeners = new Listeners()
    failed = []
  })

  afterEach(async () => {
    dns.lookup = lookup
    dns.promises.lookup = lookupPromised
    await listeners.close()
  })

  /** The name has these addresses. */
  function name(...addresses: string[]): void {
    const found = addresses.map((address) => ({ address, family: 4 }))
    dns.promises.lookup = (() => Promise.resolve(found)) as unknown as typeof lookupPromised
    const answer = (of: string, options: object, done: (error: null, all: object) => void) =>
      of === MANY ? done(null, found) : lookup(of, options, done as never)
    dns.lookup = answer as typeof lookup
  }

  const open = (
    onSocket: (socket: Socket) => void = (socket) => socket.destroy(),
  ): Promise<void> => {
    const text = `${MANY}:0`
    const listener = { text, address: parseListenAddress(text), public_address: text }
    return listeners.open([listener], onSocket, (address, { message }) =>
      failed.push(`${address} ${message}`),
    )
  }

  it('is listened on at each of them', async () => {
    name('127.0.0.1', '127.0.0.1')
    let accepted = 0
    await open((socket) => {
      accepted += 1
      socket.destroy()
    })
    const addresses = listeners.addresses()
    expect(addresses.map(({ host }) => host)).deep.equal(['127.0.0.1', '127.0.0.1'])
    for (const { host, port } of addresses) await once(connect(port, host).resume(), 'close')
    expect([accepted, failed]).deep.equal([2, []])
  })

  it('is listened on at those that this machine has', async () => {
    name(FOREIGN, '127.0.0.1')
    await open()
    expect(listeners.addresses().map(({ host }) => host)).deep.equal(['127.0.0.1'])
    expect(failed).have.length(1)
    expect(failed[0]).match(/^203\.0\.113\.1 listen EADDRNOTAVAIL/)
  })

  it('is refused if this machine has none of them, or it has none', async () => {
    name(FOREIGN)
    const failure = await open().catch((error: unknown) => error)
    expect(failure).property('code', 'EADDRNOTAVAIL')
    dns.promises.lookup = (() =>
      Promise.reject(
        Object.assign(new Error('no name'), { code: 'ENOTFOUND' }),
      )) as typeof lookupPromised
    const unknown = await open().catch((error: unknown) => error)
    expect(unknown).property('code', 'ENOTFOUND')
    expect([listeners.addresses(), failed]).deep.equal([[], []])
  })

  it('is connected to at the first one that answers', async () => {
    const server = await start({ listeners: [''], keepalive_us: 600_000_000 })
    const port = server.port()
    name('127.0.0.2', '127.0.0.1')
    const client = await start({ peers: [`${MANY}:${port}`], keepalive_us: 600_000_000 })
    await until('a connection', () => client.connections[0]?.peer.connected)
    expect(client.connections[0]!.remote_ip).equal('127.0.0.1')
  })
})
