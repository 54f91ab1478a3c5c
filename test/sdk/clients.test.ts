/** Clients made from the contract compile, and do with a node what people do first. */
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PackedTransaction } from '@wharfkit/antelope'
import { expect } from 'chai'
import {
  makePythonClient,
  makeTypescriptClient,
  PYTHON_CLIENT,
  TYPESCRIPT_CLIENT,
} from '../../scripts/sdk/index.ts'
import { PYTHON_TOOLS, pythonToolsInstalled } from '../../scripts/sdk/python.ts'
import { PACKAGE, TestNode } from '../support/test_node.ts'
import { WharfkitChain } from '../support/wharfkit_chain.ts'

const run = promisify(execFile)
const CONSUMER = join(import.meta.dirname, 'consumer')
const TSC = join(PACKAGE, 'node_modules/typescript/bin/tsc')

describe('clients made from the contract', function () {
  let node: TestNode
  let chain: WharfkitChain
  before(async () => {
    node = await TestNode.start()
    chain = new WharfkitChain(node.url)
    await chain.createToken('1000.0000', '100.0000')
  })
  after(async () => {
    await node.stop()
    expect(node.faults).deep.equal([])
  })

  /** Runs a program that uses a client, and looks at what it printed. */
  async function use(program: string, args: string[], env: object = {}) {
    const transfer = { from: 'alice', to: 'bob', quantity: '1.0000 SYS', memo: program }
    const action = await chain.action('eosio.token', 'transfer', 'alice', transfer)
    const signed = await chain.sign([action])
    const [row] = (await chain.client.v1.chain.get_currency_balance('eosio.token', 'alice')).map(
      String,
    )
    const packed = JSON.stringify({
      ...PackedTransaction.fromSigned(signed, 0),
      compression: 'none',
    })
    const { stdout } = await run(program, [...args, node.url, packed], {
      cwd: PACKAGE,
      env: { ...process.env, ...env },
    })
    const found = JSON.parse(stdout) as Record<string, unknown>
    expect(found['head']).a('number').within(1, node.head_block_num)
    expect(found).deep.include({
      account: 'alice',
      nobody: 'account_query_exception',
      rows: [{ balance: row }],
      sent: String(signed.id),
      status: 'executed',
      again: 'tx_duplicate',
    })
    return found
  }

  it('the TypeScript client compiles and talks to a node', async () => {
    await makeTypescriptClient()
    await run(process.execPath, [TSC, '--project', CONSUMER])
    const found = await use(process.execPath, ['--import', 'tsx', join(CONSUMER, 'client.ts')])
    const [account, balance, thrown] = found['throwing'] as string[]
    expect([account, thrown]).deep.equal(['alice', 'account_query_exception'])
    expect(balance).match(/^\d+\.0000 SYS$/)
  })

  it('TypeScript: declarations name their types instead of repeating them', () => {
    const declarations = readFileSync(join(TYPESCRIPT_CLIENT, 'dist/index.d.ts'), 'utf8')
    expect(declarations.length).lessThan(100_000)
    expect(declarations).include('Promise<Outcome<Throws, GetAccountAnswer>>')
  })

  it('the Python client passes its type checker and talks to a node', async function () {
    if (!pythonToolsInstalled()) {
      // Where CI has Python, a client that is not tried is a failure.
      const missing = spawnSync('python3', ['--version']).error !== undefined
      if (missing || !process.env['CI']) return this.skip()
      throw new Error('make python-clients has not installed the generator')
    }
    makePythonClient()
    const client = join(PYTHON_CLIENT, 'pronghorn_client')
    const env = { MYPYPATH: PYTHON_CLIENT, PYTHONPATH: PYTHON_CLIENT }
    // The generator declares a loop's variable once for each list of extensions.
    const checks = ['--strict-equality', '--disable-error-code=no-redef', '--no-incremental']
    await run(join(PYTHON_TOOLS, 'mypy'), [...checks, client, join(CONSUMER, 'client.py')], {
      env: { ...process.env, ...env },
    })
    await use(join(PYTHON_TOOLS, 'python'), [join(CONSUMER, 'client.py')], env)
  })
})
