/** What an error says beside the reference's text, where verbose-http-errors is on. */
import { expect } from 'chai'
import { TestNode } from '../support/test_node.ts'
import type { Answer, AskOptions } from '../support/http.ts'

interface ErrorBody {
  error: { name: string; details: { message: string }[] }
}

const messages = ({ body }: Answer) => (body as ErrorBody).error.details.map((d) => d.message)

describe('server: details of errors', () => {
  let node: TestNode
  afterEach(() => node.stop())

  const CASES: [string, AskOptions, string, RegExp][] = [
    [
      'get_account',
      { body: { account_name: 5.5 } },
      'Unable to parse valid input from POST body',
      /^\/account_name /,
    ],
    [
      'get_account',
      { method: 'GET' },
      'A Request body is required',
      /^this was a GET; send a POST/,
    ],
    [
      'get_table_rows',
      { body: { code: 'eosio', scope: 'eosio', table: 'accounts', json: true } },
      'Table accounts is not specified in the ABI',
      /^the account exists, but has no ABI with tables/,
    ],
    [
      'get_table_rows',
      { body: { code: 'nobody', scope: 'eosio', table: 'accounts', json: true } },
      'Fail to retrieve account for nobody',
      /^$/,
    ],
  ]

  it('say what is wrong on a development chain', async () => {
    node = await TestNode.start()
    for (const [operation, options, first, second] of CASES) {
      const answer = await node.ask(`/v1/chain/${operation}`, options)
      const [reference, ours = ''] = messages(answer)
      expect(reference).equal(first)
      expect(ours).match(second)
    }
  })

  it('are the reference’s text alone elsewhere', async () => {
    node = await TestNode.start({ argv: ['--producer-name', 'alice'] })
    for (const [operation, options, first] of CASES) {
      expect(messages(await node.ask(`/v1/chain/${operation}`, options))).deep.equal([first])
    }
  })
})
