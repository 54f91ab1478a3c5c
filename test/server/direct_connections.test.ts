/** Connections that are served without node:http as long as their requests are plain. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect } from 'chai'
import { ChainError } from '../../src/engine/index.ts'
import { AnswerCache } from '../../src/server/answer_cache.ts'
import { Connections } from '../../src/server/connections.ts'
import { serveDirectly } from '../../src/server/direct_connections.ts'
import { DirectReads } from '../../src/server/direct_reads.ts'
import { directRequests } from '../../src/server/direct_requests.ts'
import { plainError } from '../../src/server/error_response.ts'
import { HttpMetrics } from '../../src/server/metrics.ts'
import { InFlight } from '../../src/server/request_guard.ts'
import { CATEGORIES, type ServerOptions } from '../../src/server/server_options.ts'
import { SocketClient } from '../support/socket_client.ts'
import { until } from '../support/wait.ts'

const READ = '/v1/chain/get_table_rows'

describe('server: connections without node:http', () => {
  let server: Server
  let connections: Connections
  let load: InFlight
  /** Requests that node:http read. */
  let by_http: string[]
  /** Account names that the operation was asked for. */
  let asked: string[]
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
    load = new InFlight()
    const options = {
      cors: { 'access-control-allow-origin': '*' },
      max_bytes_in_flight: Infinity,
      max_requests_in_flight: 10,
      max_body_size: 100_000,
    } as unknown as ServerOptions
    const operations = {
      answer: (_: unknown, body: unknown) => {
        const { account_name: name, size } = body as { account_name: string; size?: number }
        asked.push(name)
        if (name === 'nobody') throw new ChainError('exception', 'thrown')
        return { name, filler: 'x'.repeat(size ?? 0) }
      },
    }
    const deps = {
      load,
      cache: new AnswerCache(() => asked.length),
      metrics: new HttpMetrics(),
      operations,
      failureOf: (path: string, error: unknown) => ({
        status: 500,
        body: plainError(500, path, (error as Error).message),
      }),
    }
    const reads = new DirectReads(options, deps, new Set(CATEGORIES))
    const hosts = new Set(['x'])
    const http = directRequests(options, reads, hosts, (_, response) => response.end('otherwise'))
    server = createServer((request, response) => {
      by_http.push(request.url!)
      http(request, response)
    })
    Object.assign(server, { httpAllowHalfOpen: true })
    connections = new Connections({ max_connections, request_timeout_ms: 60_000 })
    connections.watch(server)
    serveDirectly(server, options, connections, reads, hosts)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  }

  const question = (name: unknown, more: object = {}, host = 'x') => {
    const body = JSON.stringify({ account_name: name, ...more })
    const length = Buffer.byteLength(body)
    return `POST ${READ} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${length}\r\n\r\n${body}`
  }

  class Client extends SocketClient {
    constructor() {
      super((server.address() as AddressInfo).port)
      sockets.push(this.socket)
    }

    get answers(): number {
      return this.text.split('HTTP/1.1 ').length - 1
    }

    /** Sends a piece and waits until there are so many more answers. */
    async send(piece: string, answers = 1): Promise<string> {
      const before = this.answers
      const length = this.text.length
      this.socket.write(piece)
      await until('it is answered', () => this.answers >= before + answers)
      return this.text.slice(length)
    }
  }

  it('answer the same bytes as node:http does', async () => {
    const requests = [
      question('alice'),
      question('älice'),
      question('nobody'),
      question('long', { size: 100_000 }),
      question('alice').replace('POST', 'GET'),
    ]
    const whole = (text: string) => text.replace(/Date: .{29}/, 'Date: then')
    for (const request of requests) {
      const direct = new Client()
      await direct.send(request)
      const http = new Client()
      // Two requests in one piece are not plain.
      await http.send(request + request, 2)
      await until('all has come', () => http.text.length === 2 * direct.text.length)
      expect(whole(whole(http.text))).equal(whole(direct.text).repeat(2))
      expect(direct.text).match(/\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/)
    }
    expect(by_http.length).equal(2 * requests.length)
  })

  it('read one plain request after the other', async () => {
    const client = new Client()
    for (const name of ['alice', 'bob', 'carol']) {
      expect(await client.send(question(name))).include(`"name":"${name}"`)
    }
    expect([asked, by_http]).deep.equal([['alice', 'bob', 'carol'], []])
  })

  it('are given to node:http with the first request that is not plain', async () => {
    const unusual = [
      question('bob') + question('carol'),
      question('bob').replace(READ, '/v1/chain/push_transaction'),
      question('bob').replace(READ, '/nowhere'),
      question('bob').replace('Host: x', 'Host: x\r\nTE: trailers'),
      question('bob', {}, 'y'),
      question('bob', { filler: 'x'.repeat(5000) }),
      question('bob', { limit: 1e30 }),
    ]
    for (const request of unusual) {
      const client = new Client()
      await client.send(question('alice'))
      expect(by_http, request).deep.equal([])
      await client.send(request)
      await client.send(question('alice'))
      expect(by_http.length, request).above(1)
      by_http = []
    }
  })

  it('give parts of a request to node:http', async () => {
    const request = question('alice')
    for (const at of [1, 10, 30, request.indexOf('{') - 1]) {
      const client = new Client()
      client.socket.write(request.slice(0, at))
      await until('it is read', () => !isDirect())
      expect(await client.send(request.slice(at))).include('"name":"alice"')
      client.socket.destroy()
      await until('it is gone', () => opened().length === 0)
    }
    expect(by_http.length).equal(4)
  })

  interface Opened {
    is_direct: boolean
    response?: { writableFinished: boolean }
  }
  const opened = () => [...(connections as unknown as { open: Map<Socket, Opened> }).open.values()]
  const isDirect = () => opened().every(({ is_direct }) => is_direct)

  it('leave a full node to node:http', async () => {
    load.requests = 10
    expect(await new Client().send(question('alice'))).include('otherwise')
    expect(by_http).deep.equal([READ])
  })

  it('read nothing more from a client that does not take its answer', async () => {
    const client = new Client()
    client.socket.pause()
    const size = 4 * 1024 * 1024
    let sent = 0
    for (; sent < 8; sent++) {
      client.socket.write(question(`a${sent}`, { size }))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(asked.length).below(5)
    client.socket.resume()
    await until('all are answered', () => client.text.length > sent * size)
    expect(asked).deep.equal(Array.from({ length: sent }, (_, i) => `a${i}`))
  })

  it('continue when a client takes many small answers late', async () => {
    const client = new Client()
    client.socket.pause()
    const size = 10_000
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    let sent = 0
    // Until the buffers of the system are full: then the server has an answer that it cannot send.
    for (; sent < 3000 && asked.length === sent; sent++) {
      client.socket.write(question(`a${sent}`, { size }))
      for (let i = 0; i < 50 && asked.length === sent; i++) await turn()
    }
    expect([sent < 3000, by_http]).deep.equal([true, []])
    client.socket.resume()
    await until('all are answered', () => client.text.length > sent * size)
    expect(await client.send(question('bob'))).include('"name":"bob"')
    expect(by_http).deep.equal([])
  })

  it('answer a client that sends no more', async () => {
    const client = new Client()
    client.socket.end(question('alice'))
    await client.closed()
    expect(client.text).include('"name":"alice"')
    expect(by_http).deep.equal([])
  })

  it('outlive clients that go away', async () => {
    const client = new Client()
    client.socket.write(question('alice', { size: 10_000_000 }))
    await until('it is asked', () => asked.length === 1)
    client.socket.resetAndDestroy()
    expect(await new Client().send(question('bob'))).include('"name":"bob"')
    await until('it is gone', () => opened().length === 1)
  })

  it('that have waited longest make room for new ones', async () => {
    server.close()
    await start(2)
    const [first, second] = [new Client(), new Client()]
    await first.send(question('first'))
    await second.send(question('second'))
    await first.send(question('again'))
    const third = new Client()
    await third.send(question('third'))
    await second.closed()
    expect([first.is_closed, third.is_closed]).deep.equal([false, false])
  })

  it('have all time that they need between requests', async () => {
    const client = new Client()
    await client.send(question('alice'))
    for (let i = 0; i < 100; i++) connections.turn()
    expect(await client.send(question('bob'))).include('"name":"bob"')
    expect(by_http).deep.equal([])
  })

  it('with a part of a request are closed after some turns', async () => {
    const client = new Client()
    await client.send(question('alice'))
    client.socket.write('POST')
    await until('it is read', () => !isDirect())
    for (let i = 0; i < 100; i++) connections.turn()
    await client.closed()
    expect(client.text).include('408 Request Timeout')
  })

  it('are closed with the server, when their answers are sent', async () => {
    const [idle, reading] = [new Client(), new Client()]
    await idle.send(question('alice'))
    reading.socket.pause()
    reading.socket.write(question('bob', { size: 10_000_000 }))
    await until('it is asked', () => asked.length === 2)
    const closed = new Promise<unknown>((resolve) => server.close(resolve))
    await idle.closed()
    expect(reading.is_closed).equal(false)
    reading.socket.resume()
    await reading.closed()
    expect(reading.text.length).above(10_000_000)
    expect(await closed).equal(undefined)
  })
})
