/** A stop of the server loses no answer that was given. */
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { expect } from 'chai'
import { Connections } from '../../src/server/connections.ts'

const REQUEST = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n'
/** More than the buffers of a connection hold. */
const LARGE = 32 * 1024 * 1024

const opened_servers: Server[] = []

async function opened(server: Server): Promise<Socket> {
  opened_servers.push(server)
  new Connections({ max_connections: 10, request_timeout_ms: 60_000 }).watch(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (await connected(server)).client
}

/** A new connection, when both of its ends are there. */
async function connected(server: Server): Promise<{ client: Socket; socket: Socket }> {
  const accepted = once(server, 'connection')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(client, 'connect')
  const [socket] = (await accepted) as [Socket]
  return { client, socket }
}

async function received(client: Socket): Promise<number> {
  let bytes = 0
  client.on('data', (chunk: Buffer) => (bytes += chunk.length))
  await once(client, 'close')
  return bytes
}

describe('server: stop', () => {
  afterEach(() => {
    for (const server of opened_servers.splice(0)) {
      server.close()
      server.closeAllConnections()
    }
  })

  it('sends an answer that is given in the same turn, and closes its connection', async () => {
    const server = createServer((_, response) => {
      response.end('an answer')
      server.close()
    })
    const client = await opened(server)
    client.write(REQUEST)
    expect(await received(client)).greaterThan('an answer'.length)
  })

  it('sends a large answer to its end', async () => {
    const server = createServer((_, response) => {
      response.end(Buffer.alloc(LARGE))
      server.close()
    })
    const client = await opened(server)
    client.write(REQUEST)
    expect(await received(client)).greaterThan(LARGE)
  })

  it('closes connections that wait for a request, and reads one that has begun to arrive', async () => {
    const server = createServer((_, response) => response.end('an answer'))
    const idle = await opened(server)
    const { client: begun, socket } = await connected(server)
    begun.write(REQUEST.slice(0, 10))
    while (socket.bytesRead === 0) await new Promise((resolve) => setImmediate(resolve))
    const idle_received = received(idle)
    server.close()
    expect(await idle_received).equal(0)
    begun.write(REQUEST.slice(10))
    const [answer] = (await once(begun, 'data')) as [Buffer]
    expect(answer.toString()).match(/^Connection: close\r$[^]*an answer$/m)
    await once(begun, 'close')
  })
})
