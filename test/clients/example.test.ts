/** examples/token.ts, as its users run it: a process of its own against a running node. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { FROM_SOURCES } from '../support/from_sources.ts'
import { PACKAGE, TestNode } from '../support/test_node.ts'

const run = promisify(execFile)

describe('clients: examples/token.ts', () => {
  let node: TestNode
  before(async () => {
    node = await TestNode.start()
  })
  after(() => node.stop())

  it('creates, issues and transfers a token without errors', async () => {
    const example = join(PACKAGE, 'examples/token.ts')
    const argv = [...FROM_SOURCES, example, node.url]
    const { stdout, stderr } = await run(process.execPath, argv, { cwd: PACKAGE })
    expect(stderr).equal('')
    expect(stdout.split('\n').slice(0, 5)).deep.equal([
      'accounts: eosio.token, alice, bob',
      'contract: eosio.token',
      'create, issue, transfer',
      'read it back',
      'a transfer of more than there is',
    ])
    expect(stdout).match(/transaction_id: '[0-9a-f]{64}'/)
    expect(stdout).include("balance: '25.0000 SYS'")
    expect(stdout).include("row: { balance: '25.0000 SYS' }")
    expect(stdout).include("overdrawn: 'assertion failure with message: overdrawn balance'")
    const balances = await node.chain('get_currency_balance', {
      code: 'eosio.token',
      account: 'alice',
    })
    expect(balances.body).deep.equal(['975.0000 SYS'])
  })
})
