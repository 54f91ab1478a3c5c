/**
 * Clients of other languages: Python packages from PyPI, unmodified. `make python-clients` installs
 * them where the machine has Python; without that the tests say so and are left out.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { PACKAGE, TestNode } from '../support/test_node.ts'
import { WharfkitChain } from '../support/wharfkit_chain.ts'

const run = promisify(execFile)
const SCRIPTS = join(import.meta.dirname, 'python')
const OVERDRAWN = /overdrawn balance/

describe('clients: Python', () => {
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

  const balance = async () =>
    String((await chain.client.v1.chain.get_currency_balance('eosio.token', 'bob', 'SYS'))[0] ?? '')

  /** What the client's script printed. */
  async function answers(context: Mocha.Context, client: string): Promise<Record<string, unknown>> {
    const python = join(PACKAGE, '.venv', client, 'bin/python')
    if (!existsSync(python)) context.skip()
    const script = join(SCRIPTS, `${client}_client.py`)
    const { stdout } = await run(python, [script, node.url, chain.key.toWif()])
    // One of them talks while it signs.
    const [last = ''] = stdout.trim().split('\n').slice(-1)
    return JSON.parse(last) as Record<string, unknown>
  }

  it('aioeos reads the chain, signs and sends a transfer', async function () {
    const found = await answers(this, 'aioeos')
    expect(found).include({
      account: 'alice',
      abi: 'eosio::abi/1.1',
      code: 'eosio.token',
      header: true,
      scopes: 1,
      pushed: 'executed',
    })
    expect(found['producers']).deep.equal(['eosio'])
    expect(found['refused']).match(OVERDRAWN)
    expect(found['rows']).deep.equal([{ balance: await balance() }])
  })

  it('libeospy reads the chain, signs and sends a transfer', async function () {
    const found = await answers(this, 'eospy')
    expect(found).include({
      head: true,
      account: 'alice',
      abi: 'eosio::abi/1.1',
      raw_abi: 'eosio.token',
      code: 'eosio.token',
      pushed: 'executed',
    })
    expect(found['refused']).match(OVERDRAWN)
    expect(found['balance']).deep.equal([await balance()])
  })

  it('pyntelope reads the chain, signs and sends a transfer', async function () {
    const found = await answers(this, 'pyntelope')
    expect(found).include({
      head: true,
      account: 'alice',
      abi: 'eosio::abi/1.1',
      block_info: 1,
      pushed: 'executed',
    })
    expect(found['refused']).match(OVERDRAWN)
  })
})
