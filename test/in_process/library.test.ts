/** The library as packages get it: one file, loaded by `import` and by `require`, and its declarations. */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect } from 'chai'

const ROOT = resolve(import.meta.dirname, '../..')

describe('the library', () => {
  /** A project in which this package is installed. */
  let project: string

  before(() => {
    execFileSync(process.execPath, ['scripts/build.mjs', '--if-needed'], {
      cwd: ROOT,
    })
    project = mkdtempSync(join(tmpdir(), 'pronghorn-consumer-'))
    mkdirSync(join(project, 'node_modules/@types'), { recursive: true })
    symlinkSync(ROOT, join(project, 'node_modules/pronghorn'))
    symlinkSync(join(ROOT, 'node_modules/@types/node'), join(project, 'node_modules/@types/node'))
  })

  after(() => rmSync(project, { recursive: true }))

  function run(name: string, text: string): string {
    writeFileSync(join(project, name), text)
    return execFileSync(process.execPath, [name], {
      cwd: project,
      encoding: 'utf8',
      stdio: 'pipe',
    })
  }

  it('is one module for import and for require, and lets the process end', () => {
    const printed = run(
      'both.mjs',
      `import { createRequire } from 'node:module'
       import { Chain, ChainError } from 'pronghorn'
       const required = createRequire(import.meta.url)('pronghorn')
       const chain = required.Chain.create()
       console.log(required.Chain === Chain, chain instanceof Chain)
       try { chain.account('alice') } catch (error) { console.log(error instanceof ChainError) }
       chain.createAccount('alice')
       console.log(chain.hasAccount('alice'))`,
    )
    expect(printed).equal('true true\ntrue\ntrue\n')
  })

  it('loads the server when it is asked for, which knows its errors', () => {
    const printed = run(
      'listen.mjs',
      `import { Chain } from 'pronghorn'
       const { url, close } = await Chain.create().listen()
       const body = JSON.stringify({ account_name: 'alice' })
       const answer = await fetch(url + '/v1/chain/get_account', { method: 'POST', body })
       console.log(answer.status, (await answer.json()).error.code)
       await close()`,
    )
    expect(printed).equal('400 3060002\n')
  })

  it('has declarations that a strict project compiles with, of few files', () => {
    const consumer = `import { Chain, ChainError, TransactionError, type Account } from 'pronghorn'
      const chain: Chain = Chain.create({ time: new Date(), bill_cpu_us: 200 })
      const [alice, bob]: readonly [Account, Account] = chain.createAccounts('alice', 'bob')
      const token = chain.deploy('eosio.token', 'build/eosio.token')
      const result = token.action('transfer', { from: alice.name, quantity: 1n }).send('alice@active')
      const id: string = result.id
      const name: string | undefined = result.trace.action_traces[0]?.act.name
      const row: { balance: string } | undefined = token.table<{ balance: string }>('accounts').get('SYS')
      // @ts-expect-error a chain is made by create
      new Chain()
      // @ts-expect-error a number is not a permission
      token.action('transfer').send(1)
      try { chain.mine() } catch (error) {
        if (error instanceof TransactionError) error.assertion?.slice(1)
        if (error instanceof ChainError) error.code.toFixed()
      }
      const served: Promise<{ readonly url: string }> = chain.listen(0)
      const rows: unknown[] = chain.api.get_table_rows({ code: 'a', scope: 'a', table: 'b' }).rows
      const self: number | undefined = chain.profile().functions[0]?.self
      console.log(id, name, row, bob, served, rows, self, chain.time.now.getTime())`
    // As a module, and as CommonJS.
    const names = ['consumer.mts', 'consumer.cts']
    for (const name of names) writeFileSync(join(project, name), consumer)
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--types', 'node']
    // The declarations themselves are checked too.
    const flags = [...options, '--skipLibCheck', 'false', '--target', 'es2022']
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    execFileSync(process.execPath, [tsc, ...flags, ...names], {
      cwd: project,
      encoding: 'utf8',
    })
    const declarations = readdirSync(join(ROOT, 'dist/library/types'), {
      recursive: true,
    }).filter((file) => String(file).endsWith('.d.ts'))
    expect(declarations.length).within(10, 120)
  })

  it('has declarations where a project looks for them in the older way, for paths of VeRT too', () => {
    // Of VeRT, which has classes of it in its declarations.
    symlinkSync(join(ROOT, 'node_modules/@wharfkit'), join(project, 'node_modules/@wharfkit'))
    const consumer = `import { Chain } from 'pronghorn'
      import { startNode } from 'pronghorn/testing'
      import { defineConfig } from 'pronghorn/config'
      import { Blockchain, nameToBigInt } from 'pronghorn/vert'
      import { TableStore } from 'pronghorn/vert/dist/antelope/table'
      export const key: bigint = nameToBigInt(new Blockchain().createAccount('alice').name)
      export { Chain, startNode, defineConfig, TableStore }`
    writeFileSync(join(project, 'older.ts'), consumer)
    const options = ['--noEmit', '--strict', '--module', 'commonjs', '--moduleResolution', 'node10']
    const flags = [...options, '--skipLibCheck', '--target', 'es2022', '--types', 'node']
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    const compile = () =>
      execFileSync(process.execPath, [tsc, ...flags, 'older.ts'], {
        cwd: project,
        encoding: 'utf8',
      })
    expect(compile()).equal('')
  })

  it('has a file and declarations for each entry', () => {
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      exports: Record<string, string | { types: string; default: string }>
    }
    const files = Object.values(exports).flatMap((entry) =>
      typeof entry === 'string' ? [entry] : [entry.types, entry.default],
    )
    expect(files).include('./dist/library/index.js')
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).deep.equal([])
  })

  it('is loaded by name alone: no other file of the package is an entry', () => {
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      exports: Record<string, unknown>
    }
    expect(Object.keys(exports)).include.members(['.', './package.json'])
    expect(() => run('inner.mjs', `import 'pronghorn/dist/library/index.js'`)).throw(
      'ERR_PACKAGE_PATH_NOT_EXPORTED',
    )
  })
})
