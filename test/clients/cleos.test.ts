/**
 * cleos of the reference, unmodified: `CLEOS=path npx mocha test/clients/cleos.test.ts`. Without CLEOS, which
 * names the program, the tests are left out. They need no wallet: `cleos sign` takes the key.
 */
import { execFile } from 'node:child_process'
import { expect } from 'chai'
import { TestNode } from '../support/test_node.ts'
import { WharfkitChain } from '../support/wharfkit_chain.ts'

const CLEOS = process.env['CLEOS']

interface Run {
  code: number
  stdout: string
  stderr: string
}

describe('clients: cleos', () => {
  let node: TestNode
  let chain: WharfkitChain
  before(async function () {
    if (CLEOS === undefined) return this.skip()
    node = await TestNode.start()
    chain = new WharfkitChain(node.url)
    await chain.createToken('1000.0000', '100.0000')
  })
  after(async () => {
    if (CLEOS === undefined) return
    await node.stop()
    expect(node.faults).deep.equal([])
  })

  const run = (...args: string[]) =>
    new Promise<Run>((resolve) => {
      const child = execFile(
        CLEOS!,
        ['-u', node.url, '--no-auto-keosd', ...args],
        (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      )
    })

  /** What a command printed that must not fail. */
  async function printed(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await run(...args)
    expect(code, stderr).equal(0)
    return stdout
  }

  const json = async (...args: string[]) => JSON.parse(await printed(...args)) as object

  /** A transfer of alice that is signed, and sent. */
  async function transfer(quantity: string): Promise<Run> {
    const options = ['--skip-sign', '--dont-broadcast', '--json', '-x', '120']
    const unsigned = await printed('transfer', 'alice', 'bob', quantity, 'lunch', ...options)
    return run('sign', unsigned, '-k', chain.key.toWif(), '--push-transaction')
  }

  it('reads the chain, accounts, contracts, tables and blocks', async () => {
    const info = await json('get', 'info')
    expect(info).include({ chain_id: String((await chain.client.v1.chain.get_info()).chain_id) })
    expect(await printed('get', 'account', 'alice')).match(/^ {5}owner +1: +1 EOS6MRy\w+$/m)
    expect(await json('get', 'account', 'bob', '-j')).include({ account_name: 'bob' })
    expect(await json('get', 'abi', 'eosio.token')).include({ version: 'eosio::abi/1.1' })
    const hash = String((await chain.client.v1.chain.get_code('eosio.token')).code_hash)
    expect(await printed('get', 'code', 'eosio.token')).equal(`code hash: ${hash}\n`)
    const table = ['get', 'table', 'eosio.token', 'alice', 'accounts', '-l', '5', '--show-payer']
    expect(await json(...table)).deep.include({
      rows: [{ data: { balance: '100.0000 SYS' }, payer: 'alice' }],
      more: false,
    })
    expect(await json('get', 'scope', 'eosio.token', '-t', 'stat')).deep.nested.include({
      'rows[0].count': 1,
    })
    expect(await printed('get', 'currency', 'balance', 'eosio.token', 'alice')).equal(
      '100.0000 SYS\n',
    )
    const form = ['--info', '--raw', '--header', '--header-with-extensions']
    for (const flags of [[], ...form.map((flag) => [flag])])
      await json('get', 'block', '2', ...flags)
    await json('get', 'consensus_parameters')
    expect(await json('get', 'finalizer_info')).nested.include({
      'active_finalizer_policy.threshold': 1,
    })
    expect(await json('net', 'peers')).deep.equal([])
  })

  it('signs and sends a transfer', async () => {
    const { code, stdout } = await transfer('25.0000 SYS')
    expect(code).equal(0)
    expect(JSON.parse(stdout)).nested.include({ 'processed.receipt.status': 'executed' })
    const balance = await printed('get', 'currency', 'balance', 'eosio.token', 'bob', 'SYS')
    expect(balance).equal('25.0000 SYS\n')
  })

  it('says why a transaction or a request is refused', async () => {
    const overdrawn = await transfer('900.0000 SYS')
    expect(overdrawn.code).equal(1)
    expect(overdrawn.stderr).contain('assertion failure with message: overdrawn balance')
    const unknown = await run('get', 'account', 'nosuch')
    expect(unknown.code).equal(1)
    expect(unknown.stderr).match(/Error 3060002: Account Query Exception/)
    const block = await run('get', 'block', '99999999')
    expect(block.stderr).contain('Could not find block: 99999999')
  })
})
