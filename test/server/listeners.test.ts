/** Where the node listens, what each address serves, and to whom. */
import { once } from 'node:events'
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { routes } from '../../generated/routes.ts'
import { ask } from '../support/http.ts'
import { temporaryFolder } from '../support/node_process.ts'
import { PACKAGE, TestNode } from '../support/test_node.ts'

const METRICS_PATH = '/v1/prometheus/metrics'
const INFO = '/v1/chain/get_info'
const SUPPORTED = '/v1/node/get_supported_apis'

/** The list of paths leaves its own out. */
const told = (paths: readonly string[]) => paths.filter((path) => path !== SUPPORTED)

const pathsOf = (...categories: string[]) =>
  Object.keys(routes).filter((path) => categories.includes(routes[path]!.category))

/** The system's code of why an address cannot be listened on. */
const causeOf = (error: Error): string | undefined => (error.cause as NodeJS.ErrnoException).code

/** What browsers send. */
const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8'

describe('server: addresses', () => {
  let node: TestNode
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => {
    folder = temporaryFolder()
  })
  afterEach(async () => {
    await node.stop()
    expect(node.faults).deep.equal([])
    folder.remove()
  })

  const start = async (...argv: string[]) => {
    node = await TestNode.start({ argv })
  }

  it('by default one address of this machine serves everything', async () => {
    await start()
    expect(node.server.addresses).length(1)
    expect(node.url).match(/^http:\/\/127\.0\.0\.1:\d+$/)
    const { body } = await node.ask(SUPPORTED)
    // The metrics are not an operation of the contract.
    const apis = told([...Object.keys(routes), METRICS_PATH]).sort()
    expect(body).deep.equal({ apis })
  })

  it('each category can have an address of its own, and is unknown elsewhere', async () => {
    const socket = join(folder.path, 'producer.sock')
    await start(
      '--http-server-address=http-category-address',
      '--http-category-address=chain_ro,127.0.0.1:0',
      `--http-category-address=producer_ro,${socket}`,
      `--http-category-address=producer_rw,${socket}`,
      `--http-category-address=snapshot,${socket}`,
    )
    const [chain, producer] = node.server.addresses as [string, string]
    expect(producer).equal(`unix:${socket}`)
    const served: [string, string[]][] = [
      [chain, pathsOf('chain_info', 'chain_ro', 'node')],
      [producer, pathsOf('chain_info', 'producer_ro', 'producer_rw', 'snapshot', 'node')],
    ]
    for (const [url, paths] of served) {
      const { body } = await ask(url, SUPPORTED)
      expect((body as { apis: string[] }).apis).members(told(paths))
      expect((await ask(url, METRICS_PATH)).status).equal(404)
      for (const path of Object.keys(routes)) {
        // Nothing takes this body; so nothing is done, but who knows the path complains about it.
        const { status } = await ask(url, path, { body: '"nothing"' })
        expect(status, `${url}${path}`).equal(paths.includes(path) ? 400 : 404)
      }
    }
    expect((await ask(chain, '/v1/producer/pause')).status).equal(404)
    expect((await ask(producer, '/v1/producer/paused')).body).equal(false)
  })

  it('chain_rw alone takes transactions and answers no reads', async () => {
    await start(
      '--http-server-address=http-category-address',
      '--http-category-address=chain_rw,127.0.0.1:0',
    )
    const { body } = await node.ask(SUPPORTED)
    expect((body as { apis: string[] }).apis).members(
      told(pathsOf('chain_info', 'chain_rw', 'node')),
    )
    expect((await node.ask(INFO)).status).equal(200)
    expect((await node.chain('get_account', { account_name: 'eosio' })).status).equal(404)
  })

  it('a unix socket serves the same beside the address, and is removed at the end', async () => {
    const socket = join(folder.path, 'all.sock')
    await start(`--unix-socket-path=${socket}`)
    expect(statSync(socket).isSocket()).equal(true)
    const [tcp, unix] = node.server.addresses as [string, string]
    const account = { body: { account_name: 'eosio' } }
    for (const url of [tcp, unix]) {
      expect((await ask(url, '/v1/chain/get_account', account)).status).equal(200)
    }
    await node.stop()
    expect(existsSync(socket)).equal(false)
    await start(`--unix-socket-path=${socket}`)
    expect((await ask(`unix:${socket}`, INFO)).status).equal(200)
  })

  it('a socket file that a killed node left makes way; a live one and other files do not', async () => {
    const socket = join(folder.path, 'all.sock')
    const left = createServer().listen(join(folder.path, 'before.sock'))
    await once(left, 'listening')
    renameSync(join(folder.path, 'before.sock'), socket)
    const codeOf = (path: string) =>
      TestNode.start({ argv: [`--unix-socket-path=${path}`] }).then(() => undefined, causeOf)
    expect(await codeOf(socket)).equal('EADDRINUSE')
    left.close()
    await once(left, 'close')
    expect(existsSync(socket)).equal(true)
    await start(`--unix-socket-path=${socket}`)
    expect((await ask(`unix:${socket}`, INFO)).status).equal(200)
    const precious = join(folder.path, 'precious')
    writeFileSync(precious, 'mine')
    expect(await codeOf(precious)).equal('EADDRINUSE')
    expect(readFileSync(precious, 'utf8')).equal('mine')
  })

  it('an address that is taken is an error, and nothing stays open', async () => {
    await start()
    const { port } = new URL(node.url)
    const second = TestNode.start({ argv: [`--http-server-address=127.0.0.1:${port}`] })
    const error = await second.then(() => undefined, causeOf)
    expect(error).equal('EADDRINUSE')
  })

  it('a Host header must name this node', async () => {
    await start('--http-alias', 'node.example:80', 'other.example')
    const { port } = new URL(node.url)
    const ask_as = (host: string) => node.ask(INFO, { headers: { host } })
    for (const name of ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]', 'node.example']) {
      expect((await ask_as(`${name}:${port}`)).status, name).equal(200)
      expect((await ask_as(name)).status, name).equal(200)
    }
    expect((await ask_as('other.example:1')).status).equal(200)
    const wrong = ['evil.example', `evil.example:${port}`, '127.0.0.2', 'x:y:z', 'localhost.']
    for (const name of wrong) {
      const answer = await ask_as(name)
      expect(answer.status, `host "${name}"`).equal(400)
      const message = 'Disallowed HTTP HOST header in the request'
      expect(answer.body).deep.include({ code: 400, message }).and.have.property('error')
    }
  })

  it('a node that listens everywhere may be called by the address that was reached', async () => {
    await start('--http-server-address=0.0.0.0:0')
    const { port } = new URL(node.url)
    const status = async (host: string) =>
      (await ask(`http://127.0.0.5:${port}`, INFO, { headers: { host } })).status
    expect(await status(`127.0.0.5:${port}`)).equal(200)
    expect(await status(`127.0.0.6:${port}`)).equal(400)
    expect(await status('node.example')).equal(400)
  })

  it('http-validate-host=false lets every Host pass', async () => {
    await start('--http-validate-host', 'false')
    expect((await node.ask(INFO, { headers: { host: 'evil.example' } })).status).equal(200)
  })

  it('pages of any origin may use a node of this machine alone', async () => {
    await start()
    for (const path of [INFO, '/nowhere', '/openapi.json']) {
      const { headers } = await node.ask(path, { headers: { origin: 'http://app.example' } })
      expect(headers['access-control-allow-origin']).equal('*')
      expect(headers['access-control-allow-headers']).equal('*')
    }
    const preflight = await node.ask('/v1/chain/push_transaction', {
      method: 'OPTIONS',
      headers: {
        origin: 'http://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    })
    expect([preflight.status, preflight.text]).deep.equal([200, '{}'])
    expect(preflight.headers['access-control-allow-origin']).equal('*')
  })

  it('the CORS headers are those of the options', async () => {
    await start(
      '--access-control-allow-origin=http://app.example',
      '--access-control-allow-headers=X-One',
      '--access-control-max-age=60',
      '--access-control-allow-credentials',
    )
    const { headers } = await node.ask(INFO, { method: 'OPTIONS' })
    expect(headers).include({
      'access-control-allow-origin': 'http://app.example',
      'access-control-allow-headers': 'X-One',
      'access-control-max-age': '60',
      'access-control-allow-credentials': 'true',
    })
  })

  it('a node that other machines can reach accepts no web pages by default', async () => {
    await start('--http-server-address=0.0.0.0:0')
    const { port } = new URL(node.url)
    const { status, headers } = await ask(`http://127.0.0.1:${port}`, INFO)
    expect(status).equal(200)
    expect(headers).not.property('access-control-allow-origin')
  })

  it('serves the contract and its documentation from files', async () => {
    await start()
    const contract = await node.ask('/openapi.json', { method: 'GET' })
    expect(contract.headers['content-type']).equal('application/json')
    expect(contract.text).equal(readFileSync(join(PACKAGE, 'generated/openapi.json'), 'utf8'))
    const docs = await node.ask('/docs', { method: 'GET' })
    expect(docs.headers['content-type']).equal('text/html; charset=utf-8')
    expect(docs.text).match(/^<!DOCTYPE html>/i)
    expect(docs.text).not.match(/<(script|link)[^>]+(src|href)="https?:/)
  })

  it('sends a browser that asks for / to the documentation, and no other client', async () => {
    await start()
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await node.ask('/', { method, headers: { accept: BROWSER } })
      expect(status).equal(302)
      expect(headers).include({ location: '/docs' })
    }
    for (const [method, accept] of [
      ['GET', '*/*'],
      ['POST', BROWSER],
    ] as const) {
      expect((await node.ask('/', { method, headers: { accept } })).status).equal(404)
    }
  })

  it('pages name the port that serves them', async () => {
    await start()
    const { port } = new URL(node.url)
    const page = await node.ask('/docs/guides/start_a_chain', { method: 'GET' })
    expect(page.text).include(`curl -s http://127.0.0.1:${port}/v1/chain/get_info`)
    expect(page.text).not.include(':8888')
  })

  it('Prefer: return=minimal leaves the body of a submission out, and no other', async () => {
    await start()
    const headers = { prefer: 'respond-async, return=minimal' }
    const body = { accounts: ['alice'] }
    const added = await node.ask('/v1/producer/add_greylist_accounts', { headers, body })
    expect([added.status, added.text]).deep.equal([201, 'null'])
    expect(added.headers['preference-applied']).equal('return=minimal')
    const full = await node.ask('/v1/producer/add_greylist_accounts', {
      headers: { prefer: 'return=representation' },
      body,
    })
    expect(full.text).not.equal('null')
    expect(full.headers).not.property('preference-applied')
    const read = await node.ask('/v1/producer/get_greylist', { headers })
    expect(read.body).deep.equal({ accounts: ['alice'] })
    expect(read.headers).not.property('preference-applied')
    const failed = await node.ask('/v1/producer/add_greylist_accounts', {
      headers,
      body: { accounts: [] },
    })
    expect(failed.status).equal(400)
    expect(failed.body).nested.property('error.name', 'invalid_http_request')
  })
})
