/** What the server does about requests as such: sizes, headers, methods, numbers, slowness. */
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { serverOptions } from '../../src/node/server_settings.ts'
import { parseOptions } from '../../src/options/parse.ts'
import type { Category } from '../../src/server/index.ts'
import { listen } from '../../src/server/listeners.ts'
import { ask } from '../support/http.ts'
import { temporaryFolder } from '../support/node_process.ts'
import { TestNode, type TestNodeOptions } from '../support/test_node.ts'
import { until } from '../support/wait.ts'

const INFO = '/v1/chain/get_info'
const LISTENER = { option: 'a test', categories: new Set<Category>() }

/** Holds this thread, and the server in it. */
function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

describe('server: requests as such', () => {
  let node: TestNode
  /** Removes what a test needs as long as its node runs. */
  let remove: () => void = () => {}

  afterEach(async () => {
    await node.stop()
    remove()
    remove = () => {}
    expect(node.faults).deep.equal([])
  })

  async function start(options: TestNodeOptions = {}): Promise<void> {
    node = await TestNode.start(options)
  }

  async function stillServes(): Promise<void> {
    expect((await node.chain('get_info')).status).equal(200)
  }

  it('GET and POST, no body and an empty one, any Content-Type: all the same', async () => {
    await start()
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) {
      for (const body of [undefined, '', '{}', ' {} \n']) {
        const answer = await node.ask(INFO, { method, body })
        expect(answer.status, `${method} ${body}`).equal(200)
        expect(answer.headers['content-type']).equal('application/json')
      }
    }
    const types = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'x', '']
    for (const type of types) {
      const headers = { 'content-type': type }
      const body = { account_name: 'eosio' }
      const answer = await node.ask('/v1/chain/get_account', { headers, body })
      expect(answer.body, type).include({ account_name: 'eosio' })
    }
  })

  it('HEAD has the headers of GET and no body', async () => {
    await start()
    const { status, text, headers } = await node.ask(INFO, { method: 'HEAD' })
    expect([status, text]).deep.equal([200, ''])
    expect(Number(headers['content-length'])).greaterThan(500)
  })

  it('a body that is too large is refused, with and without a declared length', async () => {
    await start({ argv: ['--max-body-size', '1000'] })
    const body = JSON.stringify({ account_name: 'eosio', filler: 'x'.repeat(2000) })
    const chunked = { 'transfer-encoding': 'chunked' }
    const gzip = { 'content-encoding': 'gzip' }
    const answers = [
      await node.ask('/v1/chain/get_account', { body }),
      await askRaw('/v1/chain/get_account', chunked, `${body.length.toString(16)}\r\n${body}\r\n`),
      await askRaw(
        '/v1/chain/get_account',
        { ...gzip, 'content-length': String(gzipSync(body).length) },
        gzipSync(body),
      ),
    ]
    for (const { status, body: error } of answers) {
      expect(status).equal(413)
      expect(error).deep.include({ code: 413, message: 'Payload Too Large' })
      expect(JSON.stringify(error)).include('the request body is larger than 1000 bytes')
    }
    const exact = JSON.stringify({ account_name: 'eosio', filler: '' })
    const fits = exact.replace('""', `"${'x'.repeat(1000 - exact.length)}"`)
    expect(fits.length).equal(1000)
    expect((await node.ask('/v1/chain/get_account', { body: fits })).status).equal(200)
  })

  it('an unknown encoding is an error', async () => {
    await start()
    const headers = { 'content-encoding': 'zebra' }
    const { status } = await node.ask('/v1/chain/get_account', { headers, body: '{}x' })
    expect(status).equal(400)
    await stillServes()
  })

  it('headers beyond 16 KiB and invalid HTTP are refused', async () => {
    await start()
    const headers = { 'x-filler': 'x'.repeat(20_000) }
    expect((await node.ask(INFO, { headers })).status).equal(431)
    for (const text of ['nonsense\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', '\x16\x03\x01\x02\x00\x01']) {
      expect(await converse(text)).match(/^HTTP\/1.1 400 /)
    }
    await stillServes()
  })

  it('a request without a Host header is refused', async () => {
    await start()
    for (const version of ['1.0', '1.1']) {
      const head = `GET ${INFO} HTTP/${version}\r\nConnection: close\r\n\r\n`
      const answer = await converse(head, false)
      expect(answer).match(/^HTTP\/1.1 400 /)
      expect(answer).include('Disallowed HTTP HOST header in the request')
    }
  })

  it('a client that says no more after its request gets its answer, and no client of half a one', async () => {
    const folder = temporaryFolder()
    remove = folder.remove
    await start({ folder: folder.path })
    const body = JSON.stringify({ account_name: 'eosio' })
    const head = `POST /v1/chain/get_account HTTP/1.1\r\nhost: ${host()}\r\n`
    const whole = `${head}content-length: ${body.length}\r\n\r\n${body}`
    expect(await converse(whole)).match(/^HTTP\/1.1 200 [^]*"account_name":"eosio"/)
    // An answer that takes its time.
    const snapshot = `POST /v1/producer/create_snapshot HTTP/1.1\r\nhost: ${host()}\r\n\r\n`
    expect(await converse(snapshot)).match(/^HTTP\/1.1 201 /)
    expect(await converse(whole.slice(0, -1))).match(/^HTTP\/1.1 400 /)
    expect(await converse(`${head}connection: keep-alive\r\n`)).match(/^HTTP\/1.1 400 /)
    expect(await converse('')).equal('')
    await stillServes()
  })

  it('lengths and hosts of which there is more than one, or that are none, are refused', async () => {
    await start()
    const wrong = [
      'content-length: 2\r\ncontent-length: 3',
      'content-length: 2\r\ncontent-length: 2',
      'content-length: 2, 2',
      'content-length: -2',
      'content-length: x',
      'content-length: 2\r\ntransfer-encoding: chunked',
      'transfer-encoding: chunked\r\ncontent-length: 2',
      'transfer-encoding: gzip',
      'transfer-encoding: chunked, identity',
      'transfer-encoding: chunked\r\ntransfer-encoding: gzip',
      'content-length: 2\r\nhost: localhost',
      'content-length: 2\r\nHOST: localhost',
      'content-length: 2\r\nhost: evil.example',
      'content-length : 2',
      'content-length: 2\r\n folded: x',
    ]
    for (const path of [INFO, '/v1/producer/pause']) {
      for (const headers of wrong) {
        const text = `POST ${path} HTTP/1.1\r\nhost: ${host()}\r\n${headers}\r\n\r\n{}`
        expect(await converse(text), headers).match(/^HTTP\/1.1 400 /)
      }
    }
    expect((await node.producer('paused')).body).equal(false)
  })

  it('a Host is needed even if it is not checked', async () => {
    await start({ argv: ['--http-validate-host=false'] })
    const ask = (lines: string) => converse(`GET ${INFO} HTTP/1.1\r\n${lines}\r\n`)
    expect(await ask('host: any.example\r\n')).match(/^HTTP\/1.1 200 /)
    expect(await ask('')).match(/^HTTP\/1.1 400 /)
    expect(await ask('host: a.example\r\nhost: a.example\r\n')).match(/^HTTP\/1.1 400 /)
  })

  it('a client that waits for 100 Continue gets it, or is refused at once', async () => {
    await start({ argv: ['--max-body-size', '1000'] })
    const body = '{"account_name":"eosio"}'
    const head = (path: string, length: number, more = '') =>
      `POST ${path} HTTP/1.1\r\nhost: ${host()}\r\nexpect: 100-continue\r\n${more}` +
      `content-length: ${length}\r\n\r\n`
    const path = '/v1/chain/get_account'

    const socket = await connected()
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    socket.write(head(path, body.length))
    await until('it is asked', () => text === 'HTTP/1.1 100 Continue\r\n\r\n')
    socket.write(body)
    await until('it is answered', () => text.includes('"account_name":"eosio"'))
    expect(text)
      .match(/\r\nHTTP\/1.1 200 OK\r\n/)
      .and.not.match(/connection: close/i)
    socket.destroy()

    const refused: [string, string, string][] = [
      [head(path, 1001), '413', 'the request body is larger than 1000 bytes'],
      [head(path, 9_999_999_999), '413', 'the request body is larger than 1000 bytes'],
      [head('/v1/nothing', 10), '404', 'Unknown Endpoint'],
      [head(path, 10, 'host: localhost\r\n'), '400', 'Disallowed HTTP HOST header'],
      [head('/v1/producer/pause', 2, 'origin: http://a.example\r\n'), '403', 'another site'],
    ]
    for (const [request, status, why] of refused) {
      // The server closes the connection: this client sends nothing more and does not end it.
      const answer = await converse(request, false)
      expect(answer)
        .match(new RegExp(`^HTTP/1.1 ${status} `))
        .and.include(why)
    }
    const odd = `GET ${INFO} HTTP/1.1\r\nhost: ${host()}\r\nexpect: a miracle\r\n\r\n`
    expect(await converse(odd)).match(/^HTTP\/1.1 200 /)
  })

  it('a client that is too slow is cut off; the others are served', async () => {
    await start({ argv: ['--http-request-timeout-ms', '100'] })
    const head = `POST ${INFO} HTTP/1.1\r\nhost: ${host()}\r\ncontent-length: 2\r\n`
    for (const text of ['POST', head, `${head}\r\n{`]) {
      const answer = converse(text, false)
      await stillServes()
      expect(await answer, text).match(/^(HTTP\/1.1 408 |$)/)
    }
  })

  it('Node.js closes no connection by the clock', async () => {
    await start()
    const values = parseOptions(['--data-dir', '/no/such/folder'])
    const options = serverOptions(values, { data_dir: '/no/such/folder', development: true })
    const address = { host: '127.0.0.1', port: 0 }
    const { server } = await listen({ address, ...LISTENER }, options)
    try {
      const { keepAliveTimeout, headersTimeout, requestTimeout, timeout } = server
      expect({ keepAliveTimeout, headersTimeout, requestTimeout, timeout }).deep.equal({
        keepAliveTimeout: 0,
        headersTimeout: 0,
        requestTimeout: 0,
        timeout: 0,
      })
    } finally {
      server.close()
    }
  })

  it('a request that arrived while the node was busy is answered, on a kept connection too', async () => {
    await start({ argv: ['--http-request-timeout-ms', '100'] })
    const head = `POST ${INFO} HTTP/1.1\r\nhost: ${host()}\r\ncontent-length: 2\r\n\r\n`
    const kept = await connected()
    const answers = answersOn(kept)
    kept.write(`${head}{}`)
    await until('an answer', () => answers() === 1)
    const half = await connected()
    const halves = answersOn(half)
    half.write(head.slice(0, 20))
    await until('it is read', () => half.bytesWritten === 20)
    const fresh = await connected()
    const freshes = answersOn(fresh)
    // Written to the system at once; this thread, which serves them too, reads nothing meanwhile.
    kept.write(`${head}{}`)
    half.write(`${head.slice(20)}{}`)
    fresh.write(`${head}{}`)
    block(1_000)
    await until('all are answered', () => answers() === 2 && halves() === 1 && freshes() === 1)
    kept.write(`${head}{}`)
    await until('the connection is kept', () => answers() === 3)
    for (const socket of [kept, half, fresh]) socket.destroy()
  })

  it('for a connection beyond the limit, the one that has waited longest is closed', async () => {
    await start({ argv: ['--http-max-connections', '3'] })
    const open: Socket[] = []
    for (let i = 0; i < 3; i++) open.push(await connected())
    const answers = answersOn(open[0]!)
    // The first one is used, so the second has waited longest.
    open[0]!.write(`GET ${INFO} HTTP/1.1\r\nhost: ${host()}\r\n\r\n`)
    await until('an answer', () => answers() === 1)
    expect((await node.chain('get_info')).status).equal(200)
    await until('one is closed', () => open.some((socket) => socket.destroyed))
    expect(open.map((socket) => socket.destroyed)).deep.equal([false, true, false])
    for (const socket of open) socket.destroy()
  })

  it('connections beyond the limit are closed at once while no other one can be', async () => {
    await start({ argv: ['--http-max-connections', '3'] })
    const open: Socket[] = []
    const path = '/v1/chain/get_account'
    const head = `POST ${path} HTTP/1.1\r\nhost: ${host()}\r\ncontent-length: 2\r\n`
    for (let i = 0; i < 3; i++) {
      const socket = await connected()
      open.push(socket)
      socket.write(`${head}expect: 100-continue\r\n\r\n`)
      await new Promise((resolve) => socket.once('data', resolve))
    }
    const closed = await ask(node.url, INFO).catch((error: NodeJS.ErrnoException) => error.code)
    expect(closed).match(/^(ECONNRESET|EPIPE)$/)
    expect(open.filter((socket) => socket.destroyed)).deep.equal([])
    for (const socket of open) socket.destroy()
    await until('there is room again', async () =>
      ask(node.url, INFO).then(
        ({ status }) => status === 200,
        () => false,
      ),
    )
  })

  it('requests beyond the limits are answered with 503', async () => {
    await start({
      argv: ['--http-max-in-flight-requests', '1', '--http-max-bytes-in-flight-mb', '1'],
    })
    const slow = await connected()
    slow.write(
      `POST /v1/chain/get_account HTTP/1.1\r\nhost: ${host()}\r\ncontent-length: 2\r\n\r\n{`,
    )
    const busy = await until('it is under way', async () => {
      const answer = await node.chain('get_info')
      return answer.status === 503 && answer
    })
    expect(busy.body).deep.equal({
      code: 503,
      message: 'Busy',
      error: { code: 503, name: 'Busy', what: 'Too many requests in flight: 2', details: [] },
    })
    slow.destroy()
    await until('it is over', async () => (await node.chain('get_info')).status === 200)
    const large = await node.chain('get_account', { filler: 'x'.repeat(1.5 * 2 ** 20) })
    expect(large.status).equal(503)
    expect(large.body)
      .nested.property('error.what')
      .match(/^Too many bytes in flight: /)
    await stillServes()
  })

  it('a body without a declared length counts as the largest', async () => {
    await start({ argv: ['--http-max-bytes-in-flight-mb', '1'] })
    const path = '/v1/chain/get_account'
    const chunked = { 'transfer-encoding': 'chunked' }
    const chunk = '1c\r\n{"account_name": "eosio"   }\r\n'
    expect((await askRaw(path, chunked, chunk)).status).equal(200)
    const slow = await connected()
    slow.write(`POST ${path} HTTP/1.1\r\nhost: ${host()}\r\ntransfer-encoding: chunked\r\n\r\n`)
    const { body } = await until('it is under way', async () => {
      const answer = await askRaw(path, chunked, chunk)
      return answer.status === 503 && answer
    })
    expect(body)
      .nested.property('error.what')
      .match(/^Too many bytes in flight: /)
    slow.destroy()
    await until('it is over', async () => (await askRaw(path, chunked, chunk)).status === 200)
  })

  it('http-keep-alive=false closes after each answer', async () => {
    await start({ argv: ['--http-keep-alive', 'false'] })
    expect(
      (await node.ask(INFO, { headers: { connection: 'keep-alive' } })).headers.connection,
    ).equal('close')
  })

  /** How many answers have come on a connection. */
  function answersOn(socket: Socket): () => number {
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    return () => text.split('HTTP/1.1 200 OK').length - 1
  }

  const host = () => new URL(node.url).host

  async function connected(): Promise<Socket> {
    const socket = connect(Number(new URL(node.url).port), '127.0.0.1')
    socket.on('error', () => socket.destroy())
    return new Promise((resolve) => socket.on('connect', () => resolve(socket)))
  }

  /** Sends a text, and answers what comes back until the server closes the connection. */
  async function converse(text: string | Buffer, end = true): Promise<string> {
    const socket = await connected()
    let answer = ''
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
    const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(answer)))
    if (end) socket.end(text)
    else socket.write(text)
    return closed
  }

  async function askRaw(path: string, headers: Record<string, string>, payload: string | Buffer) {
    const lines = Object.entries({ host: host(), connection: 'close', ...headers })
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const start = Buffer.from(`POST ${path} HTTP/1.1\r\n${head}\r\n`)
    const end = headers['transfer-encoding'] ? '0\r\n\r\n' : ''
    const answer = await converse(
      Buffer.concat([start, Buffer.from(payload), Buffer.from(end)]),
      false,
    )
    const status = Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1])
    return { status, body: JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as unknown }
  }
})
