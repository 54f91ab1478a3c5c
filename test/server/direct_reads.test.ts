/** Short reads that are answered without koa, and requests that koa gets as if they had not been looked at. */
import { createServer, type RequestListener, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import Koa from 'koa'
import { ChainError } from '../../src/engine/index.ts'
import { AnswerCache } from '../../src/server/answer_cache.ts'
import { DirectReads } from '../../src/server/direct_reads.ts'
import { directRequests } from '../../src/server/direct_requests.ts'
import { plainError } from '../../src/server/error_response.ts'
import { jsonBody } from '../../src/server/json_body.ts'
import { metricsText } from '../../src/engine/services/metrics/metrics_text.ts'
import { HttpMetrics } from '../../src/server/metrics.ts'
import { InFlight } from '../../src/server/request_guard.ts'
import { payloadOf, send } from '../../src/server/send.ts'
import { CATEGORIES, type ServerOptions } from '../../src/server/server_options.ts'
import { until } from '../support/wait.ts'

const READ = '/v1/chain/get_table_rows'
const PUSH = '/v1/chain/push_transaction'
const ALICE = '{"account_name":"alice"}'
const BOB = '{"account_name":"bob"}'
const NOBODY = '{"account_name":"nobody"}'

describe('server: short reads without koa', () => {
  let server: Server
  let cache: AnswerCache
  let load: InFlight
  let metrics: HttpMetrics
  /** Bodies that koa parsed. */
  let parsed: unknown[]
  /** Bodies that an operation was asked with directly. */
  let asked: unknown[]

  beforeEach(() => start({}))

  async function start(special: Partial<ServerOptions>): Promise<void> {
    cache = new AnswerCache(
      () => 1,
      () => 0,
    )
    for (let i = 0; i < 2; i++) cache.keep('get_table_rows', ALICE, payloadOf('kept'), 1)
    parsed = []
    asked = []
    load = new InFlight()
    metrics = new HttpMetrics()
    const app = new Koa()
    app.use((ctx, next) => {
      ctx.state.headers = {}
      return next()
    })
    app.use(await jsonBody(100_000))
    app.use((ctx) => {
      parsed.push(ctx.request.body)
      send(ctx, 200, payloadOf('made'))
    })
    const operations = {
      answer: (_: unknown, body: unknown) => {
        asked.push(body)
        if (JSON.stringify(body) === NOBODY) throw new ChainError('exception', 'thrown')
        return 'direct'
      },
    }
    const failureOf = (path: string, error: unknown) => ({
      status: 500,
      body: plainError(500, path, (error as Error).message),
    })
    const deps = { load, cache, metrics, operations, failureOf }
    const options: Partial<ServerOptions> = {
      cors: {},
      max_bytes_in_flight: 1000,
      max_requests_in_flight: 10,
      max_body_size: 100_000,
      ...special,
    }
    const koa = app.callback() as RequestListener
    const reads = new DirectReads(options as ServerOptions, deps, new Set(CATEGORIES))
    const hosts = new Set(['x'])
    server = createServer(directRequests(options as ServerOptions, reads, hosts, koa))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  }

  afterEach(() => server.close())

  /** Sends the pieces one by one on one connection, and gives the answers' bodies. */
  async function exchange(pieces: (string | Buffer)[], answers: number): Promise<string[]> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.setNoDelay(true)
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    const bodies = () =>
      [...text.matchAll(/\r\n\r\n"(kept|direct|made)"/g)].map((match) => match[1]!)
    for (const piece of pieces) {
      await new Promise<void>((resolve) => socket.write(piece, () => resolve()))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await until('all are answered', () => bodies().length >= answers)
    socket.destroy()
    return bodies()
  }

  const head = (path: string, length: number, more = '') =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n${more}\r\n`
  const question = (path: string, body: string) => head(path, body.length) + body

  it('a kept answer is given without parsing', async () => {
    expect(await exchange([question(READ, ALICE)], 1)).deep.equal(['kept'])
    expect([parsed, asked]).deep.equal([[], []])
  })

  it('what was not asked before is answered by the operation, and kept when it is asked again', async () => {
    for (let i = 0; i < 3; i++) {
      expect(await exchange([question(READ, BOB)], 1)).deep.equal(['direct'])
    }
    const bob = { account_name: 'bob' }
    expect([parsed, asked]).deep.equal([[], [bob, bob]])
  })

  it('a request without a body is answered by the operation', async () => {
    const none = `GET ${READ} HTTP/1.1\r\nHost: x\r\n\r\n`
    expect(await exchange([none], 1)).deep.equal(['direct'])
    expect(await exchange([question(READ, '')], 1)).deep.equal(['direct'])
    expect([parsed, asked]).deep.equal([[], [undefined, undefined]])
  })

  it('requests that come in one piece are answered each, in their order', async () => {
    const all = [ALICE, BOB, ALICE, BOB, ALICE].map((body) => question(READ, body)).join('')
    const answers = ['kept', 'direct', 'kept', 'direct', 'kept']
    expect(await exchange([all], 5)).deep.equal(answers)
    const bob = { account_name: 'bob' }
    expect([parsed, asked]).deep.equal([[], [bob, bob]])
  })

  it('a body that comes after its head or in pieces is parsed', async () => {
    const apart = [head(READ, ALICE.length), ALICE.slice(0, 9), ALICE.slice(9)]
    const [answer] = await exchange([...apart, question(READ, ALICE)], 2)
    expect(answer).oneOf(['made', 'kept'])
    for (const body of parsed) expect(body).deep.equal({ account_name: 'alice' })
  })

  it('packed, chunked and long bodies, and clients that wait to be asked, are left to koa', async () => {
    const packed = gzipSync(ALICE)
    const gzip = head(READ, packed.length, 'Content-Encoding: gzip\r\n')
    const chunked = `POST ${READ} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`
    const long = JSON.stringify({ account_name: 'alice', filler: 'x'.repeat(5000) })
    const requests = [
      [gzip, packed],
      [`${chunked}${ALICE.length.toString(16)}\r\n${ALICE}\r\n0\r\n\r\n`],
      [question(READ, long)],
      [head(READ, ALICE.length, 'Expect: 100-continue\r\n'), ALICE],
    ]
    for (const pieces of requests) expect(await exchange(pieces, 1)).deep.equal(['made'])
    const alice = { account_name: 'alice' }
    expect(parsed).deep.equal([alice, alice, JSON.parse(long), alice])
    expect(asked).deep.equal([])
  })

  it('JSON that needs a closer look is left to koa', async () => {
    const bodies = ['{"limit":18446744073709551615}', '{"limit":1e1}', '\ufeff{"limit":1}']
    for (const body of bodies) {
      const pieces = [head(READ, Buffer.byteLength(body)) + body]
      expect(await exchange(pieces, 1), body).deep.equal(['made'])
    }
    expect(parsed).deep.equal([{ limit: '18446744073709551615' }, { limit: '1e1' }, { limit: 1 }])
    expect(asked).deep.equal([])
  })

  it('what an operation throws is answered, and not kept', async () => {
    const pieces = [question(READ, NOBODY), question(READ, ALICE)]
    expect(await exchange(pieces, 1)).deep.equal(['kept'])
    expect(cache.find('get_table_rows', NOBODY)).equal(undefined)
    expect([parsed, asked]).deep.equal([[], [JSON.parse(NOBODY)]])
    expect(metricsText(metrics.metrics())).include(`{handler="${READ}"} 2\n`)
  })

  it('bodies larger than the node takes, and nodes that check answers, are left to koa', async () => {
    for (const special of [{ validate_responses: true }, { max_body_size: BOB.length - 1 }]) {
      server.close()
      await start(special)
      expect(await exchange([question(READ, BOB)], 1)).deep.equal(['made'])
    }
    expect(asked).deep.equal([])
  })

  it('a request that is refused, or one too many, is not answered from there', async () => {
    const foreign = question(READ, ALICE).replace('Host: x', 'Host: y')
    const options = question(READ, ALICE).replace('POST', 'OPTIONS')
    for (const request of [foreign, options]) {
      expect(await exchange([request], 1)).deep.equal(['made'])
    }
    load.requests = 10
    expect(await exchange([question(READ, ALICE)], 1)).deep.equal(['made'])
    load.requests = 9
    load.bytes = 1000
    expect(await exchange([question(READ, ALICE)], 1)).deep.equal(['made'])
    load.bytes = 0
    expect(await exchange([question(READ, ALICE)], 1)).deep.equal(['kept'])
  })

  it('operations that change something are never answered from there', async () => {
    for (let i = 0; i < 2; i++) cache.keep('push_transaction', ALICE, payloadOf('kept'), 1)
    expect(await exchange([question(PUSH, ALICE)], 1)).deep.equal(['made'])
  })
})
