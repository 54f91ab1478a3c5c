/** What the server does about requests as such: sizes, headers, methods, numbers, slowness. */
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { ask } from '../support/http.ts'
import { temporaryFolder } from '../support/node_process.ts'
import { TestNode, type TestNodeOptions } from '../support/test_node.ts'
import { until } from '../support/wait.ts'

const INFO = '/v1/chain/get_info'

describe('server: requests as such', () => {
  let node: TestNode
  afterEach(async () => {
    await node.stop()
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

  it('a body that is too large is refused, with its length told or not', async () => {
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

  it('an encoding that nobody knows is an error', async () => {
    await start()
    const headers = { 'content-encoding': 'zebra' }
    const { status } = await node.ask('/v1/chain/get_account', { headers, body: '{}x' })
    expect(status).equal(400)
    await stillServes()
  })

  it('headers beyond 16 KiB are refused, and what is no HTTP', async () => {
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
    folder.remove()
  })

  it('two lengths, or a length that is none, are refused', async () => {
    await start()
    const lengths = [
      'content-length: 2\r\ncontent-length: 3',
      'content-length: -2',
      'content-length: x',
    ]
    for (const length of lengths) {
      const text = `POST ${INFO} HTTP/1.1\r\nhost: localhost\r\n${length}\r\n\r\n{}`
      expect(await converse(text), length).match(/^HTTP\/1.1 400 /)
    }
  })

  it('a client that is too slow is cut off; the others are served', async () => {
    await start({ argv: ['--http-request-timeout-ms', '100'] })
    const head = `POST ${INFO} HTTP/1.1\r\nhost: ${host()}\r\ncontent-length: 2\r\n`
    for (const text of ['', 'POST', head, `${head}\r\n{`]) {
      const answer = converse(text, false)
      await stillServes()
      expect(await answer, text).match(/^(HTTP\/1.1 408 |$)/)
    }
  })

  it('connections beyond the limit are closed at once', async () => {
    await start({ argv: ['--http-max-connections', '3'] })
    const open: Socket[] = []
    for (let i = 0; i < 3; i++) open.push(await connected())
    const closed = await ask(node.url, INFO).catch((error: NodeJS.ErrnoException) => error.code)
    expect(closed).equal('ECONNRESET')
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

  it('a body whose length is not told counts as the largest', async () => {
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
