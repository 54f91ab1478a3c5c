/** Nodes of `pronghorn/testing`, in processes of their own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { helloContract } from '../../src/project/hello_contract.ts'
import {
  NodeError,
  startNode,
  type StartOptions,
  type TestingNode,
} from '../../src/testing/index.ts'
import { builtProgram, temporaryFolder } from '../support/node_process.ts'
import { until } from '../support/wait.ts'
import { FROM_SOURCES } from '../support/from_sources.ts'

const TESTING = pathToFileURL(join(import.meta.dirname, '../../src/testing/index.ts')).href

/** Whether there is a process; one that has ended and was not waited for counts as gone. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

describe('testing: a node of a test', function () {
  let folder: ReturnType<typeof temporaryFolder>
  let node: TestingNode | undefined
  before(() => void builtProgram())
  beforeEach(() => {
    folder = temporaryFolder()
    for (const name of ['hello', 'bye']) {
      mkdirSync(join(folder.path, name))
      writeFileSync(join(folder.path, name, `${name}.wasm`), helloContract.wasm)
      writeFileSync(join(folder.path, name, `${name}.abi`), helloContract.abi)
    }
  })
  afterEach(async () => {
    await node?.stop()
    node = undefined
    folder.remove()
  })
  const start = async (options: StartOptions) => (node = await startNode(options))
  const hi = (user: string, account = 'hello') => ({ account, name: 'hi', data: { user } })

  it('has the accounts, contracts and limits that were asked for, and is gone after its stop', async () => {
    const { pid, url } = await start({
      accounts: { alice: { limits: { ram_bytes: 5000 } }, bob: {} },
      deploy: { hello: join(folder.path, 'hello') },
      actions: [hi('bob')],
    })
    const { ram_quota } = await node!.ask('get_account', { account_name: 'alice' })
    expect(ram_quota).equal(5000)
    const { processed } = await node!.send(hi('alice'), 'alice')
    expect(processed.action_traces[0]!.console).equal('hello, alice')
    expect((await node!.send(hi('alice'), 'alice')).transaction_id).a('string')
    const failure = await node!.send(hi('alice'), 'ghost').catch((error: unknown) => error)
    expect(failure).instanceOf(NodeError)
    expect(failure).include({ error_name: 'transaction_exception' })
    expect((failure as Error).message).include('ghost')
    await Promise.all([node!.stop(), node!.stop()])
    expect(isRunning(pid)).equal(false)
    expect(await fetch(url).catch(() => 'refused')).equal('refused')
  })

  it('keeps the data in the folder that was named: what is there is not made again', async () => {
    const options: StartOptions = {
      data_dir: join(folder.path, 'data'),
      accounts: ['alice'],
      deploy: { hello: join(folder.path, 'hello') },
      actions: [{ ...hi('alice'), authorization: 'alice' }],
    }
    await (await start(options)).stop()
    await start({ ...options, accounts: ['alice', 'bob'] })
    expect((await node!.ask('get_account', { account_name: 'bob' })).account_name).equal('bob')
    expect(existsSync(join(folder.path, 'data/blocks'))).equal(true)
  })

  it('ends when the process that started it is killed', async () => {
    const program = `
      const { startNode } = await import('${TESTING}')
      const node = await startNode()
      console.log(node.pid)
      setInterval(() => {}, 1000)`
    const argv = [...FROM_SOURCES, '--input-type=module', '--eval', program]
    const parent = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(line.toString())
    expect(isRunning(pid)).equal(true)
    const gone = once(parent, 'exit')
    parent.kill('SIGKILL')
    await gone
    await until('the node is gone', () => !isRunning(pid))
  })

  it('a start that fails says why, and leaves no process', async () => {
    for (const [options, message] of [
      [{ deploy: { hello: join(folder.path, 'absent') } }, /there is no contract; looked for/],
      [{ accounts: ['alice'], actions: [hi('alice')] }, /actions\[0\] \(hello::hi\): .*hello/],
      [
        { deploy: { hello: join(folder.path, 'hello') }, actions: [{ ...hi('x'), name: 'bye' }] },
        /actions\[0\] \(hello::bye\): the contract of hello has no action bye; it has hi/,
      ],
      [{ args: ['--no-such-option'] }, /no-such-option/],
      [{ args: ['--producer-name', 'alice'], accounts: ['bob'] }, /only on a development chain/],
    ] as [StartOptions, RegExp][]) {
      const failure = await startNode(options).then(
        async (started) => {
          await started.stop()
          return ''
        },
        (error: Error) => error.message,
      )
      expect(failure)
        .match(/^the node did not start: it ended with code [12]\n/)
        .match(message)
    }
  })

  it('a watched contract is deployed again when its files have changed', async () => {
    const wasm = join(folder.path, 'hello/hello.wasm')
    await start({ deploy: { hello: wasm }, args: ['--watch'] })
    const hash = async () => (await node!.ask('get_code_hash', { account_name: 'hello' })).code_hash
    const first = await hash()
    // A text that prints another greeting.
    const changed = Buffer.from(helloContract.wasm)
    changed.write('HELLO, ', changed.indexOf('hello, '), 'latin1')
    writeFileSync(wasm, 'no contract')
    writeFileSync(wasm, changed)
    await until('it is deployed', async () => (await hash()) !== first)
    const { processed } = await node!.send(hi('alice'))
    expect(processed.action_traces[0]!.console).equal('HELLO, alice')
  })
})
