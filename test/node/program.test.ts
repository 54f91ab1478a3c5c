/** The program as its users see it: what it prints, how it ends, what it leaves in its folder. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { ask } from '../support/http.ts'
import { NodeProcess, builtProgram, temporaryFolder, type Ending } from '../support/node_process.ts'
import { until } from '../support/wait.ts'

const ANYWHERE = ['--http-server-address', '127.0.0.1:0']
const RECORDED = join(import.meta.dirname, '../fixtures/recordings/one')

describe('node: the program', () => {
  let folder: ReturnType<typeof temporaryFolder>
  const running: NodeProcess[] = []
  beforeEach(() => {
    folder = temporaryFolder()
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((node) => node.kill()))
    folder.remove()
  })

  const here = (...argv: string[]) => ['--data-dir', folder.path, ...ANYWHERE, ...argv]

  async function start(...argv: string[]): Promise<NodeProcess> {
    const node = await NodeProcess.start(folder.path, argv)
    running.push(node)
    return node
  }

  /** Runs the program until it ends by itself. */
  async function run(...argv: string[]): Promise<NodeProcess & { ending: Ending }> {
    const node = new NodeProcess(argv)
    running.push(node)
    return Object.assign(node, { ending: await node.ended })
  }

  it('--help and --version print and end', async () => {
    const help = await run('--help')
    expect(help.ending.code).equal(0)
    expect(help.stdout).match(/^pronghorn \d+\.\d+\.\d+: an Antelope blockchain node\n/)
    expect(help.stderr).equal('')
    const version = await run('--version')
    expect([version.ending.code, version.stdout]).deep.equal([0, 'v0.1.0\n'])
    const abbreviated = await run('--vers')
    expect(abbreviated.stdout).equal(version.stdout)
    const full = await run('--full-version')
    expect([full.ending.code, full.stdout]).deep.equal([0, 'v0.1.0-pronghorn\n'])
    const config = await run(...here('--print-config'))
    expect(config.ending.code).equal(0)
    expect(config.stdout).include('http-server-address')
    const genesis = await run(...here('--print-genesis-json'))
    expect(genesis.ending.code).equal(2)
    expect(genesis.stderr).include('there is no block log')
    expect(readdirSync(folder.path)).deep.equal([])
  })

  it('prints what a user needs after the start', async () => {
    const node = await start()
    const told = Object.fromEntries(
      node.stdout
        .split('\n')
        .slice(1)
        .map((line) => line.trim().split(/ {2,}/)),
    ) as Record<string, string>
    const info = (await node.chain('get_info')).body as { chain_id: string }
    expect(told['chain id']).equal(info.chain_id)
    expect(told['data']).equal(folder.path)
    expect(told['docs']).equal(`${node.url}/docs`)
    expect(told['development key']).equal('EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV')
    expect(told['producing for']).equal('eosio')
    const before = await node.head()
    await until('it produces', async () => (await node.head()) > before)
    expect(await node.stop()).deep.equal({ code: 0, signal: null })
    expect(node.stderr).not.match(/warn|error/i)
    expect(existsSync(join(folder.path, 'blocks/blocks.log'))).equal(true)
  })

  const wrong: [string, string[], RegExp][] = [
    ['an unknown option', ['--nothing'], /^pronghorn: command line: unknown option nothing;/],
    [
      'an option of the reference that would do nothing',
      ['--wasm-runtime', 'eos-vm'],
      /^pronghorn: command line: option wasm-runtime is refused: /,
    ],
    [
      'an unknown plugin',
      ['--plugin', 'eosio::resource_monitor_plugin'],
      /^pronghorn: command line: plugin eosio::resource_monitor_plugin is refused: watch the disk/,
    ],
    [
      'a name with control characters',
      ['--no\u001b[2Jthing'],
      /^pronghorn: command line: unknown option no\\x1b\[2Jthing;/,
    ],
    ['a value that is wrong', ['-p', 'Alice'], /^pronghorn: command line: producer-name Alice: /],
    [
      'an unknown level',
      ['--log-level', 'loud'],
      /^pronghorn: command line: option log-level is error, warn, info, or debug, not "loud"$/m,
    ],
    [
      'a data folder that cannot be',
      ['--config', '/dev/null', '--data-dir', join(import.meta.filename, 'data')],
      /^pronghorn: data-dir: /,
    ],
  ]
  for (const [what, argv, message] of wrong) {
    it(`${what} is one line on standard error and exit code 2`, async () => {
      const options = argv.includes('--data-dir') ? [...ANYWHERE, ...argv] : here(...argv)
      const { ending, stderr, stdout } = await run(...options)
      expect(ending.code, stderr).equal(2)
      expect(stderr).match(message)
      expect(stderr.trim().split('\n')).length(1)
      expect(stdout).equal('')
    })
  }

  it('an address that is taken ends it with code 1, before a chain is made', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const address = `127.0.0.1:${(taken.address() as AddressInfo).port}`
    try {
      const argv = ['--data-dir', folder.path, '--http-server-address', address]
      const { ending, stderr } = await run(...argv)
      expect(ending.code).equal(1)
      const why = 'cannot listen: another process uses this address (EADDRINUSE)'
      expect(stderr).equal(`pronghorn: http-server-address ${address}: ${why}\n`)
      expect(readdirSync(folder.path)).deep.equal([])
      const others = {
        'p2p-listen-endpoint': [],
        'state-history-endpoint': ['--trace-history'],
      }
      for (const [option, more] of Object.entries(others)) {
        const { ending, stderr } = await run(...here(), ...more, `--${option}=${address}`)
        expect(ending.code).equal(1)
        expect(stderr)
          .match(/^pronghorn: /)
          .include(option)
          .include(why)
        expect(readdirSync(folder.path)).deep.equal([])
      }
    } finally {
      taken.close()
    }
    await start()
  })

  it('a folder that the system does not let it make ends it at once', async function () {
    if (!existsSync('/proc/self')) return this.skip()
    for (const option of ['--data-dir', '--blocks-dir', '--state-dir', '--finalizers-dir']) {
      const argv = option === '--data-dir' ? ANYWHERE : here()
      const { ending, stderr } = await run(...argv, option, '/proc/pronghorn/folder')
      expect(ending.code, stderr).oneOf([1, 2])
      expect(stderr).match(/^pronghorn: .*ENOENT.*'\/proc\/pronghorn'\n$/m)
    }
  })

  it('reads config.ini in the data folder', async () => {
    const lines = ['producer-name = alice', 'verbose-http-errors = true', 'max-body-size = 100']
    writeFileSync(join(folder.path, 'config.ini'), lines.join('\n'))
    const node = await start()
    expect(node.stdout).match(/producing for +alice\n/)
    expect(node.stdout).not.include('development key')
    expect((await node.chain('get_account', { filler: 'x'.repeat(100) })).status).equal(413)
  })

  it('keeps everything in ./data when no folder is named', async () => {
    mkdirSync(join(folder.path, 'data'))
    const config = 'http-server-address = 127.0.0.1:0\n'
    writeFileSync(join(folder.path, 'data/config.ini'), config)
    const node = new NodeProcess([], folder.path)
    running.push(node)
    await until('it is ready', () => {
      if (node.gone) throw new Error(node.stderr)
      return node.stdout.includes('producing for')
    })
    expect(existsSync(join(folder.path, 'data/state'))).equal(true)
    expect((await node.stop()).code).equal(0)
  })

  it('continues the existing chain, and refuses the genesis of another', async () => {
    const first = await start()
    const { chain_id } = (await first.chain('get_info')).body as { chain_id: string }
    await first.stop()
    const genesis = join(RECORDED, 'genesis.json')
    const { ending, stderr } = await run(...here('--genesis-json', genesis))
    expect(ending.code).equal(2)
    expect(stderr).match(/^pronghorn: genesis-json: .*continue that chain without genesis-json/m)
    const again = await start()
    expect((await again.chain('get_info')).body).include({ chain_id })
  })

  it('--delete-all-blocks starts a new chain, but not while another node uses the folder', async () => {
    const first = await start()
    await until('some blocks', async () => (await first.head()) > 8)
    const { ending, stderr } = await run(...here('--delete-all-blocks'))
    expect(ending.code).equal(2)
    expect(stderr).include('is in use by another process')
    const head = await first.head()
    await until('it goes on', async () => (await first.head()) > head)
    expect((await first.stop()).code).equal(0)

    const again = await start()
    expect(await again.head()).greaterThanOrEqual(head)
    await again.stop()
    const anew = await start('--delete-all-blocks', '--pause-on-startup')
    expect(await anew.head()).lessThan(head)
  })

  it('replays a block log of the reference and ends at the given block', async () => {
    const replay = ['--replay', join(RECORDED, 'blocks.log'), '--pause-on-startup']
    const { ending, stderr } = await run(
      ...here(...replay, '--p2p-listen-endpoint=', '--terminate-at-block=60'),
    )
    expect(ending.code, stderr).equal(0)
    const paused = await start('--pause-on-startup')
    expect(await paused.head()).equal(60)
    expect((await ask(paused.url, '/v1/producer/paused')).body).equal(true)
  })

  it('--terminate-at-block ends it by itself', async () => {
    const { ending, stdout } = await run(...here('--terminate-at-block', '10'))
    expect(ending).deep.equal({ code: 0, signal: null })
    expect(stdout).include('is ready')
    const node = await start('--pause-on-startup')
    expect(await node.head()).greaterThanOrEqual(10)
  })

  it('continues when its output is not read, and when its terminal is closed', async () => {
    const full = openSync('/dev/full', 'w')
    const socket = join(folder.path, 'all.sock')
    const argv = [...builtProgram(), '--data-dir', folder.path, '--log-level', 'debug']
    const address = ['--http-server-address=', '--unix-socket-path', socket]
    const child = spawn(process.execPath, [...argv, ...address], { stdio: ['ignore', full, full] })
    closeSync(full)
    const ended = once(child, 'close')
    const head = async () => {
      expect(child.exitCode).equal(null)
      const answer = await ask(`unix:${socket}`, '/v1/chain/get_info').catch(() => null)
      return (answer?.body as { head_block_num: number } | undefined)?.head_block_num
    }
    const before = (await until('it is there', head))!
    child.kill('SIGHUP')
    await until('it produces', async () => (await head())! > before)
    child.kill('SIGTERM')
    expect(await ended).deep.equal([0, null])
  })

  it('warns when other machines can reach it', async () => {
    const node = new NodeProcess([
      ...['--data-dir', folder.path],
      ...['--http-server-address', '0.0.0.0:0'],
    ])
    running.push(node)
    await until('it is ready', () => node.stdout.includes('producing for'))
    await node.logged(
      / info +http:\/\/0\.0\.0\.0:\d+ serves node, chain_info, chain_ro, chain_rw, producer_ro, net_ro, trace_api, db_size, prometheus\n/,
    )
    await node.logged(
      / warn +http:\/\/0\.0\.0\.0:\d+ can be reached from other machines, and has no authentication\n/,
    )
    const url = node.url.replace('0.0.0.0', '127.0.0.1')
    expect((await ask(url, '/v1/producer/pause')).status).equal(404)
    expect((await ask(url, '/v1/producer/create_snapshot')).status).equal(404)
    expect((await ask(url, '/v1/chain/get_info')).status).equal(200)
    expect((await node.stop()).code).equal(0)
  })

  it('a config.ini of a public API node of the reference is one here', async () => {
    const config = [
      ...['http-server-address = 0.0.0.0:0', 'access-control-allow-origin = *'],
      ...['plugin = eosio::chain_plugin', 'plugin = eosio::http_plugin'],
      'plugin = eosio::chain_api_plugin',
    ]
    writeFileSync(join(folder.path, 'config.ini'), config.join('\n'))
    const node = new NodeProcess(['--data-dir', folder.path])
    running.push(node)
    await until('it is ready', () => node.stdout.includes('producing for'))
    expect(node.stdout)
      .match(/producing for +nobody\n/)
      .and.not.include('development key')
    await node.logged(/ warn +this node produces nothing: no producer-name is given, and/)
    const url = node.url.replace('0.0.0.0', '127.0.0.1')
    const head = async () => (await ask(url, '/v1/chain/get_info')).body
    expect(await head()).include({ head_block_num: 1 })
    for (const path of ['producer/pause', 'producer/get_runtime_options', 'db_size/get']) {
      expect((await ask(url, `/v1/${path}`)).status, path).equal(404)
    }
    expect((await ask(url, '/v1/prometheus/metrics')).status).equal(404)
    const { apis } = (await ask(url, '/v1/node/get_supported_apis')).body as { apis: string[] }
    expect(apis.filter((path) => !/^\/v1\/(chain|node)\//.test(path))).deep.equal([])
    expect((await node.stop()).code).equal(0)
  })
})
