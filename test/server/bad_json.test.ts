/** Bodies and paths that are nothing: an error each, nothing changed, nothing logged. */
import { expect } from 'chai'
import { routes } from '../../generated/routes.ts'
import { ask, type AskOptions } from '../support/http.ts'
import { StandingNode } from '../support/standing_node.ts'

interface ErrorAnswer {
  code: number
  message: string
  error: { code: number; name: string; what: string; details: { message: string }[] }
}

const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth)

/** What no operation takes for a body. */
const NO_JSON: Record<string, string> = {
  'half an object': '{"account_name": "alice"',
  'no value': '{"account_name":}',
  'a word': 'alice',
  'single quotes': "{'account_name': 'alice'}",
  'two values': '{} {}',
  'a comment': '{} // nothing',
  'a trailing comma': '{"account_name": "alice",}',
  'a form': 'account_name=alice',
  'a control character': '{"account_name": "ali\u0001ce"}',
  'an infinite number': '{"limit": Infinity}',
  '201 levels of arrays': nested(201),
  '201 levels of objects': `${'{"a":'.repeat(201)}1${'}'.repeat(201)}`,
  'a million levels': nested(1_000_000),
  'a million levels, never closed': '['.repeat(1_000_000),
}

/** JSON that is not an object of fields. */
const NO_FIELDS: Record<string, string> = {
  'a text': '"alice"',
  'a number': '5',
  'a list': '["alice"]',
  'a flag': 'true',
  null: 'null',
}

const ADDRESSED: ReadonlySet<string> = new Set(['connect', 'disconnect', 'status'])

const NO_PATHS = [
  '/',
  '/v1',
  '/v1/chain',
  '/v1/chain/',
  '/v1/chain/get_nothing',
  '/v1/chain/get_info/',
  '/v1/chain/get_info?verbose=1',
  '/v1/chain/get_info#top',
  '/v1/chain/GET_INFO',
  '/v1/chain/get_inf%6f',
  '//v1/chain/get_info',
  '/v1//chain/get_info',
  '/v1/producer/get_info',
  '/v2/chain/get_info',
  '/v1/history/get_actions',
  '/v1/chain/__proto__',
  '/__proto__',
  '/constructor',
  '/docs/',
  '/openapi.json?x',
  '/%00',
  `/${'a'.repeat(4000)}`,
]

describe('server: requests that are nothing', () => {
  let standing: StandingNode
  before(async () => {
    standing = await StandingNode.start()
  })
  after(() => standing.end())

  /** Sends what must be refused, and checks that it left no trace. */
  async function refused(path: string, options: AskOptions, status: number): Promise<ErrorAnswer> {
    const { fingerprint } = standing
    const answer = await ask(standing.node.url, path, options)
    expect(answer.status, answer.text.slice(0, 300)).equal(status)
    expect(answer.headers['content-type']).equal('application/json')
    const body = answer.body as ErrorAnswer
    expect(body.code).equal(status)
    expect(standing.fingerprint).equal(fingerprint)
    return body
  }

  for (const [what, body] of Object.entries(NO_JSON)) {
    it(`${what} is not a body`, async () => {
      const { error } = await refused('/v1/chain/get_account', { body }, 400)
      expect(error.name).equal('invalid_http_request')
      expect(error.details[0]!.message).equal('Unable to parse valid input from POST body')
    })
  }

  for (const [what, body] of Object.entries(NO_FIELDS)) {
    it(`${what} is not a body of fields, for no operation`, async () => {
      for (const [path, { operationId }] of Object.entries(routes)) {
        // This one takes a list.
        if (operationId === 'push_transactions' && what === 'a list') continue
        // These take the address of a peer, and a number as its text.
        if (ADDRESSED.has(operationId) && /text|number/.test(what)) continue
        const { error } = await refused(path, { body }, 400)
        // The trace API answers without an error of the chain, as in the reference.
        const name = path.startsWith('/v1/trace_api/') ? '' : 'invalid_http_request'
        expect(error.name, path).equal(name)
      }
    })
  }

  it('an operation that needs a body refuses a request without one', async () => {
    const needy = Object.entries(routes).filter(([, { body }]) => body === 'required')
    expect(needy.length).greaterThan(20)
    for (const [path] of needy) {
      for (const options of [{}, { body: '' }, { body: ' \r\n' }, { body: '{}' }]) {
        const { error } = await refused(path, options, 400)
        expect(error.details[0]!.message, path).equal('A Request body is required')
      }
    }
  })

  it('an operation that takes none refuses fields', async () => {
    const without = Object.entries(routes).filter(([, { body }]) => body === 'none')
    expect(without.length).greaterThan(5)
    for (const [path] of without) {
      const { error } = await refused(path, { body: { field: 1 } }, 400)
      expect(error.details[0]!.message, path).equal('Unable to parse valid input from POST body')
    }
  })

  for (const path of NO_PATHS) {
    it(`there is nothing at ${path.slice(0, 40)}`, async () => {
      for (const options of [{}, { method: 'GET' }, { body: '{}' }, { body: 'no JSON' }]) {
        const { error, message } = await refused(path, options, 404)
        expect(message).equal('Not Found')
        expect(error.details[0]!.message).equal('Unknown Endpoint')
      }
    })
  }

  it('a path that climbs, and one that is an address, are illegal', async () => {
    for (const path of [
      '/v1/chain/../chain/get_info',
      '/..',
      'http://127.0.0.1/v1/chain/get_info',
      '*',
    ]) {
      const { message, error } = await refused(path, { body: '{}' }, 400)
      expect(message).equal('Illegal request-target')
      expect(error).deep.equal({ code: 0, name: '', what: '', details: [] })
    }
  })

  it('200 levels are JSON like any other', async () => {
    const body = `{"account_name":"eosio","deep":${nested(199)}}`
    expect((await standing.node.ask('/v1/chain/get_account', { body })).status).equal(200)
  })
})
