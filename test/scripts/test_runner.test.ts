import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { PACKAGE } from '../support/test_node.ts'

const RUNNER = join(PACKAGE, 'scripts/test.mjs')
const PASSES = "it('passes', () => {})\nit.skip('is skipped', () => {})\n"
const FAILS = "it('passes too', () => {})\nit('fails', () => { throw new Error('as it must') })\n"

describe('the runner of the tests', function () {
  const folder = mkdtempSync(join(tmpdir(), 'pronghorn-runner-'))
  after(() => rmSync(folder, { recursive: true }))

  /** Runs a tree of test files; returns the closing lines and the exit code. */
  function run(files: Record<string, string>, options: string[] = [], env: NodeJS.ProcessEnv = {}) {
    const root = mkdtempSync(join(folder, 'tests-'))
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      writeFileSync(join(root, name), text)
    }
    const { stdout, status } = spawnSync(process.execPath, [RUNNER, root, ...options], {
      cwd: PACKAGE,
      encoding: 'utf8',
      env: { ...process.env, ...env },
    })
    const closing = stdout.slice(stdout.lastIndexOf('\n\n')).trim().split(/\n\s*/)
    return { stdout, status, closing }
  }

  it('runs every file and adds up what passes', () => {
    const files = {
      'root.test.ts': PASSES,
      'a/one.test.ts': PASSES,
      'a/deep/two.test.ts': PASSES,
      'engine/three.test.ts': PASSES,
      'engine/vm/four.test.ts': PASSES,
      'a/other.ts': 'throw new Error()',
      'a/node_modules/package/five.test.ts': 'throw new Error()',
    }
    const { closing, status } = run(files)
    expect([closing, status]).deep.equal([['5 passing', '5 pending'], 0])
  })

  it('fails with a test that fails, shows it at the end and names its folder', () => {
    const { stdout, closing, status } = run({ 'a/one.test.ts': FAILS, 'b/two.test.ts': PASSES })
    const end = stdout.slice(stdout.indexOf('== failed in a'))
    expect(end).include('Error: as it must').and.not.include('passes')
    expect(closing).deep.equal(['2 passing', '1 pending', '1 failing', 'in a'])
    expect(status).equal(1)
  })

  it('fails with a file that does not load, and with a process that dies', () => {
    const files = {
      'a/one.test.ts': "import './missing.ts'\n",
      'b/two.test.ts': "it('dies', () => process.kill(process.pid, 'SIGKILL'))\n",
      'c/three.test.ts': PASSES,
    }
    const { closing, status } = run(files)
    expect(closing.slice(0, 3)).deep.equal(['1 passing', '1 pending', '2 failing'])
    expect(closing.slice(3).sort()).deep.equal(['in a', 'in b'])
    expect(status).equal(1)
  })

  it('passes options on to mocha', () => {
    const { closing } = run({ 'a/one.test.ts': FAILS }, ['--grep', 'passes'])
    expect(closing).deep.equal(['1 passing'])
  })

  it('cuts off a folder that takes too long, with all its processes, and names it', () => {
    // The runner ends only when nobody holds its output any more, so the child has to end too.
    const hangs = `it('hangs', async () => {
      const { spawn } = await import('node:child_process')
      spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    })`
    const files = { 'a/one.test.ts': PASSES + hangs, 'b/two.test.ts': PASSES }
    const { closing, stdout, status } = run(files, [], { TEST_SUITE_SECONDS: '10' })
    expect(closing).deep.equal([
      '1 passing',
      '1 pending',
      '1 failing',
      'in a, cut off after 10 seconds',
    ])
    expect(stdout.slice(stdout.indexOf('== failed in a'))).include('passes')
    expect(status).equal(1)
  })

  it('begins nothing after the time of all, and names what was left out', () => {
    const { closing, status } = run({ 'a/one.test.ts': PASSES }, [], { TEST_SECONDS: '0' })
    expect(closing).deep.equal(['0 passing', '1 failing', 'in a, cut off before it began'])
    expect(status).equal(1)
  })
})
