/**
 * The package under vitest and jest, which have module registries and contexts of their own: from the packed tarball,
 * as ES modules and as CommonJS. `make npm-clients` installs the two; without that the tests say so and are left out.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { builtProgram, temporaryFolder } from '../support/node_process.ts'
import { PACKAGE } from '../support/test_node.ts'

const RUNNERS = join(PACKAGE, 'test/clients/npm/test_runners/node_modules')
const TOKEN = join(PACKAGE, 'node_modules/proton-tsc/external/eosio.token')

/** A file of tests; its last one fails. */
const testsOf = (beginning: string) => `${beginning}
const wasm = readFileSync('build/eosio.token.wasm')
const abi = JSON.parse(readFileSync('build/eosio.token.abi', 'utf8'))

function withToken(...code) {
  const chain = Chain.create()
  chain.createAccounts('alice', 'bob')
  const token = chain.deploy('eosio.token', ...code)
  token.actions.create({ issuer: 'alice', maximum_supply: '1000.0000 SYS' }).send()
  token.actions.issue({ to: 'alice', quantity: '100.0000 SYS', memo: '' }).send('alice@active')
  const transfer = (quantity) =>
    token.actions.transfer({ from: 'alice', to: 'bob', quantity, memo: '' })
  const balance = (owner) => token.tables.accounts(owner).get('SYS')?.balance
  return { chain, token, transfer, balance }
}
const one = withToken('build/eosio.token')
const other = withToken(new Uint8Array(wasm), abi)

test('chains of one process share nothing, and go back', () => {
  const start = one.chain.checkpoint()
  const { ram_deltas } = one.transfer('1.0000 SYS').send('alice@active')
  expect(ram_deltas).toEqual([{ account: 'alice', delta: 240 }])
  expect([one.balance('bob'), other.balance('bob')]).toEqual(['1.0000 SYS', undefined])
  start.goBack()
  expect(one.balance('bob')).toBe(undefined)
})

test('bytes and dates of any context are taken', () => {
  const packed = '0000000000855c34' + '0000000000000e3d' + '1027000000000000' + '0453595300000000' + '00'
  const list = JSON.stringify([...Buffer.from(packed, 'hex')])
  const contexts = [JSON.parse(list), runInNewContext(list)].map((bytes) => Uint8Array.from(bytes))
  for (const bytes of [...contexts, runInNewContext('Uint8Array.from(' + list + ')')]) {
    other.token.action('transfer', bytes).send('alice@active')
  }
  expect(other.balance('bob')).toBe('3.0000 SYS')
  const time = new Date(Date.UTC(2030, 0, 1))
  expect(Chain.create({ time }).time.now.getUTCFullYear()).toBe(2030)
})

test('a failure is an error of its classes', () => {
  let failure
  try {
    one.transfer('100.0001 SYS').send('alice@active')
  } catch (error) {
    failure = error
  }
  for (const kind of [TransactionError, ChainError, Error]) {
    expect(failure instanceof kind).toBe(true)
  }
  expect(failure.assertion).toBe('overdrawn balance')
})

test('a chain is served, and the server is closed', async () => {
  const { url, close } = await other.chain.listen()
  const body = JSON.stringify({ account_name: 'alice' })
  const answer = await fetch(url + '/v1/chain/get_account', { method: 'POST', body })
  expect((await answer.json()).account_name).toBe('alice')
  await close()
})

test('the contract refuses', () => {
  one.transfer('100.0001 SYS').send('alice@active')
})
`
const AS_MODULE = `import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { Chain, ChainError, TransactionError } from 'pronghorn'`
const AS_COMMONJS = `const { readFileSync } = require('node:fs')
const { runInNewContext } = require('node:vm')
const { Chain, ChainError, TransactionError } = require('pronghorn')`

interface Way {
  manifest: object
  /** The file of tests. */
  name: string
  text: string
  argv: readonly string[]
}
const VITEST = 'node_modules/vitest/vitest.mjs'
const JEST = 'node_modules/jest/bin/jest.js'
const JEST_SETTINGS = { testMatch: ['**/token.test.*js'] }

/** How each test runner is used, as its own documentation says. */
const WAYS: Record<string, Way> = {
  'vitest, with modules': {
    manifest: { type: 'module' },
    name: 'token.test.js',
    text: testsOf(`import { expect, test } from 'vitest'\n${AS_MODULE}`),
    argv: [VITEST, 'run'],
  },
  'jest, with CommonJS': {
    manifest: { type: 'commonjs', jest: JEST_SETTINGS },
    name: 'token.test.js',
    text: testsOf(AS_COMMONJS),
    argv: [JEST],
  },
  'jest, with modules': {
    manifest: { type: 'module', jest: JEST_SETTINGS },
    name: 'token.test.mjs',
    text: testsOf(AS_MODULE),
    argv: ['--experimental-vm-modules', JEST],
  },
}

describe('the package under other test runners', function () {
  this.timeout(240_000)
  const project = temporaryFolder()
  const modules = join(project.path, 'node_modules')
  const write = (name: string, text: string) => writeFileSync(join(project.path, name), text)

  before(function () {
    if (!existsSync(RUNNERS)) {
      console.log('    vitest and jest are not installed (make npm-clients)')
      this.skip()
    }
    builtProgram()
    const npm = ['pack', '--ignore-scripts', '--json', '--pack-destination', project.path]
    const packed = execFileSync('npm', npm, { cwd: PACKAGE, encoding: 'utf8', stdio: 'pipe' })
    const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
    // The package is a folder of node_modules itself: jest transforms what is elsewhere.
    const installed = join(modules, 'pronghorn')
    mkdirSync(installed, { recursive: true })
    const tar = ['-xzf', join(project.path, filename), '-C', installed, '--strip-components=1']
    execFileSync('tar', tar)
    for (const name of ['rocksdb-native', 'secp256k1']) {
      symlinkSync(join(PACKAGE, 'node_modules', name), join(modules, name))
    }
    for (const name of ['jest', 'vitest']) {
      symlinkSync(join(RUNNERS, name), join(modules, name))
    }
    cpSync(TOKEN, join(project.path, 'build'), { recursive: true })
  })
  after(() => project.remove())

  /** What a program prints; resolves when it has ended by itself. */
  async function run(argv: readonly string[]): Promise<{ output: string; code: number | null }> {
    const child = spawn(process.execPath, argv, {
      cwd: project.path,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', CI: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      // One that does not end is killed, so that the code is null.
      timeout: 120_000,
      killSignal: 'SIGKILL',
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    }
    const [code] = (await once(child, 'close')) as [number | null]
    return { output, code }
  }

  for (const [way, { manifest, name, text, argv }] of Object.entries(WAYS)) {
    it(`${way}: chains work, a refusal of the contract is shown, and the process ends`, async () => {
      write('package.json', JSON.stringify(manifest))
      write(name, text)
      const { output, code } = await run(argv)
      rmSync(join(project.path, name))
      // It ended by itself, with the code of a failed test.
      expect(code, output).equal(1)
      expect(output).match(/Tests:? +1 failed( \||,) 4 passed/)
      expect(output).match(/TransactionError: assertion failure with message: overdrawn balance/)
      // The line of the test.
      expect(output).match(/> ?\d+ \||❯ token\.test\.js:\d+/)
      expect(output).not.match(/did not exit|force exit|open handle|hanging/i)
    })
  }
})
