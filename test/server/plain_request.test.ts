/** Plain requests: what is read as one, and that node:http reads the same. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect } from 'chai'
import fc from 'fast-check'
import { PlainRequests, plainHead, type PlainHead } from '../../src/server/plain_request.ts'

const INFO = '/v1/chain/get_info'
const LINE = `POST ${INFO} HTTP/1.1`

describe('server: plain requests', () => {
  const requests = () => new PlainRequests<PlainHead>((head) => head)
  const read = (text: string) => requests().read(Buffer.from(text, 'latin1'))

  it('have a method, a path, a Host and a length', () => {
    expect(plainHead(`${LINE}\r\nhost: a:1\r\nContent-Length:  12 \r\nAccept: */*`)).deep.equal({
      method: 'POST',
      path: INFO,
      host: 'a:1',
      length: 12,
      prefers: false,
    })
    expect(plainHead(`GET / HTTP/1.1\r\nHost: x\r\nPREFER: y`)).deep.equal({
      method: 'GET',
      path: '/',
      host: 'x',
      length: 0,
      prefers: true,
    })
  })

  it('are read where their bytes are exactly one request', () => {
    const head = `${LINE}\r\nHost: x\r\nContent-Length: 2\r\n\r\n`
    expect(read(`${head}{}`)?.body_at).equal(head.length)
    for (const text of [head, `${head}{`, `${head}{} `, `${head}{}${head}{}`, '', '\r\n\r\n']) {
      expect(read(text), text).equal(undefined)
    }
    expect(read(`${LINE}\r\nHost: x\r\nX: ${'y'.repeat(3000)}\r\n\r\n`)).equal(undefined)
  })

  it('with a known head are read as the first one was', () => {
    const known = requests()
    const text = Buffer.from(`${LINE}\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`)
    const first = known.read(text)
    expect(known.read(text)).deep.equal(first)
    expect(known.read(text.subarray(0, -1))).equal(undefined)
    for (let i = 0; i < 2000; i++) {
      known.read(Buffer.from(`${LINE}\r\nHost: x${i}\r\nContent-Length: 0\r\n\r\n`))
    }
    expect(known.read(text)).deep.equal(first)
  })

  it('have no other form', () => {
    const wrong = [
      `POST ${INFO} HTTP/1.0\r\nHost: x`,
      `HEAD ${INFO} HTTP/1.1\r\nHost: x`,
      `OPTIONS ${INFO} HTTP/1.1\r\nHost: x`,
      `POST  ${INFO} HTTP/1.1\r\nHost: x`,
      `POST ${INFO}?a HTTP/1.1\r\nHost: x`,
      `POST http://x${INFO} HTTP/1.1\r\nHost: x`,
      `\r\n${LINE}\r\nHost: x`,
      `${LINE}`,
      `${LINE}\r\nHost:`,
      `${LINE}\r\nHost: x\r\nHost: x`,
      `${LINE}\r\nHost : x`,
      `${LINE}\r\n Host: x`,
      `${LINE}\r\nHost: x\r\n y`,
      `${LINE}\nHost: x`,
      `${LINE}\r\nHost: x\ny: z`,
      `${LINE}\r\nHost: x\ry: z`,
      `${LINE}\r\nHost: x\0`,
      `${LINE}\r\nHost: \xe4`,
      ...['-1', '+1', '0x1', '1 1', '1,1', '', '12345678', '1\r\nContent-Length: 1'].map(
        (length) => `${LINE}\r\nHost: x\r\nContent-Length: ${length}`,
      ),
      ...['Connection: close', 'Connection: upgrade', 'Connection: keep-alive, x'].map(
        (field) => `${LINE}\r\nHost: x\r\n${field}`,
      ),
      ...['Transfer-Encoding: chunked', 'Content-Encoding: gzip', 'Expect: 100-continue'].map(
        (field) => `${LINE}\r\nHost: x\r\n${field}`,
      ),
      `${LINE}\r\nHost: x\r\nUpgrade: h2c`,
    ]
    for (const text of wrong) expect(plainHead(text), JSON.stringify(text)).equal(undefined)
  })

  describe('beside node:http', () => {
    let server: Server
    let got: IncomingMessage[]

    before(async () => {
      server = createServer({ requireHostHeader: false }, (request, response) => {
        got.push(request)
        response.end('answered')
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    })
    after(() => server.close())

    async function byHttp(text: string): Promise<IncomingMessage[]> {
      got = []
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      const done = new Promise((resolve) => socket.on('data', resolve).on('close', resolve))
      socket.write(text, 'latin1')
      await done
      socket.destroy()
      return got
    }

    /** Pieces of heads: usual ones, and those that readers of HTTP have confused. */
    const piece = fc.oneof(
      fc.constantFrom('GET', 'POST', ' ', INFO, 'HTTP/1.1', 'HTTP/1.0', '/', '.', ':', ': ', '\t'),
      fc.constantFrom('\r\n', '\n', '\r', '\r\n\r\n', '\r\n ', '\0', '\xa0', '\xe4', ',', '"', '@'),
      fc.constantFrom('Host', 'host', 'Content-Length', 'content-length', 'Accept', 'X', '0', '1'),
      fc.constantFrom('Prefer', 'prefer', 'return=minimal'),
      fc.constantFrom('Connection', 'keep-alive', 'close', 'Transfer-Encoding', 'chunked', 'a b'),
    )
    const field = fc.oneof(
      { arbitrary: fc.constantFrom('Host: x', 'Content-Length: 0', 'Prefer: x'), weight: 4 },
      { arbitrary: fc.array(piece, { maxLength: 5 }).map((parts) => parts.join('')), weight: 1 },
      fc.tuple(piece, piece).map(([name, value]) => `${name}: ${value}`),
    )
    const head = fc.array(field, { maxLength: 5 }).map((fields) => [LINE, ...fields].join('\r\n'))

    it('every plain request is the same request', async function () {
      this.timeout(240_000)
      let plain_ones = 0
      const same = fc.asyncProperty(head, async (text) => {
        const plain = plainHead(text)
        if (!plain) return
        plain_ones++
        const requests = await byHttp(`${text}\r\n\r\n${'y'.repeat(plain.length)}`)
        expect(requests.length, text).equal(1)
        const { method, url, headers, httpVersion } = requests[0]!
        const length = Number(headers['content-length'] ?? 0)
        const prefers = headers.prefer !== undefined
        expect({ method, path: url, host: headers.host, length, prefers }).deep.equal(plain)
        expect(httpVersion).equal('1.1')
        expect(headers['transfer-encoding']).equal(undefined)
      })
      await fc.assert(same, { numRuns: 3000 })
      expect(plain_ones).above(100)
    })
  })
})
