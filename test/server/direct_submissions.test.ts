/** Submissions that are served without node:http: their answers come later. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect } from 'chai'
import { ChainError } from '../../src/engine/index.ts'
import { AnswerCache } from '../../src/server/answer_cache.ts'
import { Connections } from '../../src/server/connections.ts'
import { serveDirectly } from '../../src/server/direct_connections.ts'
import { DirectReads } from '../../src/server/direct_reads.ts'
import { DirectSubmissions } from '../../src/server/direct_submissions.ts'
import { plainError } from '../../src/server/error_response.ts'
import { HttpMetrics } from '../../src/server/metrics.ts'
import { InFlight } from '../../src/server/request_guard.ts'
import { CATEGORIES, type ServerOptions } from '../../src/server/server_options.ts'
import { SocketClient } from '../support/socket_client.ts'
import { until } from '../support/wait.ts'

/** Its answers are of any form here. */
const SEND = '/v1/chain/push_transactions'

interface Asked {
  name: string
  resolve: (value: unknown) => void
  reject: (error: Error) => void
}

describe('server: submissions without node:http', () => {
  let server: Server
  let connections: Connections
  let load: InFlight
  let by_http: string[]
  let asked: Asked[]
  let changes: number
  let sockets: Socket[]

  beforeEach(() => start(10))
  afterEach(() => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    server.close()
  })

  async function start(max_connections: number): Promise<void> {
    by_http = []
    asked = []
    sockets = []
    changes = 0
    load = new InFlight()
    const options = {
      cors: {},
      max_bytes_in_flight: Infinity,
      max_requests_in_flight: 3,
      max_body_size: 10_000,
    } as unknown as ServerOptions
    const deps = {
      load,
      cache: new AnswerCache(() => 0),
      metrics: new HttpMetrics(),
      operations: {
        answer: (_: unknown, body: unknown) => {
          const { name } = (body ?? {}) as { name?: string }
          if (name === undefined) throw new ChainError('exception', 'no name')
          return new Promise((resolve, reject) => asked.push({ name, resolve, reject }))
        },
      },
      failureOf: (path: string, error: unknown) => ({
        status: 500,
        body: plainError(500, path, (error as Error).message),
      }),
      onChange: () => changes++,
    }
    const categories = new Set(CATEGORIES)
    server = createServer((request, response) => {
      by_http.push(request.url!)
      response.end('otherwise')
    })
    Object.assign(server, { httpAllowHalfOpen: true })
    connections = new Connections({ max_connections, request_timeout_ms: 60_000 })
    connections.watch(server)
    serveDirectly(
      server,
      options,
      connections,
      new DirectReads(options, deps, categories),
      new Set(['x']),
      new DirectSubmissions(options, deps, categories),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  }

  const submission = (name: string, more: object = {}, headers = '') => {
    const body = JSON.stringify({ name, ...more })
    return `POST ${SEND} HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`
  }

  class Client extends SocketClient {
    constructor() {
      super((server.address() as AddressInfo).port)
      sockets.push(this.socket)
    }

    /** Sends a submission and waits until the operation has it. */
    async submit(piece: string): Promise<Asked> {
      const before = asked.length
      this.socket.write(piece)
      await until('it is asked', () => asked.length > before)
      return asked[before]!
    }

    answered(text: string): Promise<unknown> {
      return until(`it gets ${text}`, () => this.text.includes(text))
    }
  }

  it('are answered when the operation ends, and count as in progress until then', async () => {
    const client = new Client()
    for (const name of ['first', 'second']) {
      const { resolve } = await client.submit(submission(name))
      expect([load.requests, load.bytes]).deep.equal([1, JSON.stringify({ name }).length])
      resolve({ done: name })
      await client.answered(`{"done":"${name}"}`)
    }
    expect(client.text).match(/^HTTP\/1\.1 202 Accepted\r\n[^]*Connection: keep-alive\r\n\r\n\{/)
    expect([load.requests, load.bytes, changes, by_http]).deep.equal([0, 0, 2, []])
  })

  it('are refused with the error of the operation, at once or later', async () => {
    const client = new Client()
    client.socket.write(`POST ${SEND} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await client.answered('no name')
    const { reject } = await client.submit(submission('alice'))
    reject(new Error('refused'))
    await client.answered('refused')
    expect([load.requests, changes, by_http]).deep.equal([0, 2, []])
  })

  it('are given to node:http where something changes how they are answered', async () => {
    const unusual = [
      submission('a', {}, 'Prefer: return=minimal\r\n'),
      submission('a', { filler: 'x'.repeat(20_000) }),
      submission('a', { number: 1e30 }),
      submission('a').replace('{', '['),
      submission('a').replace('Host: x', 'Host: y'),
    ]
    for (const request of unusual) {
      const client = new Client()
      client.socket.write(request)
      await client.answered('otherwise')
    }
    expect([by_http.length, asked.length]).deep.equal([unusual.length, 0])
    load.requests = 3
    const client = new Client()
    client.socket.write(submission('a'))
    await client.answered('otherwise')
  })

  it('of one connection are read one after the other', async () => {
    const client = new Client()
    const first = await client.submit(submission('first'))
    client.socket.write(submission('second'))
    const other = new Client()
    // Its request comes later than the second of the first client.
    const third = await other.submit(submission('third'))
    expect(asked.map(({ name }) => name)).deep.equal(['first', 'third'])
    first.resolve({ done: 1 })
    await until('the second is asked', () => asked.length === 3)
    third.resolve({ done: 3 })
    asked[2]!.resolve({ done: 2 })
    await client.answered('{"done":2}')
    expect(client.text.indexOf('{"done":1}')).within(0, client.text.indexOf('{"done":2}'))
    expect(by_http).deep.equal([])
  })

  it('of a client that sends no more are answered before its connection ends', async () => {
    const client = new Client()
    client.socket.end(submission('alice'))
    await until('it is asked', () => asked.length === 1)
    for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve))
    asked[0]!.resolve({ done: 1 })
    await until('it is closed', () => client.is_closed)
    expect(client.text).include('{"done":1}')
  })

  it('of a client that goes away are done all the same', async () => {
    const client = new Client()
    const { resolve } = await client.submit(submission('alice'))
    client.socket.resetAndDestroy()
    await until('it is gone', () => load.requests === 1 && openConnections() === 0)
    resolve({})
    await until('it is done', () => load.requests === 0)
    expect(changes).equal(1)
  })

  const openConnections = () => (connections as unknown as { open: Map<Socket, unknown> }).open.size

  it('keep their connections when others need room', async () => {
    server.close()
    await start(2)
    const [first, second] = [new Client(), new Client()]
    const waiting = await first.submit(submission('first'))
    const idle = await second.submit(submission('second'))
    idle.resolve({})
    await second.answered('{}')
    const third = new Client()
    await third.submit(submission('third'))
    await until('the idle one is closed', () => second.is_closed)
    waiting.resolve({ done: 1 })
    await first.answered('{"done":1}')
  })

  it('are answered when the server closes, and their connections end then', async () => {
    const client = new Client()
    const { resolve } = await client.submit(submission('alice'))
    const closed = new Promise<unknown>((done) => server.close(done))
    for (let i = 0; i < 10; i++) await new Promise((turn) => setImmediate(turn))
    expect(client.is_closed).equal(false)
    resolve({ done: 1 })
    await until('it is closed', () => client.is_closed)
    expect(client.text).match(/Connection: close\r\n\r\n\{"done":1\}$/)
    expect(await closed).equal(undefined)
  })

  it('that follow the one after which the connection ends are not done, and do not keep it open', async () => {
    const client = new Client()
    const { resolve } = await client.submit(submission('first'))
    client.socket.write(submission('second'))
    const [accepted] = (connections as unknown as { open: Map<Socket, unknown> }).open.keys()
    await until('the second has arrived', () => accepted!.readableLength > 0)
    const closed = new Promise<unknown>((done) => server.close(done))
    resolve({ done: 1 })
    await until('it is closed', () => client.is_closed)
    expect(client.text).match(/Connection: close\r\n\r\n\{"done":1\}$/)
    expect(await closed).equal(undefined)
    expect([asked.length, by_http]).deep.equal([1, []])
  })

  it('that come after the last answer are not done', async () => {
    const client = new Client()
    client.socket.allowHalfOpen = true
    const { resolve } = await client.submit(submission('first'))
    server.close()
    resolve({ done: 1 })
    await client.answered('{"done":1}')
    client.socket.end(submission('second'))
    await until('it is closed', () => client.is_closed)
    expect([asked.length, by_http]).deep.equal([1, []])
  })
})
