import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import { FROM_SOURCES } from '../support/from_sources.ts'

const HOOKS = new URL('../../scripts/test/typescript_hooks.mjs', import.meta.url).href

describe('the loader of TypeScript for tests', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pronghorn-loader-'))
  after(async () => {
    const { keptAt } = (await import(HOOKS)) as { keptAt: (file: string) => string }
    rmSync(folder, { recursive: true })
    rmSync(dirname(keptAt(join(folder, 'main.ts'))), { recursive: true })
  })

  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  const run = (): string =>
    execFileSync(process.execPath, [...FROM_SOURCES, join(folder, 'main.ts')], { encoding: 'utf8' })

  before(() => {
    mkdirSync(folder, { recursive: true })
    write('package.json', '{ "type": "module" }')
    write('shared.ts', 'export const shared: object = {}\n')
    write('required.ts', "export { shared } from './shared.ts'\n")
  })

  it('loads modules that are imported, and one that is required, each once', () => {
    write(
      'main.ts',
      `import { createRequire } from 'node:module'
      import { shared } from './shared.ts'
      const required = createRequire(import.meta.url)('./required.ts') as { shared: object }
      console.log(required.shared === shared)`,
    )
    expect(run()).equal('true\n')
  })

  it('takes a source that has changed', () => {
    write('main.ts', 'const text: string = "first"\nconsole.log(text)\n')
    expect(run()).equal('first\n')
    write('main.ts', 'const text: string = "other"\nconsole.log(text)\n')
    expect(run()).equal('other\n')
  })

  it('gives errors the positions of the source', () => {
    write(
      'main.ts',
      'interface A {\n  b: 1\n}\n\nconst a = {} as A\nconsole.log(new Error().stack)\n',
    )
    expect(run()).include('main.ts:6:13')
  })

  it('lets threads load the same sources at once', async () => {
    const threads = 3
    const files = Array.from({ length: 30 }, (_, i) => `same_${i}.ts`)
    for (const name of files) write(name, 'export const value: number = 1\n')
    const workerData = {
      hooks: HOOKS,
      files: files.map((name) => join(folder, name)),
      threads,
      came: new Int32Array(new SharedArrayBuffer(4)),
    }
    // Each waits for the others before each source.
    const source = `
      const { files, came, threads, hooks } = require('node:worker_threads').workerData
      import(hooks).then(({ javascript }) => {
        files.forEach((file, i) => {
          const all = threads * (i + 1)
          if (Atomics.add(came, 0, 1) + 1 === all) Atomics.notify(came, 0)
          for (let now; (now = Atomics.load(came, 0)) < all; ) Atomics.wait(came, 0, now, 1000)
          javascript(file)
        })
      })`
    const endings = Array.from({ length: threads }, () => {
      const worker = new Worker(source, { eval: true, execArgv: [], workerData })
      return new Promise<unknown>((resolve) => {
        worker.on('error', (error) => {
          // The others do not wait for this one.
          Atomics.store(workerData.came, 0, threads * files.length)
          Atomics.notify(workerData.came, 0)
          resolve(error)
        })
        worker.on('exit', resolve)
      })
    })
    expect(await Promise.all(endings)).deep.equal([0, 0, 0])
  })
})
