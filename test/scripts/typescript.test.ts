import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { FROM_SOURCES } from '../support/from_sources.ts'

describe('the loader of TypeScript for tests', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pronghorn-loader-'))
  after(() => rmSync(folder, { recursive: true }))

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
})
