/** Pages of other sites: what a browser sends for them, and what the node does about it. */
import { expect } from 'chai'
import { routes } from '../../generated/routes.ts'
import { foreignSite } from '../../src/server/cross_site.ts'
import { TestNode } from '../support/test_node.ts'

describe('server: pages of other sites', () => {
  let node: TestNode | undefined
  afterEach(async () => {
    expect(node?.faults ?? []).deep.equal([])
    await node?.stop()
    node = undefined
  })

  const evil = { origin: 'http://evil.example' }
  const allowed = (...origins: string[]) => new Set(origins)

  it('are recognized by their headers, which programs do not send', () => {
    const host = 'localhost:8888'
    const foreign: [string, object][] = [
      ['http://evil.example', evil],
      ['http://localhost:3000', { origin: 'http://localhost:3000' }],
      ['https://localhost', { origin: 'https://localhost' }],
      ['null', { origin: 'null' }],
      ['', { origin: '' }],
      ['cross-site', { 'sec-fetch-site': 'cross-site' }],
      ['same-site', { 'sec-fetch-site': 'same-site' }],
      ['http://evil.example', { referer: 'http://evil.example/page' }],
      ['null', { referer: 'about:client' }],
      ['http://evil.example', { ...evil, 'sec-fetch-site': 'same-origin' }],
      ['http://localhost:8888', { origin: `http://${host}`, 'sec-fetch-site': 'cross-site' }],
    ]
    for (const [site, headers] of foreign) {
      expect(foreignSite({ host, ...headers }, allowed()), JSON.stringify(headers)).equal(site)
    }
    const own = [
      {},
      { origin: 'http://localhost:8888' },
      { origin: 'https://LOCALHOST:8888', 'sec-fetch-site': 'same-origin' },
      { referer: 'http://localhost:8888/docs' },
      { 'sec-fetch-site': 'none' },
    ]
    for (const headers of own) {
      expect(foreignSite({ host, ...headers }, allowed()), JSON.stringify(headers)).equal(undefined)
    }
    for (const [, headers] of foreign) {
      expect(foreignSite({ host, ...headers }, allowed('*'))).equal(undefined)
    }
    const cross = { host, ...evil, 'sec-fetch-site': 'cross-site' }
    expect(foreignSite(cross, allowed('http://evil.example'))).equal(undefined)
    expect(foreignSite(cross, allowed('http://good.example'))).equal('http://evil.example')
  })

  it('get no operation that changes the node and is not signed, and all the others', async () => {
    node = await TestNode.start()
    for (const [path, { category }] of Object.entries(routes)) {
      const refused = ['producer_rw', 'snapshot', 'net_rw', 'dev'].includes(category)
      const { status } = await node.ask(path, { headers: evil, body: { account_name: 1 } })
      if (refused) expect(status, path).equal(403)
      else expect(status, path).not.equal(403)
    }
    const image = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }
    const answers = [
      await node.ask('/v1/producer/pause', { method: 'GET', headers: image }),
      await node.ask('/v1/producer/pause', {
        headers: { ...evil, 'content-type': 'text/plain' },
        body: '{}',
      }),
    ]
    expect(answers.map(({ status }) => status)).deep.equal([403, 403])
    expect(answers[0]!.body).deep.equal({
      code: 403,
      message: 'Forbidden',
      error: {
        code: 0,
        name: 'exception',
        what: 'unspecified',
        details: [
          {
            message:
              'a page of another site (cross-site) may not use producer_rw; http-control-origin can permit it',
            file: '',
            line_number: 0,
            method: '',
          },
        ],
      },
    })
    expect((await node.producer('paused')).body).equal(false)
    const own = { origin: node.url, 'sec-fetch-site': 'same-origin' }
    expect((await node.ask('/v1/producer/pause', { headers: own })).status).equal(201)
    expect((await node.producer('resume')).status).equal(201)
  })

  it('are let in by an option that names their origin', async () => {
    const pause = (headers: Record<string, string>) =>
      node!.ask('/v1/producer/pause', { headers }).then(({ status }) => status)
    const good = { origin: 'https://ops.example', 'sec-fetch-site': 'cross-site' }
    for (const option of ['http-control-origin', 'access-control-allow-origin']) {
      node = await TestNode.start({ argv: [`--${option}=https://ops.example`] })
      expect([await pause(good), await pause(evil)], option).deep.equal([201, 403])
      await node.stop()
    }
    // Whoever may read answers may not control the node for that.
    node = await TestNode.start({ argv: ['--access-control-allow-origin=*'] })
    expect([await pause(good), await pause(evil)]).deep.equal([403, 403])
    await node.stop()
    node = await TestNode.start({ argv: ['--http-control-origin=*'] })
    expect([await pause(good), await pause(evil)]).deep.equal([201, 201])
  })
})
